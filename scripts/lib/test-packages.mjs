// Packages of npm that only tests want: installed beside the repository's own, each set by a manifest of its own.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailed } from './command.mjs';
import { installDependencies } from './dependencies.mjs';
import { root, stampFolder } from './paths.mjs';

const MANIFESTS = ['package.json', 'package-lock.json', '.npmrc'];

/**
 * @param {string} name of the folder they are installed in
 * @param {string} manifests folder below test/
 * @param {string} absence what is not proven without them
 */
export function testPackages(name, manifests, absence) {
  const folder = join(stampFolder, name);
  const modules = join(folder, 'node_modules');
  return {
    /** Where they are installed; undefined where they are not. */
    modules: () => (existsSync(modules) ? modules : undefined),
    /** @returns {Promise<string>} what was done. Without a network tests are skipped, but not in CI. */
    async install() {
      mkdirSync(folder, { recursive: true });
      for (const file of MANIFESTS) {
        const from = join(root, 'test', manifests, file);
        if (existsSync(from)) copyFileSync(from, join(folder, file));
      }
      try {
        return await installDependencies(folder);
      } catch (error) {
        if (!(error instanceof CommandFailed) || process.env.CI) throw error;
        return `not to be had: ${absence}`;
      }
    },
  };
}
