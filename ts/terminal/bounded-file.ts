import { accessSync, closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** A regular file of at most so many bytes. Undefined where there is no such file, or this user may not read it. */
export function readBounded(file: string, maxBytes: number): Buffer | undefined {
  let descriptor: number;
  try {
    // A named pipe would keep the host waiting.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile() || status.size > maxBytes) return undefined;
    const content = Buffer.alloc(status.size);
    let length = 0;
    for (let count = -1; count !== 0 && length < content.length; length += count) {
      count = readSync(descriptor, content, length, content.length - length, null);
    }
    return content.subarray(0, length);
  } catch {
    return undefined; // It cannot be read: the same as none.
  } finally {
    closeSync(descriptor);
  }
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
