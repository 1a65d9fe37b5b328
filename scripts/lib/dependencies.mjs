// npm's packages: installed when what is there differs from the lock file.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailed, must } from './command.mjs';
import { root } from './paths.mjs';

const INSTALLED_LIST = join('node_modules', '.package-lock.json');
const QUIET = ['--no-audit', '--no-fund'];

function readLock(folder) {
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
}

/** True when every package of the lock file that belongs on this machine is installed in its version. */
export function dependenciesAreInstalled(folder = root) {
  const installedList = join(folder, INSTALLED_LIST);
  if (!existsSync(installedList)) return false;
  const installed = JSON.parse(readFileSync(installedList, 'utf8')).packages;
  return Object.entries(readLock(folder)).every(
    ([path, entry]) => path === '' || entry.optional || entry.devOptional || installed[path]?.version === entry.version,
  );
}

/**
 * True when the lock file has an entry for every optional package. One that was made where a registry lacks the packages
 * of other platforms has not, and `npm ci` refuses it.
 */
export function lockIsComplete(folder = root) {
  const lock = readLock(folder);
  const known = new Set(Object.keys(lock).map((path) => path.split('node_modules/').at(-1)));
  return Object.values(lock).every(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies).every((name) => known.has(name)),
  );
}

/** @returns {Promise<string>} what was done, for the step's line */
export async function installDependencies(folder = root) {
  if (dependenciesAreInstalled(folder)) return 'up to date';
  // Both install the versions of the lock file and leave it as it is.
  const args = lockIsComplete(folder) ? ['ci'] : ['install', '--no-save'];
  await must('npm', [...args, ...QUIET], { cwd: folder });
  if (!dependenciesAreInstalled(folder)) throw new CommandFailed(`npm ${args.join(' ')}`, 'other versions than locked');
  return 'installed';
}
