// Paths of this repository, so that scripts do not depend on their working directory.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const distFolder = join(root, 'dist');
export const nativeFolder = join(distFolder, 'native');
/** Stamps of builds, and caches. They are outside of dist/, which is published. */
export const stampFolder = join(root, 'node_modules', '.cache', 'handrail');
export const supervisorName = 'handrail-supervisor';

/** The path of a program of a development dependency, e.g. `tsc`. */
export function localProgram(name) {
  return join(root, 'node_modules', '.bin', name);
}
