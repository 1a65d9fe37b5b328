// Checks the prerequisites: Node and a Rust toolchain with a linker. The scripts install all other tools.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './command.mjs';
import { root } from './paths.mjs';
import { compareVersions, satisfies } from './version.mjs';

const GET_NODE =
  'Get it from https://nodejs.org (an even-numbered release), or with a version manager such as nvm or fnm.';
const GET_RUST = 'Get it from https://rustup.rs, or update it with `rustup update stable`.';
const GET_LINKER = 'Install a C tool chain (Debian and Ubuntu: `apt-get install build-essential`).';

/** The required versions, read from package.json and Cargo.toml, which npm and cargo read, too. */
export function requirements(folder = root) {
  const { engines } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const rust = /rust-version = "([^"]+)"/.exec(readFileSync(join(folder, 'Cargo.toml'), 'utf8'));
  return { node: engines.node, rust: rust?.[1] ?? '0' };
}

/**
 * Problems with the toolchain, one sentence each that includes the remedy.
 *
 * @returns {Promise<string[]>}
 */
export async function toolchainProblems(needed = requirements()) {
  const problems = [];
  if (process.platform !== 'linux') problems.push(`Handrail runs on Linux for now; this is ${process.platform}.`);
  if (!satisfies(process.versions.node, needed.node)) {
    problems.push(`Node ${process.versions.node} does not fit: ${needed.node} is needed. ${GET_NODE}`);
  }
  const [rustc, cargo, linker] = await Promise.all([
    run('rustc', ['--version']),
    run('cargo', ['--version']),
    run('cc', ['--version']),
  ]);
  if (rustc.code !== 0 || cargo.code !== 0) {
    const missing = [rustc.code === 0 ? '' : 'rustc', cargo.code === 0 ? '' : 'cargo'].filter(Boolean).join(' and ');
    problems.push(`${missing} not found: Rust ${needed.rust} or newer is needed. ${GET_RUST}`);
  } else {
    const version = rustc.stdout.split(' ')[1] ?? '0';
    if (compareVersions(version, needed.rust) < 0) {
      problems.push(`rustc ${version} is too old: ${needed.rust} or newer is needed. ${GET_RUST}`);
    }
  }
  if (linker.code !== 0) problems.push(`cc not found: Rust needs a linker. ${GET_LINKER}`);
  return problems;
}

/** The target triple of this machine, e.g. `x86_64-unknown-linux-gnu`. */
export async function hostTriple() {
  const { stdout } = await run('rustc', ['-vV']);
  const host = /^host: (.+)$/m.exec(stdout);
  if (!host) throw new Error('rustc -vV names no host');
  return host[1];
}
