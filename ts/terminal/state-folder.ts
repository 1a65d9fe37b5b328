import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

import { hostTemporaryFolder } from '../config/host-environment.js';

/** Where private folders and spill files may go when the host's folder for them lies in a root. */
const ALTERNATIVES = ['/var/tmp', '/dev/shm'];

/**
 * The folder under which an engine keeps private homes and spill files: the host's folder for
 * temporary files, unless agents may work there. When every candidate lies in a root, as in the
 * root `/`, it is the host's folder after all.
 */
export function stateFolder(roots: readonly string[]): string {
  const usual = hostTemporaryFolder();
  const real = roots.map(realPath);
  return (
    [usual, ...ALTERNATIVES].find((folder) => isUsable(folder) && !real.some((root) => holds(root, folder))) ?? usual
  );
}

function holds(root: string, folder: string): boolean {
  const relative = path.relative(root, realPath(folder));
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file); // Whoever uses it will say what is wrong with it.
  }
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
