// npm run bench -- beside [--quick] [--output FILE]: the same calls of a model by those who run commands for agents, each set
// up as its users do it. What came of a call is looked up in files and in /proc; nobody is asked.
import { CHECKS, LATENCY } from './beside/checks.mjs';
import { prepareRunners } from './beside/runners.mjs';
import { runRow } from './lib/row.mjs';

const ABSENT = 'absent';

async function prepare({ quick }) {
  const { runners, absent, remove } = await prepareRunners({ quick });
  return { runners, absent, remove, quick };
}

/** All runners in turns: what one is slowed down by, the others are too. */
async function checks({ runners, absent, quick }) {
  const found = {};
  for (const [label, check] of [...CHECKS, [LATENCY.label, (all) => LATENCY.measure(all, quick ? 3 : 200)]]) {
    found[label] = await check(runners);
  }
  return { columns: [...Object.keys(runners), ...Object.keys(absent)], found };
}

await runRow({
  name: 'beside',
  parts: { checks },
  prepare,
  cleanUp: ({ remove }) => remove(),
  table: ({ checks: { columns, found } }) => ({
    columns: ['', ...columns],
    rows: Object.entries(found).map(([label, by]) => [label, ...columns.map((name) => by[name] ?? ABSENT)]),
  }),
});
process.exit(0);
