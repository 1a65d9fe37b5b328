/** Files that decide what may run. Only the user who reads them may be able to write them. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import path from 'node:path';
import { HandrailError, isHandrailError } from '../errors.js';
import { hostEnvironment, hostHome } from './host-environment.js';

const WRITABLE_BY_OTHERS = 0o002;
const WRITABLE_BY_GROUP = 0o020;

/** A file in the folder of the user's decisions (`XDG_CONFIG_HOME`, else `~/.config`). Undefined where the user has none. */
export function decisionFile(name: string): string | undefined {
  const { XDG_CONFIG_HOME: given = '' } = hostEnvironment();
  const home = hostHome();
  const folder = path.isAbsolute(given) ? given : home && path.join(home, '.config');
  return folder === undefined ? undefined : path.join(folder, 'handrail', name);
}

/**
 * The content of the file. Its owner and mode are checked after it was opened, so that it cannot be exchanged in
 * between.
 *
 * @param name Its name in messages.
 * @throws HandrailError `ERR_INVALID_CONFIG` when it cannot be read, or when another user could have written it.
 */
export function readOwnFile(file: string, name: string, maxBytes: number): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    assertOwnFile(fstatSync(descriptor), name, maxBytes);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(descriptor));
  } catch (error) {
    if (isHandrailError(error)) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason is known';
    throw configError(`${name} cannot be read (${code})`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function assertOwnFile(status: Stats, name: string, maxBytes: number): void {
  const { mode, uid, gid, size } = status;
  if (!status.isFile()) throw configError(`${name} is no file`);
  if (uid !== process.geteuid?.()) throw configError(`${name} belongs to another user`);
  // Many systems give each user a group of the same name, so the user's own group may write.
  const isOpen = (mode & WRITABLE_BY_OTHERS) !== 0 || ((mode & WRITABLE_BY_GROUP) !== 0 && gid !== process.getegid?.());
  if (isOpen) throw configError(`${name} can be written by other users; chmod go-w takes that away`);
  if (size > maxBytes) throw configError(`${name} has more than ${maxBytes} bytes`);
}

function configError(message: string): HandrailError {
  return new HandrailError('ERR_INVALID_CONFIG', message);
}
