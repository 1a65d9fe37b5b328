// npm run build: builds all files that Handrail needs at run time, also in a fresh clone.
import { pathToFileURL } from 'node:url';
import { CommandFailed } from './lib/command.mjs';
import { installDependencies } from './lib/dependencies.mjs';
import { buildNative } from './lib/native.mjs';
import { fail, heading, step } from './lib/steps.mjs';
import { toolchainProblems } from './lib/toolchain.mjs';
import { buildTypeScript } from './lib/typescript.mjs';
import { buildWasm, dropStaleWasm } from './lib/wasm.mjs';

/** Runs builds in parallel, as each keeps only one core busy for part of its time. Rejects after all of them have ended. */
async function buildInParallel(builds) {
  const outcomes = await Promise.allSettled(builds.map((build) => build()));
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
  return [...new Set(outcomes.map(({ value }) => value))].join('; ');
}

/** Checks the prerequisites, then builds each part that is missing or older than its sources. Ends the process on failure. */
export async function build(options = { wasm: true }) {
  heading('build');
  const problems = await toolchainProblems();
  if (problems.length > 0) fail(problems.join('\n'));
  try {
    await step('npm packages', installDependencies);
    if (!options.wasm) dropStaleWasm();
    const crates = options.wasm ? [buildNative, buildWasm] : [buildNative];
    await step(`native files${options.wasm ? ', WASM module' : ''} (cargo)`, () => buildInParallel(crates));
    await step('TypeScript (tsc)', buildTypeScript);
  } catch (error) {
    if (error instanceof CommandFailed) fail(`build failed: ${error.message}`);
    throw error;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await build();
