// Interleaved measurements of CPU time.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { collectGarbage } from '../lib/ballast.mjs';
import { interleave } from '../lib/interleave.mjs';
import { ThreadClock } from '../lib/thread-clock.mjs';

/** @typedef {{name: string, bytes: number, run: () => unknown}} Measurement `run` may give milliseconds that it measured itself */

/**
 * CPU milliseconds of the main thread, by name. Other processes do not count, nor does the garbage of earlier measurements.
 *
 * @param {Measurement[]} measurements
 * @param {number} rounds after one round that warms up
 * @returns {Promise<Record<string, number[]>>}
 */
export async function interleaveCpuTime(measurements, rounds) {
  const clock = new ThreadClock();
  const measure = async (run) => {
    collectGarbage();
    await nextTurn();
    const before = clock.read().ran;
    const ownMs = await run();
    return typeof ownMs === 'number' ? ownMs : clock.read().ran - before;
  };
  try {
    const runners = Object.fromEntries(measurements.map(({ name, run }) => [name, () => measure(run)]));
    return await interleave(runners, { rounds, warmUpRounds: 1 });
  } finally {
    clock.close();
  }
}
