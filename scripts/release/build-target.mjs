// node scripts/release/build-target.mjs --target RUST_TARGET [--out DIR]: builds the binding and the supervisor for one
// published platform into DIR/<triple>/, where `scripts/package.mjs --natives DIR` looks for them.
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandFailed } from '../lib/command.mjs';
import { installDependencies } from '../lib/dependencies.mjs';
import { artifactFolder, buildInto } from '../lib/native.mjs';
import { bindingName, TARGETS } from '../lib/package/targets.mjs';
import { root, supervisorName } from '../lib/paths.mjs';
import { fail, say } from '../lib/steps.mjs';
import { GLIBC_FLOOR } from './binary.mjs';

/** target/ is ignored by git and never published. */
const DEFAULT_OUT = join(root, 'target', 'natives');

/**
 * The arguments of `napi build` for a platform. Linux targets are cross-compiled with cargo-zigbuild, macOS targets are built on
 * macOS. Without a glibc version in the target, the files would require the glibc of the build machine.
 */
function targetArgs({ rust, os, libc }) {
  if (os === 'darwin') return ['--target', rust];
  return ['--cross-compile', '--target', libc === 'glibc' ? `${rust}.${GLIBC_FLOOR.join('.')}` : rust];
}

function readOptions() {
  const known = TARGETS.map(({ rust }) => rust).join(', ');
  try {
    const options = { target: { type: 'string' }, out: { type: 'string', default: DEFAULT_OUT } };
    const { target: rustTarget, out } = parseArgs({ options }).values;
    const target = TARGETS.find(({ rust }) => rust === rustTarget);
    return target ? { target, out: resolve(out) } : fail(`--target takes one of ${known}; got ${rustTarget ?? 'none'}`);
  } catch (error) {
    return fail(error.message);
  }
}

async function buildTarget(target, out) {
  await installDependencies();
  const binding = bindingName(target.triple);
  const folder = join(out, target.triple);
  const scratch = mkdtempSync(join(tmpdir(), 'handrail-target-'));
  try {
    await buildInto(scratch, targetArgs(target));
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(scratch, binding), join(folder, binding));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const supervisor = join(folder, supervisorName);
  copyFileSync(join(await artifactFolder(target.rust), supervisorName), supervisor);
  chmodSync(supervisor, 0o755);
  say(`${binding} and ${supervisorName} are in ${folder}`);
}

const { target, out } = readOptions();
try {
  await buildTarget(target, out);
} catch (error) {
  if (error instanceof CommandFailed) fail(`build for ${target.triple} failed: ${error.message}`);
  throw error;
}
