// Other releases of Node on which the package is tested. npm has them as packages.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { testPackages } from './test-packages.mjs';

const PACKAGES = testPackages('nodes', 'package/nodes', 'the package is tested on this Node only');

/** The major releases of Node that the manifest of these packages lists. */
export const NODE_MAJORS = Object.freeze([20, 22, 24]);

/** The path of a release's program; undefined when it is not installed. */
export function nodeProgram(major) {
  const file = join(PACKAGES.modules() ?? '', `node${major}`, 'bin', 'node');
  return existsSync(file) ? file : undefined;
}

export const installNodes = PACKAGES.install;
