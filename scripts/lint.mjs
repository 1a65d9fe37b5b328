// npm run lint: formatters, linters, types and layer rules of both languages, without a test.
import * as checks from './lib/checks.mjs';
import { installDependencies } from './lib/dependencies.mjs';
import { runSuite } from './lib/suite.mjs';

await installDependencies();
const passed = await runSuite('lint', [
  { name: 'cargo fmt', run: checks.rustFormat },
  { name: 'cargo clippy', run: checks.clippy },
  { name: 'biome', run: checks.biome },
  { name: 'types (tsc)', run: checks.types },
  { name: 'layer rules', run: checks.layers },
]);
process.exit(passed ? 0 : 1);
