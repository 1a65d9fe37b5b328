// Builds the WASM module, the part of the core without IO, for browsers and edge hosts: dist/wasm/handrail.wasm.
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailed, must, run } from './command.mjs';
import { fingerprint, isStamped, writeStamp } from './fingerprint.mjs';
import { distFolder, root, stampFolder } from './paths.mjs';
import { hostTriple } from './toolchain.mjs';

const TARGET = 'wasm32-unknown-unknown';
const PURE_CRATES = ['policy', 'redact', 'reports', 'text', 'wasm'].map((name) => `crates/${name}`);
const SOURCES = [...PURE_CRATES, 'Cargo.toml', 'Cargo.lock', 'scripts/lib/wasm.mjs'];
const STAMP = join(stampFolder, 'wasm');

export const wasmFile = join(distFolder, 'wasm', 'handrail.wasm');
/** How to install the compiler target where it is missing. */
export const GET_TARGET = `\`rustup target add ${TARGET}\`, or on Debian \`apt-get install rustc-web rust-web-src\``;

/** The profile of Cargo.toml that is used. */
const PROFILE = 'wasm';

/** All current engines support SIMD. A module cannot detect it, so support for older engines would need a second module. */
const FLAGS = '-C target-feature=+simd128';

/** Debian's compiler has the sources of its standard library, which can be built for the WASM target. */
const DEBIAN_RUSTC = '/usr/bin/rustc';

async function rustcValue(rustc, ...names) {
  const { code, stdout } = await run(rustc, ['--print', ...names]);
  return code === 0 ? stdout.trim() : '';
}

/** The arguments and variables with which cargo can build for the target; undefined where it cannot. */
async function toolchain() {
  const library = await rustcValue('rustc', 'target-libdir', '--target', TARGET);
  if (existsSync(library)) return { args: [], env: {} };

  const sysroot = existsSync(DEBIAN_RUSTC) ? await rustcValue(DEBIAN_RUSTC, 'sysroot') : '';
  if (!existsSync(join(sysroot, 'lib', 'rustlib', 'src', 'rust', 'library', 'std'))) return;
  const own = await rustcValue('rustc', 'sysroot');
  return {
    args: ['-Zbuild-std=std,panic_abort'],
    env: {
      RUSTC: DEBIAN_RUSTC,
      RUSTC_BOOTSTRAP: '1',
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: join(own, 'lib', 'rustlib', await hostTriple(), 'bin', 'rust-lld'),
    },
  };
}

const currentStamp = () => fingerprint(SOURCES, process.env.CARGO_TARGET_DIR ?? '');

/** Removes a module that was built from other sources, as its results could differ from the native ones. */
export function dropStaleWasm() {
  if (!isStamped(STAMP, currentStamp())) rmSync(wasmFile, { force: true });
}

/** @returns {Promise<string>} a remark for the step. Where the target is missing nothing is built; in CI that is a failure */
export async function buildWasm() {
  const stamp = currentStamp();
  if (existsSync(wasmFile) && isStamped(STAMP, stamp)) return 'up to date';
  const tools = await toolchain();
  if (tools === undefined) {
    rmSync(wasmFile, { force: true });
    if (process.env.CI) throw new CommandFailed('rustc', `no ${TARGET}: ${GET_TARGET}`);
    return `SKIPPED: no ${TARGET}. To have handrail/wasm: ${GET_TARGET}`;
  }
  // A separate target folder: cargo locks its folder, and the native build runs at the same time.
  const folder = join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'wasm');
  const args = ['build', '--profile', PROFILE, '--package', 'handrail-wasm', '--target', TARGET, ...tools.args];
  await must('cargo', [...args, ...(process.env.CI ? ['--locked'] : [])], {
    env: { ...tools.env, CARGO_TARGET_DIR: folder, CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: FLAGS },
  });
  mkdirSync(join(wasmFile, '..'), { recursive: true });
  copyFileSync(join(folder, TARGET, PROFILE, 'handrail_wasm.wasm'), `${wasmFile}.next`);
  chmodSync(`${wasmFile}.next`, 0o644);
  renameSync(`${wasmFile}.next`, wasmFile);
  writeStamp(STAMP, stamp);
  return 'built';
}
