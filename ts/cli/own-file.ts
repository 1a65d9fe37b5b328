/** Files that decide what may run. Only the user who reads them may be able to write them. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { UsageError } from './usage-error.js';

/** Largest file that decides what may run, in bytes. */
export const MAX_OWN_FILE_BYTES = 64 * 1_024;

const WRITABLE_BY_OTHERS = 0o002;
const WRITABLE_BY_GROUP = 0o020;

/**
 * The content of the file. Its owner and mode are checked after it was opened, so that it cannot be exchanged in
 * between.
 *
 * @param name Its name in messages.
 * @throws UsageError when it cannot be read, or when another user could have written it.
 */
export function readFileOfThisUser(file: string, name: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    assertOwnFile(fstatSync(descriptor), name);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(descriptor));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason is known';
    throw configError(`${name} cannot be read (${code})`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function assertOwnFile(status: Stats, name: string): void {
  const { mode, uid, gid, size } = status;
  if (!status.isFile()) throw configError(`${name} is no file`);
  if (uid !== process.geteuid?.()) throw configError(`${name} belongs to another user`);
  // Many systems give each user a group of the same name, so the user's own group may write.
  const isOpen = (mode & WRITABLE_BY_OTHERS) !== 0 || ((mode & WRITABLE_BY_GROUP) !== 0 && gid !== process.getegid?.());
  if (isOpen) throw configError(`${name} can be written by other users; chmod go-w takes that away`);
  if (size > MAX_OWN_FILE_BYTES) throw configError(`${name} has more than ${MAX_OWN_FILE_BYTES} bytes`);
}

/** The error for a configuration that cannot be used. */
export function configError(message: string): UsageError {
  return new UsageError(message, 'ERR_INVALID_CONFIG');
}
