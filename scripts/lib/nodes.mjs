// Other releases of Node, to prove the package on: npm has them as packages.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { testPackages } from './test-packages.mjs';

const PACKAGES = testPackages('nodes', 'package/nodes', 'the package is proven on this Node only');

/** The major releases that manifest names. */
export const NODE_MAJORS = Object.freeze([20, 22, 24]);

/** The program of a release, when it was installed. */
export function nodeProgram(major) {
  const file = join(PACKAGES.modules() ?? '', `node${major}`, 'bin', 'node');
  return existsSync(file) ? file : undefined;
}

export const installNodes = PACKAGES.install;
