// npm run bench -- ROW: runs one benchmark and keeps its figures in bench/results. `--check-readme` compares
// the published tables with them, `--write-readme` writes them there. `quick` runs every row with `--quick`, one after the
// other: each checks its answers, and nothing is kept.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { must, run } from './lib/command.mjs';
import { root } from './lib/paths.mjs';
import { differences, writeTables } from './lib/readme-tables.mjs';
import { fail, say } from './lib/steps.mjs';
import { runSuite } from './lib/suite.mjs';

const FOLDER = join(root, 'bench');

/** A row is a program of its own: bench/<row>.mjs. */
function rows() {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => name.slice(0, -'.mjs'.length))
    .sort();
}

const programOf = (row) => ['--expose-gc', join(FOLDER, `${row}.mjs`)];

/** Who could not be measured is named: a rival that is missing is no failure of ours. */
async function quickly(row) {
  const { code, output } = await run(process.execPath, [...programOf(row), '--quick']);
  const absent = [...output.matchAll(/^without (.+?): /gm)].map(([, name]) => name);
  const counts = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  return { ok: code === 0, output, counts, note: absent.length > 0 ? `without ${absent.join(', ')}` : '' };
}

function checkReadme() {
  const found = differences(root, rows());
  if (found.length > 0) fail(`published tables differ from bench/results:\n${found.join('\n')}`);
  say('published tables show the figures of bench/results');
}

function writeReadme() {
  const homeless = writeTables(root, rows());
  const markers = homeless.map((row) => `<!-- bench:${row} -->\n<!-- /bench:${row} -->`);
  if (homeless.length > 0) fail(`no document has a place for ${homeless.join(', ')}; add\n${markers.join('\n')}`);
  say('published tables now show the figures of bench/results');
}

const [wanted, ...rest] = process.argv.slice(2);
if (wanted === '--check-readme') {
  checkReadme();
} else if (wanted === '--write-readme') {
  writeReadme();
} else if (wanted === 'quick') {
  await build();
  const checks = rows().map((row) => ({ name: row, run: () => quickly(row) }));
  process.exit((await runSuite('bench quick', checks)) ? 0 : 1);
} else if (wanted === undefined || !rows().includes(wanted)) {
  const known = rows().join(', ') || 'none yet';
  fail(
    `${wanted === undefined ? 'which benchmark?' : `no benchmark '${wanted}'`} rows: ${known}; or quick, --check-readme, --write-readme`,
  );
} else {
  await build();
  try {
    await must(process.execPath, [...programOf(wanted), ...rest], { show: true });
  } catch (error) {
    fail(error.message);
  }
}
