import { accessSync, closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** Most bytes of a file of settings that are read. */
const MAX_SETTINGS_BYTES = 65_536;

/** The beginning of a file. */
interface Beginning {
  readonly bytes: Buffer;
  /** Whether that is all of the file. */
  readonly isWhole: boolean;
}

/**
 * The beginning of a file that somebody else may have put there, such as a command: of a regular file only, so that no
 * pipe, device or file of the kernel is waited for. Undefined when there is none that this user may read.
 */
function beginning(file: string, maxBytes: number): Beginning | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const status = fstatSync(descriptor);
    if (!status.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(status.size, maxBytes));
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count) {
      count = readSync(descriptor, bytes, length, bytes.length - length, null);
    }
    return { bytes: bytes.subarray(0, length), isWhole: status.size <= maxBytes };
  } catch {
    return undefined; // It is missing, or this user may not read it: the same as none.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** A whole file of at most so many bytes. Undefined where there is no such file. */
export function readBounded(file: string, maxBytes: number): Buffer | undefined {
  const read = beginning(file, maxBytes);
  return read?.isWhole === true ? read.bytes : undefined;
}

/** The text of a file of settings, or the first 64 KiB of it. Undefined where there is none. */
export function boundedText(file: string): string | undefined {
  return beginning(file, MAX_SETTINGS_BYTES)?.bytes.toString('utf8');
}

/** Whether there is a regular file at this path, links followed. */
export function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // It cannot be looked at, so nothing can read it either.
  }
}

/** Whether this user may execute a regular file of this path. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return isFile(file);
  } catch {
    return false;
  }
}
