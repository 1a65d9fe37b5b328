// npm run bench -- run [--quick] [--only PART] [--output FILE]: what running a command costs, against others who can.
//
// A full run is kept in bench/results/run.json. A part of it or a quick one is kept only where `--output` says: it is no
// figure to publish.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/lib/paths.mjs';
import { fail, heading, say, step } from '../scripts/lib/steps.mjs';
import { buildFloor, Floor } from './lib/floor.mjs';
import { describeMachine, machine, watchLoad } from './lib/machine.mjs';
import { runTable } from './lib/run-table.mjs';
import { plainTable } from './lib/table.mjs';
import { eventLoop } from './run/event-loop.mjs';
import { killLateness } from './run/kill-lateness.mjs';
import { latency } from './run/latency.mjs';
import { leaks } from './run/leaks.mjs';
import { throughput } from './run/throughput.mjs';

const PARTS = { latency, 'event-loop': eventLoop, throughput, leaks, 'kill-lateness': killLateness };
const RESULTS = join(root, 'bench', 'results', 'run.json');

function readOptions() {
  const options = { quick: { type: 'boolean' }, only: { type: 'string' }, output: { type: 'string' } };
  try {
    const { values } = parseArgs({ options });
    if (values.only !== undefined && !(values.only in PARTS)) throw new Error(`no part '${values.only}'`);
    return { quick: values.quick ?? false, only: values.only, output: values.output };
  } catch (error) {
    return fail(
      `${error.message}\nnpm run bench -- run [--quick] [--only ${Object.keys(PARTS).join('|')}] [--output FILE]`,
    );
  }
}

function keep(result, { quick, only, output }) {
  const file = output ?? (quick || only !== undefined ? undefined : RESULTS);
  if (file === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
}

const options = readOptions();
heading('bench run');
let program;
await step('floor program (cargo)', async () => {
  program = await buildFloor();
});
const load = watchLoad();
const measuredAt = new Date().toISOString();
const measured = {};
const floor = new Floor(program);
try {
  for (const name of options.only === undefined ? Object.keys(PARTS) : [options.only]) {
    await step(name, async () => {
      measured[name] = await PARTS[name]({ floor, quick: options.quick });
    });
  }
} finally {
  await floor.close();
}
const result = {
  name: 'run',
  measuredAt,
  quick: options.quick,
  machine: machine(),
  load: load(),
  measured,
  table: runTable(measured),
};
keep(result, options);
say(`\n${plainTable(result.table)}\n`);
for (const line of describeMachine(result.machine, result.load)) say(line);
