// npm packages that only some tests need. Each set has its own manifest and lock file below test/, and is installed in the cache.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailed } from './command.mjs';
import { installFrom } from './dependencies.mjs';
import { root, stampFolder } from './paths.mjs';

/**
 * @param {string} name of the folder they are installed in
 * @param {string} manifests folder below test/ with the manifest and the lock file
 * @param {string} untested what stays untested without the packages
 */
export function testPackages(name, manifests, untested) {
  const folder = join(stampFolder, name);
  const modules = join(folder, 'node_modules');
  return {
    /** Where they are installed; undefined where they are not. */
    modules: () => (existsSync(modules) ? modules : undefined),
    /** @returns {Promise<string>} a remark for the step. Without a network the tests are skipped; in CI that is an error. */
    async install() {
      try {
        return await installFrom(join(root, 'test', manifests), folder);
      } catch (error) {
        if (!(error instanceof CommandFailed) || process.env.CI) throw error;
        return `not available: ${untested}`;
      }
    },
  };
}
