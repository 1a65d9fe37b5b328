// Several things measured by turns, so that a busy machine disturbs all alike.
import { setImmediate as turn } from 'node:timers/promises';
import { collectGarbage } from '../lib/ballast.mjs';
import { ThreadClock } from '../lib/thread-clock.mjs';

/** @typedef {{name: string, bytes: number, run: () => unknown}} Measurement `run` may give milliseconds of its own */

/**
 * Milliseconds that the main thread ran, by name. Others on the machine do not count, nor does collecting what the round
 * before left.
 *
 * @param {Measurement[]} measurements
 * @param {number} rounds
 * @returns {Promise<Record<string, number[]>>}
 */
export async function takeTurns(measurements, rounds) {
  const clock = new ThreadClock();
  const samples = Object.fromEntries(measurements.map(({ name }) => [name, []]));
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const { name, run } of measurements) {
        collectGarbage();
        await turn();
        const before = clock.read().ran;
        const own = await run();
        const ms = typeof own === 'number' ? own : clock.read().ran - before;
        // The first round warms up.
        if (round > 0) samples[name].push(ms);
      }
    }
  } finally {
    clock.close();
  }
  return samples;
}
