// npm run bench -- staged [--quick] [--only PART] [--output FILE]: what it costs that a command writes into a layer of its own,
// which is brought over at its end, beside the same command that writes into the root.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolkit } from '../dist/index.js';
import { assertEqual } from './lib/assert.mjs';
import { interleave } from './lib/interleave.mjs';
import { runRow } from './lib/row.mjs';
import { timed } from './lib/runners.mjs';
import { mapValues, median, rounded, summary } from './lib/statistics.mjs';

const MODES = ['direct', 'staged'];
const COUNTS = {
  tests: { full: { rounds: 40, warmUpRounds: 3 }, quick: { rounds: 2, warmUpRounds: 1 } },
  nothing: { full: { rounds: 300, warmUpRounds: 20 }, quick: { rounds: 5, warmUpRounds: 1 } },
};
/** Files of source text in the fixture, and of tests, each of which reads some of them and writes a report. */
const SOURCES = 200;
const TESTS = 6;

/** A project whose tests read what is there, and write reports and a cache, as tests do. */
function makeProject(folder) {
  mkdirSync(join(folder, 'src'), { recursive: true });
  mkdirSync(join(folder, 'test'));
  const manifest = { name: 'fixture', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  for (let index = 0; index < SOURCES; index += 1) {
    writeFileSync(join(folder, `src/value${index}.js`), `export const value = ${index};\n`);
  }
  for (let index = 0; index < TESTS; index += 1)
    writeFileSync(join(folder, `test/part${index}.test.js`), testText(index));
}

function testText(index) {
  return `import assert from 'node:assert';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
test('part ${index}', async () => {
  let sum = 0;
  for (const name of readdirSync('src')) sum += readFileSync('src/' + name, 'utf8').length;
  for (let i = ${index}; i < ${SOURCES}; i += ${TESTS}) assert.equal((await import('../src/value' + i + '.js')).value, i);
  mkdirSync('reports/${index}', { recursive: true });
  for (let i = 0; i < 20; i += 1) writeFileSync('reports/${index}/' + i + '.json', JSON.stringify({ sum, i, at: Date.now() }));
});
`;
}

async function prepare({ quick }) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-bench-staged-')));
  process.env['XDG_STATE_HOME'] = join(base, 'state');
  const toolkits = {};
  for (const changes of MODES) {
    makeProject(join(base, changes));
    toolkits[changes] = await createToolkit({
      workspace: join(base, changes),
      project: 'node',
      terminal: { allow: ['true'] },
      changes,
    });
  }
  return { base, toolkits, quick };
}

/** Runs a command, and checks that what it changed is in the root now. */
async function run(toolkit, mode, command) {
  const { exitCode, output, staged } = await toolkit.terminal.run(command);
  if (exitCode !== 0) throw new Error(`${mode}: ${command} exited with ${exitCode}: ${output}`);
  assertEqual(
    `whether the changes of ${mode} were brought over`,
    mode === 'staged' ? true : undefined,
    staged?.committed,
  );
}

async function measure({ base, toolkits, quick }, counts, command, check) {
  const runners = Object.fromEntries(
    MODES.map((mode) => [
      mode,
      async () => {
        const began = Date.now();
        const ms = await timed(() => run(toolkits[mode], mode, command));
        check(join(base, mode), began);
        return ms;
      },
    ]),
  );
  const samples = await interleave(runners, quick ? counts.quick : counts.full);
  const timesDirect = rounded(median(samples.staged) / median(samples.direct), 3);
  return { command, ms: mapValues(samples, (values) => summary(values)), timesDirect };
}

function checkReports(folder, began) {
  for (let index = 0; index < TESTS; index += 1) {
    const { sum, at } = JSON.parse(readFileSync(join(folder, `reports/${index}/19.json`), 'utf8'));
    assertEqual('bytes that a test read', true, sum > SOURCES && at >= began);
  }
}

function table(measured) {
  const rows = Object.values(measured).flatMap(({ command, ms, timesDirect }) => [
    [`\`${command}\`: p50 ms`, ...MODES.map((mode) => String(rounded(ms[mode].median, 1)))],
    ['p99 ms', ...MODES.map((mode) => String(rounded(ms[mode].p99, 1)))],
    ['times direct', '1', String(timesDirect)],
  ]);
  return { columns: ['', ...MODES], rows };
}

await runRow({
  name: 'staged',
  parts: {
    tests: (context) => measure(context, COUNTS.tests, 'npm test', checkReports),
    nothing: (context) => measure(context, COUNTS.nothing, 'true', () => undefined),
  },
  prepare,
  async cleanUp({ base, toolkits }) {
    await Promise.all(Object.values(toolkits).map((toolkit) => toolkit.close()));
    rmSync(base, { recursive: true, force: true });
  },
  table,
});
