// npm run bench -- run [--quick] [--only PART] [--output FILE]: the cost of running a command, beside rivals
// and beside the floor, a Rust program that does nothing else.
import { step } from '../scripts/lib/steps.mjs';
import { buildFloor, Floor } from './lib/floor.mjs';
import { runRow } from './lib/row.mjs';
import { eventLoop } from './run/event-loop.mjs';
import { killLateness } from './run/kill-lateness.mjs';
import { latency } from './run/latency.mjs';
import { leaks } from './run/leaks.mjs';
import { runTable } from './run/table.mjs';
import { throughput } from './run/throughput.mjs';

async function prepare({ quick }) {
  let program;
  await step('floor program (cargo)', async () => {
    program = await buildFloor();
  });
  return { floor: new Floor(program), quick };
}

await runRow({
  name: 'run',
  parts: { latency, 'event-loop': eventLoop, throughput, leaks, 'kill-lateness': killLateness },
  prepare,
  cleanUp: ({ floor }) => floor.close(),
  table: runTable,
});
