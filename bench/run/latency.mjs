// How long one `true` takes: everybody in turns, with a small and with a large host.
import { release, residentMiB, touchedBuffers } from '../lib/ballast.mjs';
import { runExeca, runSpawn, runTerminal, timed, withTerminal } from '../lib/rivals.mjs';
import { median, rounded, summary } from '../lib/statistics.mjs';

export const HOSTS = [
  { name: '50 MB', bytes: 50e6 },
  { name: '1 GB', bytes: 1e9 },
];
/** By name for us, who look it up ourselves; by path for the others, who need not search for it. */
const ARGV = ['true'];
const PATH = '/usr/bin/true';
const TURNS = { full: { rounds: 4, each: 250, warm: 20 }, quick: { rounds: 1, each: 8, warm: 2 } };

/** In the order they take turns. */
export const RIVALS = ['handrail', 'child_process', 'execa', 'posix_spawn'];

function runners(terminal, floor) {
  return {
    handrail: () => timed(() => runTerminal(terminal, ARGV)),
    child_process: () => timed(() => runSpawn([PATH])),
    execa: () => timed(() => runExeca([PATH])),
    // Timed by the program itself: asking it costs more than what it does.
    posix_spawn: async () => (await floor.spawn(PATH)).ms,
  };
}

const nobody = () => Object.fromEntries(RIVALS.map((name) => [name, []]));

async function takeTurns(run, count, samples) {
  for (let turn = 0; turn < count; turn += 1) {
    for (const name of RIVALS) samples[name].push(await run[name]());
  }
}

/** A row of figures per rival of one host size, and what its memory was. */
function hostFigures({ name, bytes }, samples, resident) {
  const floor = median(samples.posix_spawn);
  const rivals = RIVALS.map((rival) => [
    rival,
    { ...summary(samples[rival]), timesFloor: rounded(median(samples[rival]) / floor, 2) },
  ]);
  return { host: name, bufferBytes: bytes, residentMiB: Math.round(resident), ms: Object.fromEntries(rivals) };
}

async function measure(run, floor, { rounds, each, warm }) {
  await takeTurns(run, warm, nobody());
  const taken = HOSTS.map(() => ({ samples: nobody(), resident: 0 }));
  // Several rounds, so that a machine that slows down meanwhile slows both hosts.
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { bytes }] of HOSTS.entries()) {
      const ballast = touchedBuffers(bytes);
      await floor.hold(bytes);
      await takeTurns(run, warm, nobody());
      await takeTurns(run, each, taken[index].samples);
      taken[index].resident = residentMiB();
      await release(ballast);
    }
  }
  await floor.hold(0);
  return taken;
}

/** @param {{floor: import('../lib/floor.mjs').Floor, quick: boolean}} context */
export async function latency({ floor, quick }) {
  const turns = quick ? TURNS.quick : TURNS.full;
  const taken = await withTerminal(ARGV, {}, (terminal) => measure(runners(terminal, floor), floor, turns));
  const hosts = HOSTS.map((host, index) => hostFigures(host, taken[index].samples, taken[index].resident));
  const [small, large] = hosts;
  const growth = RIVALS.map((name) => [name, rounded(large.ms[name].median / small.ms[name].median, 2)]);
  return { command: ARGV.join(' '), hosts, largeOverSmall: Object.fromEntries(growth) };
}
