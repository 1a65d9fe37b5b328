// Interleaved measurements: every round measures each runner once, so that a slow moment of the machine slows all of them.

/**
 * The sample that each of `runners` gave in each round, by its name.
 *
 * @template Sample
 * @param {Record<string, (round: number) => Sample | Promise<Sample>>} runners
 * @param {{rounds: number, warmUpRounds?: number}} counts warm-up rounds come first; their samples are dropped
 * @returns {Promise<Record<string, Sample[]>>}
 */
export async function interleave(runners, { rounds, warmUpRounds = 0 }) {
  const samples = Object.fromEntries(Object.keys(runners).map((name) => [name, []]));
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    for (const [name, run] of Object.entries(runners)) {
      const sample = await run(round);
      if (round >= warmUpRounds) samples[name].push(sample);
    }
  }
  return samples;
}
