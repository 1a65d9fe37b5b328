// npm's packages: installed when what is there differs from the lock file, and nothing that has no digest in it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailed, must } from './command.mjs';
import { root } from './paths.mjs';

const INSTALLED_LIST = join('node_modules', '.package-lock.json');
/** No package here needs a script to be installed, so none runs one. */
const CLEAN_INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];

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
 * What the lock file names as optional and has no entry for, as `name@version`. npm leaves that behind where a registry
 * lacks the packages of other platforms. `npm ci` refuses it, and `npm install` would install it without a digest.
 */
export function missingFromLock(folder = root) {
  const lock = readLock(folder);
  const known = new Set(Object.keys(lock).map((path) => path.split('node_modules/').at(-1)));
  return Object.values(lock).flatMap(({ optionalDependencies = {} }) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !known.has(name))
      .map(([name, version]) => `${name}@${version}`),
  );
}

export const lockIsComplete = (folder = root) => missingFromLock(folder).length === 0;

/** @returns {Promise<string>} what was done, for the step's line */
export async function installDependencies(folder = root) {
  if (dependenciesAreInstalled(folder)) return 'up to date';
  const [missing] = missingFromLock(folder);
  if (missing) {
    throw new CommandFailed(
      'npm ci',
      `no entry for ${missing} in package-lock.json: see scripts/release/close-lock.mjs`,
    );
  }
  await must('npm', CLEAN_INSTALL, { cwd: folder });
  if (!dependenciesAreInstalled(folder)) throw new CommandFailed('npm ci', 'other versions than locked');
  return 'installed';
}
