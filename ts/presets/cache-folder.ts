/** The folder in which the tools of one project keep their caches. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';

import { hostEnvironment, hostHome } from '../config/host-environment.js';

const OTHERS_WRITE = 0o022;

/**
 * Makes the folder for the caches of a project, beneath the cache folder of the host's user. It outlives toolkits, and
 * no other project has it: whatever a command puts there reaches commands of this project only. Undefined where this
 * user can have none; each run then has a cache of its own.
 */
export function projectCacheFolder(workspace: string): string | undefined {
  const { XDG_CACHE_HOME: given = '' } = hostEnvironment();
  const home = hostHome();
  const base = path.isAbsolute(given) ? given : home && path.join(home, '.cache');
  if (base === undefined) return undefined;
  try {
    makeFolder(base);
    const digest = createHash('sha256').update(realpathSync(workspace)).digest('hex').slice(0, 32);
    return ['handrail', 'projects', digest].reduce(ownFolder, realpathSync(base));
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
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
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
