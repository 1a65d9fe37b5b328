// SDKs that only their types are wanted of: their programs, hundreds of megabytes, are optional packages and left out.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailed } from './command.mjs';
import { installDependencies } from './dependencies.mjs';
import { root, stampFolder } from './paths.mjs';

const MANIFESTS = join(root, 'test', 'types', 'sdks');
const FOLDER = join(stampFolder, 'sdks');

/** Where they are installed; undefined where they are not. */
export function sdkModules() {
  const modules = join(FOLDER, 'node_modules');
  return existsSync(modules) ? modules : undefined;
}

/** @returns {Promise<string>} what was done. Without a network the tests that want them are skipped, but not in CI. */
export async function installSdks() {
  mkdirSync(FOLDER, { recursive: true });
  for (const name of ['.npmrc', 'package.json', 'package-lock.json'])
    copyFileSync(join(MANIFESTS, name), join(FOLDER, name));
  try {
    return await installDependencies(FOLDER);
  } catch (error) {
    if (!(error instanceof CommandFailed) || process.env.CI) throw error;
    return 'not to be had: examples for them are not checked';
  }
}
