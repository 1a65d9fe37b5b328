// The time of one run of `true` by each runner, in a host process with little memory and in one with 1 GB.
import { release, residentMiB, touchedBuffers } from '../lib/ballast.mjs';
import { interleave } from '../lib/interleave.mjs';
import { runExeca, runSpawn, runTerminal, timed, withTerminal } from '../lib/runners.mjs';
import { mapValues, median, rounded, summary } from '../lib/statistics.mjs';

export const HOSTS = [
  { name: '50 MB', bytes: 50e6 },
  { name: '1 GB', bytes: 1e9 },
];
/** Handrail always looks a program up by its name. Its rivals get the path, which spares them the search. */
const ARGV = ['true'];
const PROGRAM_PATH = '/usr/bin/true';
/** A block is a number of interleaved rounds with one size of the host. */
const BLOCKS = {
  full: { blocks: 4, rounds: 250, warmUpRounds: 20 },
  quick: { blocks: 1, rounds: 8, warmUpRounds: 2 },
};

/** In the order of the table. `posix_spawn` is the floor. */
export const RUNNERS = ['handrail', 'child_process', 'execa', 'posix_spawn'];

function createRunners(terminal, floor) {
  return {
    handrail: () => timed(() => runTerminal(terminal, ARGV)),
    child_process: () => timed(() => runSpawn([PROGRAM_PATH])),
    execa: () => timed(() => runExeca([PROGRAM_PATH])),
    // The floor program takes this time itself: a request to it takes longer than the spawn.
    posix_spawn: async () => (await floor.spawn(PROGRAM_PATH)).ms,
  };
}

/** The figures of one host size. */
function hostFigures({ name, bytes }, { samples, hostMiB }) {
  const floor = median(samples.posix_spawn);
  const ms = mapValues(samples, (values) => ({
    ...summary(values),
    timesFloor: rounded(median(values) / floor, 2),
  }));
  return { host: name, bufferBytes: bytes, residentMiB: Math.round(hostMiB), ms };
}

async function measure(runners, floor, { blocks, rounds, warmUpRounds }) {
  await interleave(runners, { rounds: warmUpRounds });
  const measurements = HOSTS.map(() => ({ samples: mapValues(runners, () => []), hostMiB: 0 }));
  // The host sizes alternate, so that a machine that slows down meanwhile slows both.
  for (let block = 0; block < blocks; block += 1) {
    for (const [index, { bytes }] of HOSTS.entries()) {
      const ballast = touchedBuffers(bytes);
      await floor.hold(bytes);
      const samples = await interleave(runners, { rounds, warmUpRounds });
      for (const [name, values] of Object.entries(samples)) measurements[index].samples[name].push(...values);
      measurements[index].hostMiB = residentMiB();
      await release(ballast);
    }
  }
  await floor.hold(0);
  return measurements;
}

/** @param {{floor: import('../lib/floor.mjs').Floor, quick: boolean}} context */
export async function latency({ floor, quick }) {
  const blocks = quick ? BLOCKS.quick : BLOCKS.full;
  const measurements = await withTerminal(ARGV, {}, (terminal) =>
    measure(createRunners(terminal, floor), floor, blocks),
  );
  const hosts = HOSTS.map((host, index) => hostFigures(host, measurements[index]));
  const [small, large] = hosts;
  const largeOverSmall = mapValues(small.ms, ({ median }, name) => rounded(large.ms[name].median / median, 2));
  return { command: ARGV.join(' '), hosts, largeOverSmall };
}
