// Several runners measured by turns, so that a slow moment of the machine is everybody's.

/** What each of `runs` gave in each round, by name. */
export async function inTurns(runs, rounds) {
  const samples = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(runs)) samples[name].push(await run());
  }
  return samples;
}
