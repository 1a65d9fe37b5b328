// npm run build: everything that running Handrail needs, from a bare clone.
import { pathToFileURL } from 'node:url';
import { CommandFailed } from './lib/command.mjs';
import { installDependencies } from './lib/dependencies.mjs';
import { buildNative } from './lib/native.mjs';
import { fail, heading, step } from './lib/steps.mjs';
import { toolchainProblems } from './lib/toolchain.mjs';
import { buildTypeScript } from './lib/typescript.mjs';
import { buildWasm } from './lib/wasm.mjs';

/** Checks the prerequisites, then builds what is missing or older than its sources. Ends the process on failure. */
export async function build(options = { wasm: true }) {
  heading('build');
  const problems = await toolchainProblems();
  if (problems.length > 0) fail(problems.join('\n'));
  try {
    await step('npm packages', installDependencies);
    await step('binding and supervisor (cargo)', buildNative);
    await step('TypeScript (tsc)', buildTypeScript);
    if (options.wasm) await step('WASM module (cargo)', buildWasm);
  } catch (error) {
    if (error instanceof CommandFailed) fail(`build failed: ${error.message}`);
    throw error;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await build();
