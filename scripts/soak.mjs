// npm run soak -- ROW: one row of the soak table at full count. `list` prints the table, `ci` runs most rows with a reduced count.
import { build } from './build.mjs';
import { cargoTest, vitestAlone } from './lib/checks.mjs';
import { SOAK_ROWS } from './lib/soak-rows.mjs';
import { fail, say } from './lib/steps.mjs';
import { runSuite } from './lib/suite.mjs';

const NAME_WIDTH = 16;
const USAGE = 'npm run soak -- list | ci | ROW';

const soakEnvironment = (hundredths) => ({ HANDRAIL_SOAK: String(hundredths) });

/** @param {number} hundredths of the full count, see test/support/soak.ts */
function checkOf(row, hundredths) {
  const env = soakEnvironment(hundredths);
  return {
    name: `${row.name} (${row.full}${hundredths === 100 ? '' : `, ${hundredths} %`})`,
    run: () => (row.runner === 'vitest' ? runVitestSoak(row.args, env) : runRustSoak(row, env)),
  };
}

/** One check for several rows of vitest: they mostly wait for processes, and each start of vitest takes seconds. */
function combinedCheck(rows, hundredths) {
  return {
    name: `${rows.map(({ name }) => name).join(', ')} (${hundredths} %)`,
    run: () =>
      runVitestSoak(
        rows.flatMap(({ args }) => args),
        soakEnvironment(hundredths),
      ),
  };
}

/** What tests say that they did, each as a line `soak: …`. */
const soakLines = (output) => [...output.matchAll(/^soak: (.*)$/gm)].map(([, line]) => line);

async function runVitestSoak(args, env) {
  const outcome = await vitestAlone(args, env);
  return { ...outcome, note: soakLines(outcome.output).join('; ') };
}

/** Runs a row of Rust tests. It fails when no test prints its `soak: …` line, as then nothing was repeated. */
async function runRustSoak(row, env) {
  // The whole workspace, as in `npm test`: for a single crate, cargo would select other features and build dependencies again.
  const outcome = await cargoTest(['--workspace', '--test', 'all', '--', ...row.args, '--nocapture'], env);
  const said = soakLines(outcome.output);
  return { ...outcome, ok: outcome.ok && said.length > 0, note: said.join('; ') };
}

function printTable() {
  say(USAGE);
  for (const row of SOAK_ROWS) say(`  ${row.name.padEnd(NAME_WIDTH)} ${row.description} (${row.full})`);
}

function checksFor(command) {
  if (command === 'ci') {
    const rows = SOAK_ROWS.filter(({ ci }) => ci > 0);
    const ofRunner = (runner) => rows.filter((row) => row.runner === runner);
    const vitestRows = ofRunner('vitest');
    const shares = [...new Set(vitestRows.map(({ ci }) => ci))];
    const vitestChecks = shares.map((share) =>
      combinedCheck(
        vitestRows.filter(({ ci }) => ci === share),
        share,
      ),
    );
    // Rows of Rust need one core each, so they run beside those of vitest.
    const rustChecks = ofRunner('cargo').map((row) => checkOf(row, row.ci));
    return [[rustChecks, vitestChecks]];
  }
  const row = SOAK_ROWS.find(({ name }) => name === command);
  return row ? [checkOf(row, 100)] : [];
}

const command = process.argv[2] ?? 'list';
if (command === 'list') {
  printTable();
} else {
  const checks = checksFor(command);
  if (checks.length === 0 && command !== 'ci') fail(`no soak row '${command}'\n${USAGE}`);
  await build();
  process.exit((await runSuite(`soak ${command}`, checks)) ? 0 : 1);
}
