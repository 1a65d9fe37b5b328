// Counts the descriptors, zombies, workers and files that 1,000 runs leave behind, most of them sequential, the last ones at once.
import { setTimeout as pause } from 'node:timers/promises';
import { countLeftovers } from '../lib/leftovers.mjs';
import { runTerminal, withTerminal } from '../lib/runners.mjs';

const RUNS = { full: 1_000, quick: 20 };
/** The share of the runs that start at once, at the end: the pool of workers has to shrink again after them. */
const BURST_SHARE = 0.1;
/** Long enough for a worker that was dismissed from the pool to end. */
const SETTLE_MS = 300;

/** The first burst comes before the first count: it starts the supervisor, and the workers that the pool keeps. */
async function countAroundRuns(terminal, runs, atOnce) {
  const run = () => runTerminal(terminal, ['true']);
  const burst = () => Promise.all(Array.from({ length: atOnce }, run));
  await burst();
  await pause(SETTLE_MS);
  const before = countLeftovers();
  for (let index = 0; index < runs - atOnce; index += 1) await run();
  await pause(SETTLE_MS);
  const afterSequence = countLeftovers();
  await burst();
  await pause(SETTLE_MS);
  return { before, inTurn: afterSequence, after: countLeftovers() };
}

export async function leaks({ quick }) {
  const runs = quick ? RUNS.quick : RUNS.full;
  const atOnce = Math.round(runs * BURST_SHARE);
  const beforeStart = countLeftovers();
  const counts = await withTerminal(['true'], {}, (terminal) => countAroundRuns(terminal, runs, atOnce));
  await pause(SETTLE_MS);
  return { runs, atOnce, nothing: beforeStart, ...counts, closed: countLeftovers() };
}
