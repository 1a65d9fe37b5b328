// The core that needs no machine, for browsers and the edge: crates/wasm becomes dist/wasm/handrail.wasm.
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
/** What to do where it cannot be built. */
export const GET_TARGET = `\`rustup target add ${TARGET}\`, or on Debian \`apt-get install rustc-web rust-web-src\``;

/** Of Cargo.toml. */
const PROFILE = 'wasm';

/** Vectors: every engine of the last years has them. A module cannot ask; one without them would be a second file. */
const FLAGS = '-C target-feature=+simd128';

/** Of Debian: a compiler that comes with the sources of its library, which is built for the target here. */
const DEBIAN_RUSTC = '/usr/bin/rustc';

async function printed(rustc, ...what) {
  const { code, stdout } = await run(rustc, ['--print', ...what]);
  return code === 0 ? stdout.trim() : '';
}

/** What cargo needs to build for the target; undefined where it cannot. */
async function toolchain() {
  const library = await printed('rustc', 'target-libdir', '--target', TARGET);
  if (existsSync(library)) return { args: [], env: {} };

  const sysroot = existsSync(DEBIAN_RUSTC) ? await printed(DEBIAN_RUSTC, 'sysroot') : '';
  if (!existsSync(join(sysroot, 'lib', 'rustlib', 'src', 'rust', 'library', 'std'))) return;
  const own = await printed('rustc', 'sysroot');
  return {
    args: ['-Zbuild-std=std,panic_abort'],
    env: {
      RUSTC: DEBIAN_RUSTC,
      RUSTC_BOOTSTRAP: '1',
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: join(own, 'lib', 'rustlib', await hostTriple(), 'bin', 'rust-lld'),
    },
  };
}

const wantedStamp = () => fingerprint(SOURCES, process.env.CARGO_TARGET_DIR ?? '');

/** One of other sources would answer otherwise than what is built beside it. */
export function dropStaleWasm() {
  if (!isStamped(STAMP, wantedStamp())) rmSync(wasmFile, { force: true });
}

/** @returns {Promise<string>} what was done, for the step's line. Without the target nothing is, but in CI that is a failure */
export async function buildWasm() {
  const wanted = wantedStamp();
  if (existsSync(wasmFile) && isStamped(STAMP, wanted)) return 'up to date';
  const tools = await toolchain();
  if (tools === undefined) {
    rmSync(wasmFile, { force: true });
    if (process.env.CI) throw new CommandFailed('rustc', `no ${TARGET}: ${GET_TARGET}`);
    return `SKIPPED: no ${TARGET}. To have handrail/wasm: ${GET_TARGET}`;
  }
  // Beside what is built for this machine: cargo locks a folder.
  const folder = join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'wasm');
  const args = ['build', '--profile', PROFILE, '--package', 'handrail-wasm', '--target', TARGET, ...tools.args];
  await must('cargo', [...args, ...(process.env.CI ? ['--locked'] : [])], {
    env: { ...tools.env, CARGO_TARGET_DIR: folder, CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: FLAGS },
  });
  mkdirSync(join(wasmFile, '..'), { recursive: true });
  copyFileSync(join(folder, TARGET, PROFILE, 'handrail_wasm.wasm'), `${wasmFile}.next`);
  chmodSync(`${wasmFile}.next`, 0o644);
  renameSync(`${wasmFile}.next`, wasmFile);
  writeStamp(STAMP, wanted);
  return 'built';
}
