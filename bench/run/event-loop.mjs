// What starting 200 commands at once does to everything else the host has to do.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { inTurns } from '../lib/in-turns.mjs';
import { runSpawn, runTerminal, withTerminal } from '../lib/rivals.mjs';
import { rounded, summary } from '../lib/statistics.mjs';
import { ThreadClock } from '../lib/thread-clock.mjs';

const COMMANDS = { full: 200, quick: 20 };
const ROUNDS = { full: 5, quick: 1 };
const RESOLUTION_MS = 1;
const NS_PER_MS = 1e6;
const PROGRAMS = [['true'], ['sleep', '0.2']];

const settle = () => new Promise((resolve) => setTimeout(resolve, 50));

/** What of a turn may be unaccounted for before it is asked where that went. */
const UNACCOUNTED_MS = 0.5;

/**
 * Longest time between two turns of the event loop while `work` goes on, and the longest that a turn was really held: it
 * ran, or slept in a call that blocks. Not counted as held is time in which the thread was ready and other processes had
 * the processors, and time in which it neither ran, nor was ready, nor slept: the machine below took its processor away.
 */
async function longestTurn(work) {
  const clock = new ThreadClock();
  const longest = { turn: 0, held: 0 };
  let last = clock.read();
  let sleeps = clock.sleeps();
  let watching = true;
  const look = () => {
    const now = clock.read();
    const turn = now.wall - last.wall;
    const ran = now.ran - last.ran;
    let held = turn - (now.waited - last.waited);
    if (held - ran > UNACCOUNTED_MS) {
      const slept = clock.sleeps();
      if (slept === sleeps) held = ran;
      sleeps = slept;
    }
    longest.turn = Math.max(longest.turn, turn);
    longest.held = Math.max(longest.held, held);
    last = clock.read();
  };
  const tick = () => {
    if (!watching) return;
    look();
    setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  look();
  watching = false;
  clock.close();
  return longest;
}

/** What Node itself measured, its own 1 ms interval included. */
async function delay(work) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  // A delay is seen when the timer comes late: it has to run before, and once more after.
  await settle();
  await work();
  await settle();
  histogram.disable();
  return { p99: histogram.percentile(99) / NS_PER_MS, max: histogram.max / NS_PER_MS };
}

async function measure(run, argv, count) {
  const all = () => Promise.all(Array.from({ length: count }, () => run(argv)));
  const { turn, held } = await longestTurn(all);
  await settle();
  return { turn, held, ...(await delay(all)) };
}

function figures(samples) {
  return {
    longestTurnMs: summary(samples.map(({ turn }) => turn)),
    longestHeldMs: summary(samples.map(({ held }) => held)),
    delayP99Ms: rounded(Math.max(...samples.map(({ p99 }) => p99)), 3),
    delayMaxMs: rounded(Math.max(...samples.map(({ max }) => max)), 3),
  };
}

async function compare(rivals, argv, count, rounds) {
  const runs = Object.entries(rivals).map(([name, run]) => [name, () => measure(run, argv, count)]);
  const samples = await inTurns(Object.fromEntries(runs), rounds);
  const measured = Object.entries(samples).map(([name, taken]) => [name, figures(taken)]);
  return { command: argv.join(' '), atOnce: count, ...Object.fromEntries(measured) };
}

export function eventLoop({ quick }) {
  const count = quick ? COMMANDS.quick : COMMANDS.full;
  const rounds = quick ? ROUNDS.quick : ROUNDS.full;
  const programs = PROGRAMS.map(([program]) => program);
  return withTerminal(programs, {}, async (terminal) => {
    const rivals = { handrail: (argv) => runTerminal(terminal, argv), child_process: runSpawn };
    await runTerminal(terminal, ['true']);
    const commands = [];
    for (const argv of PROGRAMS) commands.push(await compare(rivals, argv, count, rounds));
    return { resolutionMs: RESOLUTION_MS, commands };
  });
}
