import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';

import { type Environment, hostEnvironment, hostHome } from './host-environment.js';

const OTHERS_WRITE = 0o022;

/**
 * Makes a folder beneath the cache folder of the host's user (`XDG_CACHE_HOME`, else `~/.cache`), each part of which
 * only this user writes to. Undefined where this user can have none.
 */
export function ownCacheFolder(host: Environment, ...names: readonly string[]): string | undefined {
  const { XDG_CACHE_HOME: given = '' } = host;
  const home = hostHome();
  const base = path.isAbsolute(given) ? given : home && path.join(home, '.cache');
  if (base === undefined) return undefined;
  try {
    makeFolder(base);
    return names.reduce(ownFolder, realpathSync(base));
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** A folder in the user's folder for state (`XDG_STATE_HOME`, else `~/.local/state`). Undefined where the user has none. */
export function userStateFolder(name: string): string | undefined {
  const home = hostHome();
  return namedStateFolder(name) ?? (home && path.join(home, '.local/state', name));
}

/** The same where `XDG_STATE_HOME` names one. */
export function namedStateFolder(name: string): string | undefined {
  const { XDG_STATE_HOME: given = '' } = hostEnvironment();
  return path.isAbsolute(given) ? path.join(given, name) : undefined;
}

/** Makes a folder that only this user writes to, or fails with a code as the system does. */
function ownFolder(above: string, name: string): string {
  const folder = path.join(above, name);
  makeFolder(folder);
  const { uid, mode } = lstatSync(folder);
  if (uid !== process.geteuid?.() || (mode & OTHERS_WRITE) !== 0) {
    throw Object.assign(new Error(`${folder} belongs to others`), { code: 'EPERM' });
  }
  return folder;
}

/** Makes one folder where there is none. With `recursive`, Node never returns where a file system makes none. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
