// Where things are. Every script starts from here, so that none depends on the folder it was called from.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const distFolder = join(root, 'dist');
export const nativeFolder = join(distFolder, 'native');
/** What was built from what. Outside of dist/, which is published. */
export const stampFolder = join(root, 'node_modules', '.cache', 'handrail');
export const supervisorName = 'handrail-supervisor';

/** A program of a development dependency, e.g. `tsc`. */
export function localProgram(name) {
  return join(root, 'node_modules', '.bin', name);
}
