// npm's packages: installed when what is there differs from the lock file.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from './command.mjs';
import { root } from './paths.mjs';

const INSTALLED_LIST = join('node_modules', '.package-lock.json');

/** True when every package of the lock file that belongs on this machine is installed in its version. */
export function dependenciesAreInstalled(folder = root) {
  const installedList = join(folder, INSTALLED_LIST);
  if (!existsSync(installedList)) return false;
  const wanted = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedList, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional || entry.devOptional || installed[path]?.version === entry.version,
  );
}

/** @returns {Promise<string>} what was done, for the step's line */
export async function installDependencies() {
  if (dependenciesAreInstalled()) return 'up to date';
  await must('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root });
  return 'installed';
}
