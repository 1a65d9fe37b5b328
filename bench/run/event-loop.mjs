// How long the event loop of the host is blocked while 200 commands start at once.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { interleave } from '../lib/interleave.mjs';
import { runSpawn, runTerminal, withTerminal } from '../lib/runners.mjs';
import { mapValues, rounded, summary } from '../lib/statistics.mjs';
import { ThreadClock } from '../lib/thread-clock.mjs';

const COMMAND_COUNT = { full: 200, quick: 20 };
const ROUNDS = { full: 5, quick: 1 };
const TIMER_RESOLUTION_MS = 1;
const NS_PER_MS = 1e6;
const COMMAND_LINES = [['true'], ['sleep', '0.2']];

const waitUntilIdle = () => new Promise((resolve) => setTimeout(resolve, 50));

/** The part of a turn that may stay unexplained; above it, the number of sleeps of the thread is read as well. */
const MAX_UNEXPLAINED_MS = 0.5;

/**
 * Two maxima over the turns of the event loop while `work` goes on. `turn` is wall-clock time. `held` is the time for which
 * the thread was occupied: it ran, or slept in a blocking call. Time does not count as held when the thread was ready and
 * other processes had the processors, nor when it neither ran, nor was ready, nor slept: then the hypervisor had stolen the
 * processor.
 */
async function longestTurn(work) {
  const clock = new ThreadClock();
  const longest = { turn: 0, held: 0 };
  let last = clock.read();
  let sleeps = clock.sleeps();
  let isWatching = true;
  const recordTurn = () => {
    const now = clock.read();
    const turn = now.wall - last.wall;
    const ran = now.ran - last.ran;
    let held = turn - (now.waited - last.waited);
    if (held - ran > MAX_UNEXPLAINED_MS) {
      const slept = clock.sleeps();
      if (slept === sleeps) held = ran;
      sleeps = slept;
    }
    longest.turn = Math.max(longest.turn, turn);
    longest.held = Math.max(longest.held, held);
    last = clock.read();
  };
  const tick = () => {
    if (!isWatching) return;
    recordTurn();
    setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  recordTurn();
  isWatching = false;
  clock.close();
  return longest;
}

/** The delay of the event loop as Node's own histogram measures it, including the 1 ms of its timer. */
async function eventLoopDelay(work) {
  const histogram = monitorEventLoopDelay({ resolution: TIMER_RESOLUTION_MS });
  histogram.enable();
  // The histogram measures how late its timer fires, so the timer has to fire before the work and after it.
  await waitUntilIdle();
  await work();
  await waitUntilIdle();
  histogram.disable();
  return { p99: histogram.percentile(99) / NS_PER_MS, max: histogram.max / NS_PER_MS };
}

async function measure(run, argv, count) {
  const all = () => Promise.all(Array.from({ length: count }, () => run(argv)));
  const { turn, held } = await longestTurn(all);
  await waitUntilIdle();
  return { turn, held, ...(await eventLoopDelay(all)) };
}

function figures(samples) {
  return {
    longestTurnMs: summary(samples.map(({ turn }) => turn)),
    longestHeldMs: summary(samples.map(({ held }) => held)),
    delayP99Ms: rounded(Math.max(...samples.map(({ p99 }) => p99)), 3),
    delayMaxMs: rounded(Math.max(...samples.map(({ max }) => max)), 3),
  };
}

async function compare(runners, argv, count, rounds) {
  const measurements = mapValues(runners, (run) => () => measure(run, argv, count));
  const samples = await interleave(measurements, { rounds });
  return { command: argv.join(' '), atOnce: count, ...mapValues(samples, figures) };
}

export function eventLoop({ quick }) {
  const count = quick ? COMMAND_COUNT.quick : COMMAND_COUNT.full;
  const rounds = quick ? ROUNDS.quick : ROUNDS.full;
  const programs = COMMAND_LINES.map(([program]) => program);
  return withTerminal(programs, {}, async (terminal) => {
    const runners = { handrail: (argv) => runTerminal(terminal, argv), child_process: runSpawn };
    await runTerminal(terminal, ['true']);
    const commands = [];
    for (const argv of COMMAND_LINES) commands.push(await compare(runners, argv, count, rounds));
    return { resolutionMs: TIMER_RESOLUTION_MS, commands };
  });
}
