// npm run bench -- beside [--quick] [--output FILE]: the same tool calls of a model, run by Handrail and by its rivals, each set
// up the way its users set it up. The effects of a call are read from files and /proc, never from the runner's own report.
import { CHECKS, LATENCY } from './beside/checks.mjs';
import { prepareRunners } from './beside/runners.mjs';
import { runRow } from './lib/row.mjs';

const LATENCY_ROUNDS = { full: 200, quick: 3 };

async function checks({ runners, absent, quick }) {
  const cells = {};
  for (const [label, check] of Object.entries(CHECKS)) {
    cells[label] = {};
    for (const [name, runner] of Object.entries(runners)) cells[label][name] = await check(runner);
  }
  cells[LATENCY.label] = await LATENCY.measure(runners, quick ? LATENCY_ROUNDS.quick : LATENCY_ROUNDS.full);
  return { columns: [...Object.keys(runners), ...Object.keys(absent)], found: cells };
}

await runRow({
  name: 'beside',
  parts: { checks },
  prepare: async ({ quick }) => ({ ...(await prepareRunners({ quick })), quick }),
  cleanUp: ({ remove }) => remove(),
  table: ({ checks: { columns, found: cells } }) => ({
    columns: ['', ...columns],
    rows: Object.entries(cells).map(([label, cellOf]) => [label, ...columns.map((name) => cellOf[name] ?? 'absent')]),
  }),
});
process.exit(0);
