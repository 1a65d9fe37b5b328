// The time of runs under each plan, and of the first run. The runners are interleaved, in a random order in every round.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { timed } from '../lib/runners.mjs';
import { mapValues, median, quantile, rounded, summary } from '../lib/statistics.mjs';
import { assertConfined, createTerminals, NO_PLAN, PLANS, runTerminal } from './plans.mjs';
import { shuffled } from './shuffled.mjs';
import { COMMANDS } from './workspace.mjs';

const WARM_UP_ROUNDS = { full: 5, quick: 1 };
const QUICK_ROUNDS = 2;
const FIRST_RUN_ROUNDS = { full: 30, quick: 1 };
/** Slow runners take part in every n-th round only. */
const ROUNDS_PER_RUN = { 'sandbox-runtime': 5 };
const NOBODY_UID = 65_534;
const FIRST_RUN_PROGRAM = fileURLToPath(new URL('first-run-times.mjs', import.meta.url));

/** For each round, the milliseconds by the runner's name. */
async function measureRounds(runners, { argv, expectedOutput }, { warmUpRounds, rounds }) {
  const measured = [];
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const ms = {};
    for (const { name, run } of shuffled(runners)) {
      if (round % (ROUNDS_PER_RUN[name] ?? 1) !== 0) continue;
      let output;
      ms[name] = await timed(async () => {
        output = await run(argv);
      });
      if (output !== expectedOutput) throw new Error(`${name}: '${argv.join(' ')}' printed ${JSON.stringify(output)}`);
    }
    if (round >= 0) measured.push(ms);
  }
  return measured;
}

/**
 * Median and p95, and both as a multiple of the run without a plan. The multiple of the median is the median of the rounds'
 * ratios: a slow moment of the machine slows both runs of a round.
 */
function figures(rounds, name) {
  const rowsWithName = rounds.filter((ms) => ms[name] !== undefined);
  const times = rowsWithName.map((ms) => ms[name]);
  const p95 = quantile(times, 0.95);
  const p95WithoutPlan = quantile(
    rowsWithName.map((ms) => ms[NO_PLAN]),
    0.95,
  );
  const timesNone = {
    p50: rounded(median(rowsWithName.map((ms) => ms[name] / ms[NO_PLAN])), 3),
    p95: rounded(p95 / p95WithoutPlan, 3),
  };
  return { ...summary(times), p95: rounded(p95, 3), timesNone };
}

/**
 * Times of the commands. First every attack is tried: it has to fail under each plan that blocks it, and to work where there
 * is no plan.
 */
export async function runs({ workspace, rivals, quick }) {
  const terminals = createTerminals(workspace.root);
  const handrailRunners = Object.entries(terminals).map(([name, terminal]) => ({
    name,
    blockedAttacks: PLANS[name].blockedAttacks,
    run: (argv) => runTerminal(terminal, argv),
  }));
  const rivalRunners = Object.entries(rivals).map(([name, { run, blockedAttacks }]) => ({ name, run, blockedAttacks }));
  const runners = [...handrailRunners, ...rivalRunners];
  try {
    await assertConfined(workspace, runners);
    const commands = [];
    for (const { name, argv, expectedOutput, rounds } of COMMANDS) {
      const command = { argv: argv(workspace), expectedOutput };
      const counts = quick
        ? { warmUpRounds: WARM_UP_ROUNDS.quick, rounds: QUICK_ROUNDS }
        : { warmUpRounds: WARM_UP_ROUNDS.full, rounds };
      const measured = await measureRounds(runners, command, counts);
      const ms = runners.map((runner) => [runner.name, figures(measured, runner.name)]);
      commands.push({ command: name, ms: Object.fromEntries(ms) });
    }
    return { commands };
  } finally {
    await Promise.all(Object.values(terminals).map((terminal) => terminal.close()));
  }
}

/** Milliseconds of first runs by plan, measured in a process of the user `uid`. */
function firstRunTimesOf(uid, rounds) {
  return new Promise((resolve, reject) => {
    const identity = uid === process.getuid() ? {} : { uid, gid: uid };
    const options = { ...identity, cwd: '/', env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] };
    const child = spawn(process.execPath, [FIRST_RUN_PROGRAM, String(rounds)], options);
    const texts = { stdout: '', stderr: '' };
    for (const name of Object.keys(texts)) {
      child[name].setEncoding('utf8').on('data', (text) => {
        texts[name] += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(texts.stdout));
      else reject(new Error(`first runs as uid ${uid} ended with ${code}: ${texts.stderr}`));
    });
  });
}

/** The time from a new terminal to the end of its first run: a supervisor and a worker start, the plan is installed, `true` runs. */
export async function starts({ quick }) {
  const ownUid = process.getuid();
  const uids = ownUid === 0 ? [0, NOBODY_UID] : [ownUid];
  const measured = [];
  for (const uid of uids) {
    const samples = await firstRunTimesOf(uid, quick ? FIRST_RUN_ROUNDS.quick : FIRST_RUN_ROUNDS.full);
    measured.push({ uid, ms: mapValues(samples, (times) => summary(times)) });
  }
  return { users: measured };
}
