// npm test: builds, then runs every check of the repository. `npm test -- --only rust|ts|lint` runs a part.
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import * as checks from './lib/checks.mjs';
import { installHosts } from './lib/hosts.mjs';
import { installNodes } from './lib/nodes.mjs';
import { installSdks } from './lib/sdks.mjs';
import { fail, step } from './lib/steps.mjs';
import { runSuite } from './lib/suite.mjs';

/** Two lists that run in parallel. The checks of cargo stay in one list, as cargo locks its target folder. */
const PARALLEL_CHECKS = [
  [
    { name: 'cargo fmt', parts: ['rust', 'lint'], run: checks.rustFormat },
    { name: 'cargo clippy', parts: ['rust', 'lint'], run: checks.clippy },
    { name: 'cargo test', parts: ['rust'], run: () => checks.cargoTest() },
  ],
  [
    { name: 'biome', parts: ['ts', 'lint'], run: checks.biome },
    { name: 'types (tsc)', parts: ['ts', 'lint'], run: checks.types },
    { name: 'layer rules', parts: ['rust', 'ts', 'lint'], run: checks.layers },
    { name: 'API reference', parts: ['ts', 'lint'], run: checks.apiReference },
  ],
];

const LATER_CHECKS = [
  { name: 'vitest', parts: ['ts'], run: () => checks.vitest() },
  { name: 'vitest, alone', parts: ['ts'], run: () => checks.vitestAlone() },
];

function readOptions() {
  try {
    const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
    if (only === undefined || ['rust', 'ts', 'lint'].includes(only)) return { only };
    return fail(`--only takes rust, ts or lint, got ${only}`);
  } catch (error) {
    return fail(error.message);
  }
}

const { only } = readOptions();
await build();
if (only === undefined || only === 'ts') {
  await step('other releases of Node', installNodes);
  await step('other hosts of WASM', installHosts);
  await step('types of SDKs', installSdks);
}
const selectChecks = (checks) => checks.filter(({ parts }) => only === undefined || parts.includes(only));
const passed = await runSuite('test', [PARALLEL_CHECKS.map(selectChecks), ...selectChecks(LATER_CHECKS)]);
process.exit(passed ? 0 : 1);
