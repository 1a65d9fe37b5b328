// Installs npm packages when the installed ones differ from the lock file. A package without a digest in it is refused.
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailed, must } from './command.mjs';
import { root } from './paths.mjs';

const INSTALLED_LIST = join('node_modules', '.package-lock.json');
/** No package here needs its install scripts, so none runs. */
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
 * Optional packages that the lock file names but has no entry for, as `name@version`. npm writes such a lock file where a
 * registry lacks the packages of other platforms. `npm ci` refuses it; `npm install` would install them without a digest.
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

/** Installs the packages of `folder`. @returns {Promise<string>} `installed` or `up to date` */
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

/** Copies the manifest and the lock file from `manifests` to `folder`, and installs their packages there. */
export async function installFrom(manifests, folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
    const file = join(manifests, name);
    if (existsSync(file)) copyFileSync(file, join(folder, name));
  }
  return await installDependencies(folder);
}
