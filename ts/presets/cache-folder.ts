/** The folder in which the tools of one project keep their caches. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import path from 'node:path';

import { hostEnvironment } from '../config/host-environment.js';
import { makeFolder, ownCacheFolder } from '../config/own-folder.js';

/**
 * Makes the folder for the caches of a project, beneath the cache folder of the host's user. It outlives toolkits, and
 * no other project has it: whatever a command puts there reaches commands of this project only. Undefined where this
 * user can have none; each run then has a cache of its own.
 *
 * @param programFolders Names of folders in it whose programs may run. They are made as well: the kernel executes what
 * lies in a folder that was there when a run started.
 */
export function projectCacheFolder(workspace: string, programFolders: readonly string[]): string | undefined {
  const real = realPath(workspace);
  if (real === undefined) return undefined;
  const digest = createHash('sha256').update(real).digest('hex').slice(0, 32);
  const folder = ownCacheFolder(hostEnvironment(), 'handrail', 'projects', digest);
  // Commands write in that folder: nothing is made deeper in it, where a link could lead elsewhere.
  if (folder !== undefined) for (const name of programFolders) makeWherePossible(path.join(folder, name));
  return folder;
}

/** Without the folder its programs do not run, and nothing else is missing. */
function makeWherePossible(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

function realPath(workspace: string): string | undefined {
  try {
    return realpathSync(workspace);
  } catch {
    return undefined; // The workspace itself is checked elsewhere.
  }
}
