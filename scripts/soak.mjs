// npm run soak -- ROW: one row of the soak table at full count. `list` prints the table, `ci` runs every row reduced.
import { build } from './build.mjs';
import { cargoTest, vitestAlone } from './lib/checks.mjs';
import { SOAK_ROWS } from './lib/soak-rows.mjs';
import { fail, say } from './lib/steps.mjs';
import { runSuite } from './lib/suite.mjs';

const NAME_WIDTH = 16;
const USAGE = 'npm run soak -- list | ci | ROW';

const shareOf = (hundredths) => ({ HANDRAIL_SOAK: String(hundredths) });

/** @param {number} hundredths of the full count, see test/support/soak.ts */
function checkOf(row, hundredths) {
  const env = shareOf(hundredths);
  return {
    name: `${row.name} (${row.full}${hundredths === 100 ? '' : `, ${hundredths} %`})`,
    run: () => (row.runner === 'vitest' ? vitestAlone(row.args, env) : soakInRust(row, env)),
  };
}

/** Rows of vitest in one run: most of the time they wait for processes, and each start of vitest takes seconds. */
function checkTogether(rows, hundredths) {
  return {
    name: `${rows.map(({ name }) => name).join(', ')} (${hundredths} %)`,
    run: () =>
      vitestAlone(
        rows.flatMap(({ args }) => args),
        shareOf(hundredths),
      ),
  };
}

/** What a row of Rust repeated, and for how long: without it nothing was repeated. */
async function soakInRust(row, env) {
  // Of one crate alone, cargo would choose other features of its dependencies than `npm test`, and build them again.
  const outcome = await cargoTest(['--workspace', '--test', 'all', '--', ...row.args, '--nocapture'], env);
  const said = [...outcome.output.matchAll(/^soak: (.*)$/gm)].map(([, line]) => line);
  return { ...outcome, ok: outcome.ok && said.length > 0, note: said.join('; ') };
}

function printTable() {
  say(USAGE);
  for (const row of SOAK_ROWS) say(`  ${row.name.padEnd(NAME_WIDTH)} ${row.description} (${row.full})`);
}

function checksFor(wanted) {
  if (wanted === 'ci') {
    const rows = SOAK_ROWS.filter(({ ci }) => ci > 0);
    const ofRunner = (runner) => rows.filter((row) => row.runner === runner);
    const inVitest = ofRunner('vitest');
    const shares = [...new Set(inVitest.map(({ ci }) => ci))];
    const together = shares.map((share) =>
      checkTogether(
        inVitest.filter(({ ci }) => ci === share),
        share,
      ),
    );
    // A row of Rust computes on one core.
    const inRust = ofRunner('cargo').map((row) => checkOf(row, row.ci));
    return [[inRust, together]];
  }
  const row = SOAK_ROWS.find(({ name }) => name === wanted);
  return row ? [checkOf(row, 100)] : [];
}

const wanted = process.argv[2] ?? 'list';
if (wanted === 'list') {
  printTable();
} else {
  const checks = checksFor(wanted);
  if (checks.length === 0 && wanted !== 'ci') fail(`no soak row '${wanted}'\n${USAGE}`);
  await build();
  process.exit((await runSuite(`soak ${wanted}`, checks)) ? 0 : 1);
}
