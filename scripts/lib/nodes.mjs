// Other releases of Node, to prove the package on: npm has them as packages.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailed } from './command.mjs';
import { installDependencies } from './dependencies.mjs';
import { root, stampFolder } from './paths.mjs';

const MANIFESTS = join(root, 'test', 'package', 'nodes');
const FOLDER = join(stampFolder, 'nodes');

/** The major releases that manifest names. */
export const NODE_MAJORS = Object.freeze([20, 22, 24]);

/** The program of a release, when it was installed. */
export function nodeProgram(major) {
  const file = join(FOLDER, 'node_modules', `node${major}`, 'bin', 'node');
  return existsSync(file) ? file : undefined;
}

/** @returns {Promise<string>} what was done. Without a network the tests that want them are skipped, but not in CI. */
export async function installNodes() {
  mkdirSync(FOLDER, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(MANIFESTS, name), join(FOLDER, name));
  try {
    return await installDependencies(FOLDER);
  } catch (error) {
    if (!(error instanceof CommandFailed) || process.env.CI) throw error;
    return 'not to be had: the package is proven on this Node only';
  }
}
