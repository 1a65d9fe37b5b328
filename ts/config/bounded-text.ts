import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Most bytes of a file of settings that are read. */
const MAX_BYTES = 65_536;

const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;

/**
 * The beginning of a file that somebody else may have put there, such as a command: of a regular file only, so that no
 * pipe, device or file of the kernel is waited for. Undefined when there is none that this user may read.
 */
export function boundedText(file: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    const status = fstatSync(descriptor);
    if (!status.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(status.size, MAX_BYTES));
    const length = bytes.length === 0 ? 0 : readSync(descriptor, bytes);
    return bytes.toString('utf8', 0, length);
  } catch {
    return undefined; // It is missing, or this user may not read it: the caller has another place to look.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
