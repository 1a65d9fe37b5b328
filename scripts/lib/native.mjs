// Builds the Rust part, the N-API binding and the supervisor, into dist/native.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { must } from './command.mjs';
import { fingerprint, isStamped, writeStamp } from './fingerprint.mjs';
import { localProgram, nativeFolder, root, stampFolder, supervisorName } from './paths.mjs';
import { hostTriple } from './toolchain.mjs';

const SOURCES = ['crates', 'Cargo.toml', 'Cargo.lock', 'scripts/lib/native.mjs'];
const STAMP = join(stampFolder, 'native');
const DECLARATIONS = 'generated.d.ts';
const TYPES_FILE = join(root, 'ts', 'native', 'generated.ts');
const HEADER = '// Generated from crates/node by `npm run build`. Do not edit.\n';

/** The folder of cargo's output for the target triple `target`, by default that of this machine. */
export async function artifactFolder(target) {
  const { stdout } = await must('cargo', ['metadata', '--format-version', '1', '--no-deps']);
  return join(JSON.parse(stdout).target_directory, target ?? (await hostTriple()), 'release');
}

const locked = () => (process.env.CI ? ['--locked'] : []);

/**
 * One cargo call: the binding and its declarations into `scratch`, the other packages into `artifactFolder`.
 *
 * @param {string} scratch an empty folder
 * @param {string[]} [targetArgs] further arguments of `napi build` for another target
 * @param {string[]} [others] names of packages
 */
export async function buildInto(scratch, targetArgs = [], others = [supervisorName]) {
  const config = join(scratch, 'napi.json');
  writeFileSync(config, JSON.stringify({ binaryName: 'handrail' }));
  await must(localProgram('napi'), [
    'build',
    ...['--platform', '--release', '--no-js', '--no-const-enum', ...targetArgs],
    ...['--config-path', config, '--manifest-path', 'Cargo.toml', '--package', 'handrail-node'],
    ...['--output-dir', scratch, '--dts', DECLARATIONS],
    ...['--', ...others.flatMap((name) => ['--package', name])],
    ...locked(),
  ]);
}

/** Builds the supervisor optimised across crates, whatever the profile says: it takes seconds and makes it a sixth smaller. */
async function buildSupervisor() {
  const args = ['build', '--release', '--package', supervisorName, '--target', await hostTriple(), ...locked()];
  await must('cargo', args, { env: { CARGO_PROFILE_RELEASE_LTO: 'fat' } });
}

/** Replaces a file by a rename. A process that has the old file mapped keeps it, and none sees a part of the new one. */
function replaceFile(from, to) {
  const next = `${to}.${process.pid}.next`;
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, next);
  renameSync(next, to);
}

/** Writes the types of the binding. Reports are passed as JSON; their types are generated from crates/reports and imported. */
function replaceDeclarations(from) {
  const declarations = readFileSync(from, 'utf8').replace(/^\/\*[\s\S]*?\*\/\n/, '');
  const reports = new Set([...declarations.matchAll(/\bJson<(\w+)/g)].map(([, name]) => name));
  const imported = ['Json', ...[...reports].sort()].join(', ');
  const text = `${HEADER}import type { ${imported} } from './reports.js';\n\n${declarations.trimStart()}`;
  if (!existsSync(TYPES_FILE) || readFileSync(TYPES_FILE, 'utf8') !== text) writeFileSync(TYPES_FILE, text);
}

function isBuilt() {
  const names = existsSync(nativeFolder) ? readdirSync(nativeFolder) : [];
  return names.includes(supervisorName) && names.some((name) => name.endsWith('.node'));
}

/** @returns {Promise<string>} `built` or `up to date` */
export async function buildNative() {
  const { CARGO_TARGET_DIR = '', CARGO_PROFILE_RELEASE_LTO = '' } = process.env;
  const currentFingerprint = fingerprint(SOURCES, `${CARGO_TARGET_DIR}\n${CARGO_PROFILE_RELEASE_LTO}`);
  if (isBuilt() && isStamped(STAMP, currentFingerprint)) return 'up to date';

  const scratch = join(nativeFolder, `.build-${process.pid}`);
  mkdirSync(scratch, { recursive: true });
  try {
    const isOtherwise = CARGO_PROFILE_RELEASE_LTO !== '';
    await buildInto(scratch, [], isOtherwise ? [] : [supervisorName]);
    if (isOtherwise) await buildSupervisor();
    for (const name of readdirSync(scratch).filter((name) => name.endsWith('.node'))) {
      replaceFile(join(scratch, name), join(nativeFolder, name));
    }
    replaceDeclarations(join(scratch, DECLARATIONS));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  replaceFile(join(await artifactFolder(), supervisorName), join(nativeFolder, supervisorName));
  writeStamp(STAMP, currentFingerprint);
  return 'built';
}
