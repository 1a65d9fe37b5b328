// npm run bench -- ROW: runs one benchmark and writes its figures to bench/results. `--check-readme` compares the published tables
// with these figures, `--write-readme` updates the tables. `quick` runs every row with `--quick`, one after the other: each row
// checks its results, and writes no figures.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { must, run } from './lib/command.mjs';
import { root } from './lib/paths.mjs';
import { differences, writeTables } from './lib/readme-tables.mjs';
import { fail, say } from './lib/steps.mjs';
import { runSuite } from './lib/suite.mjs';

const BENCH_FOLDER = join(root, 'bench');

/** The names of all rows. Each row is a program: bench/<row>.mjs. */
function listRows() {
  if (!existsSync(BENCH_FOLDER)) return [];
  return readdirSync(BENCH_FOLDER)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => name.slice(0, -'.mjs'.length))
    .sort();
}

const nodeArguments = (row) => ['--expose-gc', join(BENCH_FOLDER, `${row}.mjs`)];

/** Runs a row with `--quick`. A rival that is not installed is named in the note and is no failure. */
async function runQuick(row) {
  const { code, output } = await run(process.execPath, [...nodeArguments(row), '--quick']);
  const absent = [...output.matchAll(/^without (.+?): /gm)].map(([, name]) => name);
  const counts = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  return { ok: code === 0, output, counts, note: absent.length > 0 ? `without ${absent.join(', ')}` : '' };
}

function checkReadme() {
  const problems = differences(root, listRows());
  if (problems.length > 0) fail(`published tables differ from bench/results:\n${problems.join('\n')}`);
  say('published tables show the figures of bench/results');
}

function writeReadme() {
  const rowsWithoutTable = writeTables(root, listRows());
  const markers = rowsWithoutTable.map((row) => `<!-- bench:${row} -->\n<!-- /bench:${row} -->`);
  if (rowsWithoutTable.length > 0)
    fail(`no document has markers for ${rowsWithoutTable.join(', ')}; add\n${markers.join('\n')}`);
  say('published tables now show the figures of bench/results');
}

const [command, ...rowOptions] = process.argv.slice(2);
if (command === '--check-readme') {
  checkReadme();
} else if (command === '--write-readme') {
  writeReadme();
} else if (command === 'quick') {
  await build();
  const checks = listRows().map((row) => ({ name: row, run: () => runQuick(row) }));
  process.exit((await runSuite('bench quick', checks)) ? 0 : 1);
} else if (command === undefined || !listRows().includes(command)) {
  const known = listRows().join(', ') || 'none yet';
  fail(
    `${command === undefined ? 'which benchmark?' : `no benchmark '${command}'`} rows: ${known}; or quick, --check-readme, --write-readme`,
  );
} else {
  await build();
  try {
    await must(process.execPath, [...nodeArguments(command), ...rowOptions], { show: true });
  } catch (error) {
    fail(error.message);
  }
}
