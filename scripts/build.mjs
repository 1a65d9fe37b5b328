// npm run build: everything that running Handrail needs, from a bare clone.
import { pathToFileURL } from 'node:url';
import { CommandFailed } from './lib/command.mjs';
import { installDependencies } from './lib/dependencies.mjs';
import { buildNative } from './lib/native.mjs';
import { fail, heading, step } from './lib/steps.mjs';
import { toolchainProblems } from './lib/toolchain.mjs';
import { buildTypeScript } from './lib/typescript.mjs';
import { buildWasm, dropStaleWasm } from './lib/wasm.mjs';

/** Each has a while in which only one core works. All have ended when one has failed. */
async function sideBySide(builds) {
  const outcomes = await Promise.allSettled(builds.map((build) => build()));
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
  return [...new Set(outcomes.map(({ value }) => value))].join('; ');
}

/** Checks the prerequisites, then builds what is missing or older than its sources. Ends the process on failure. */
export async function build(options = { wasm: true }) {
  heading('build');
  const problems = await toolchainProblems();
  if (problems.length > 0) fail(problems.join('\n'));
  try {
    await step('npm packages', installDependencies);
    if (!options.wasm) dropStaleWasm();
    const crates = options.wasm ? [buildNative, buildWasm] : [buildNative];
    await step(`native files${options.wasm ? ', WASM module' : ''} (cargo)`, () => sideBySide(crates));
    await step('TypeScript (tsc)', buildTypeScript);
  } catch (error) {
    if (error instanceof CommandFailed) fail(`build failed: ${error.message}`);
    throw error;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await build();
