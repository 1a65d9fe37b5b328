// What 1,000 runs leave: one after the other, then many at once.
import { setTimeout as pause } from 'node:timers/promises';
import { leftovers } from '../lib/leftovers.mjs';
import { runTerminal, withTerminal } from '../lib/rivals.mjs';

const RUNS = { full: 1_000, quick: 20 };
/** The last tenth runs at once: a pool must also shrink again. */
const AT_ONCE_PART = 0.1;
/** Long enough for a worker that was let go to end. */
const SETTLE_MS = 300;

/** The first burst is not counted: it starts the supervisor, and the workers that are kept for the next one. */
async function countAround(terminal, runs, atOnce) {
  const run = () => runTerminal(terminal, ['true']);
  const burst = () => Promise.all(Array.from({ length: atOnce }, run));
  await burst();
  await pause(SETTLE_MS);
  const before = leftovers();
  for (let index = 0; index < runs - atOnce; index += 1) await run();
  await pause(SETTLE_MS);
  const inTurn = leftovers();
  await burst();
  await pause(SETTLE_MS);
  return { before, inTurn, after: leftovers() };
}

export async function leaks({ quick }) {
  const runs = quick ? RUNS.quick : RUNS.full;
  const atOnce = Math.round(runs * AT_ONCE_PART);
  const nothing = leftovers();
  const counts = await withTerminal(['true'], {}, (terminal) => countAround(terminal, runs, atOnce));
  await pause(SETTLE_MS);
  return { runs, atOnce, nothing, ...counts, closed: leftovers() };
}
