/** The folder in which the tools of one project keep their caches. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';

import { hostEnvironment } from '../config/host-environment.js';
import { ownCacheFolder } from '../config/own-folder.js';

/**
 * Makes the folder for the caches of a project, beneath the cache folder of the host's user. It outlives toolkits, and
 * no other project has it: whatever a command puts there reaches commands of this project only. Undefined where this
 * user can have none; each run then has a cache of its own.
 */
export function projectCacheFolder(workspace: string): string | undefined {
  const real = realPath(workspace);
  if (real === undefined) return undefined;
  const digest = createHash('sha256').update(real).digest('hex').slice(0, 32);
  return ownCacheFolder(hostEnvironment(), 'handrail', 'projects', digest);
}

function realPath(workspace: string): string | undefined {
  try {
    return realpathSync(workspace);
  } catch {
    return undefined; // The workspace itself is checked elsewhere.
  }
}
