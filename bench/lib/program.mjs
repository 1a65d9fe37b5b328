// Builds the Rust programs of the workspace that only benchmarks use.
import { join } from 'node:path';
import { must } from '../../scripts/lib/command.mjs';
import { artifactFolder } from '../../scripts/lib/native.mjs';
import { hostTriple } from '../../scripts/lib/toolchain.mjs';

/** Builds a program when it is older than its sources. @returns {Promise<string>} its path */
export async function buildProgram(name) {
  const locked = process.env.CI ? ['--locked'] : [];
  const target = ['--release', '--target', await hostTriple(), ...locked];
  await must('cargo', ['build', '--quiet', '--package', name, ...target]);
  return join(await artifactFolder(), name);
}
