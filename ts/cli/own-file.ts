/** Files that decide what may run: nobody but their reader may have written them. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { UsageError } from './usage-error.js';

/** Largest of these files, in bytes. */
export const MAX_OWN_BYTES = 64 * 1_024;

const WRITABLE_BY_OTHERS = 0o002;
const WRITABLE_BY_GROUP = 0o020;

/**
 * What is in the file, which is looked at after it was opened: its name may lead elsewhere meanwhile.
 *
 * @param name What messages call it.
 * @throws UsageError when it cannot be read, or somebody else could have written it.
 */
export function ownText(file: string, name: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    assertOwn(fstatSync(descriptor), name);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(descriptor));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason is known';
    throw mistake(`${name} cannot be read (${code})`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function assertOwn(status: Stats, name: string): void {
  const { mode, uid, gid, size } = status;
  if (!status.isFile()) throw mistake(`${name} is no file`);
  if (uid !== process.geteuid?.()) throw mistake(`${name} belongs to another user`);
  // A group of its own is what many systems give each user.
  const isOpen = (mode & WRITABLE_BY_OTHERS) !== 0 || ((mode & WRITABLE_BY_GROUP) !== 0 && gid !== process.getegid?.());
  if (isOpen) throw mistake(`${name} can be written by other users; chmod go-w takes that away`);
  if (size > MAX_OWN_BYTES) throw mistake(`${name} has more than ${MAX_OWN_BYTES} bytes`);
}

/** A configuration that cannot be used. */
export function mistake(message: string): UsageError {
  return new UsageError(message, 'ERR_INVALID_CONFIG');
}
