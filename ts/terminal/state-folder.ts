import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

import { hostTemporaryFolder } from '../config/host-environment.js';

/** Folders for private homes and spill files when the host's temporary folder lies in a root. */
const ALTERNATIVE_FOLDERS = ['/var/tmp', '/dev/shm'];

/**
 * The folder in which an engine keeps private homes and spill files: the host's temporary folder, unless that lies in a
 * root. When every candidate lies in a root, as with the root `/`, it is the host's temporary folder after all.
 */
export function stateFolder(roots: readonly string[]): string {
  return folderOutside(roots, []) ?? hostTemporaryFolder();
}

/**
 * The first of these folders, and else of those for private homes, that can be written to and lies in no root. Undefined
 * where there is none.
 */
export function folderOutside(roots: readonly string[], preferred: readonly string[]): string | undefined {
  const resolvedRoots = roots.map(realPath);
  return foldersOutside(preferred).find(
    (folder) => isUsable(folder) && !resolvedRoots.some((root) => isInRoot(root, folder)),
  );
}

/** The folders that `folderOutside` chooses from. */
export function foldersOutside(preferred: readonly string[]): readonly string[] {
  return [...preferred, hostTemporaryFolder(), ...ALTERNATIVE_FOLDERS];
}

function isInRoot(root: string, folder: string): boolean {
  const relative = path.relative(root, realPath(folder));
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file); // The caller that opens the folder reports what is wrong with it.
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
