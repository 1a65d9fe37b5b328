// What a run costs under each plan, and what the first one does. Everybody in turns, in another order every time.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { timed } from '../lib/rivals.mjs';
import { median, quantile, rounded, summary } from '../lib/statistics.mjs';
import { assertHeld, NONE, PLANS, runTerminal, terminals } from './plans.mjs';
import { COMMANDS } from './workplace.mjs';

const WARM = { full: 5, quick: 1 };
const QUICK_ROUNDS = 2;
const STARTS = { full: 30, quick: 1 };
/** The slowest takes part in every fifth round only. */
const SELDOM = { 'sandbox-runtime': 5 };
const ATTACKS = ['signal', 'write', 'execute', 'connect', 'remove'];
const NOBODY = 65_534;
const STARTER = fileURLToPath(new URL('first-runs.mjs', import.meta.url));

/** In an order of its own: whoever comes after a slow one would always pay for what that one leaves to be done. */
export function shuffled(names) {
  const order = [...names];
  for (let left = order.length - 1; left > 0; left -= 1) {
    const other = Math.floor(Math.random() * (left + 1));
    [order[left], order[other]] = [order[other], order[left]];
  }
  return order;
}

/** Milliseconds by name, round by round. */
async function takeTurns(runners, { argv, answer }, { warm, rounds }) {
  const taken = [];
  for (let round = -warm; round < rounds; round += 1) {
    const ms = {};
    for (const { name, run } of shuffled(runners)) {
      if (round % (SELDOM[name] ?? 1) !== 0) continue;
      let said;
      ms[name] = await timed(async () => {
        said = await run(argv);
      });
      if (said !== answer) throw new Error(`${name}: '${argv.join(' ')}' said ${JSON.stringify(said)}`);
    }
    if (round >= 0) taken.push(ms);
  }
  return taken;
}

/**
 * Median and p95, and both to those without a plan. The first is the median of what each round says: a moment in which the
 * machine was slow was slow for both.
 */
function figures(rounds, name) {
  const own = rounds.filter((ms) => ms[name] !== undefined);
  const of = (wanted) => own.map((ms) => ms[wanted]);
  const [p95, nones] = [quantile(of(name), 0.95), quantile(of(NONE), 0.95)];
  const times = { p50: rounded(median(own.map((ms) => ms[name] / ms[NONE])), 3), p95: rounded(p95 / nones, 3) };
  return { ...summary(of(name)), p95: rounded(p95, 3), timesNone: times };
}

/** Runs of the commands, after every attack has failed where it must, and worked where nothing is held. */
export async function runs({ place, rivals, quick }) {
  const all = terminals(place.root);
  const ours = Object.entries(all).map(([name, terminal]) => ({
    name,
    fails: PLANS[name].fails,
    run: (argv) => runTerminal(terminal, argv),
  }));
  const theirs = Object.entries(rivals).map(([name, { run, fails }]) => ({ name, run, fails }));
  const runners = [...ours, ...theirs];
  try {
    const works = ({ fails }) => (fails.length === 0 ? ATTACKS : []);
    await assertHeld(
      place,
      runners.map((runner) => ({ ...runner, works: works(runner) })),
    );
    const commands = [];
    for (const { name, argv, answer, rounds } of COMMANDS) {
      const command = { argv: argv(place), answer };
      const turns = quick ? { warm: WARM.quick, rounds: QUICK_ROUNDS } : { warm: WARM.full, rounds };
      const taken = await takeTurns(runners, command, turns);
      const ms = runners.map((runner) => [runner.name, figures(taken, runner.name)]);
      commands.push({ command: name, ms: Object.fromEntries(ms) });
    }
    return { commands };
  } finally {
    await Promise.all(Object.values(all).map((terminal) => terminal.close()));
  }
}

/** Medians of first runs, by plan, in a process of this user. */
function startsAs(uid, rounds) {
  return new Promise((resolve, reject) => {
    const identity = uid === process.getuid() ? {} : { uid, gid: uid };
    const options = { ...identity, cwd: '/', env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] };
    const child = spawn(process.execPath, [STARTER, String(rounds)], options);
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

/** From a new terminal to the end of its first run: a supervisor, a worker that installs the plan, and `true`. */
export async function starts({ quick }) {
  const own = process.getuid();
  const users = own === 0 ? [0, NOBODY] : [own];
  const measured = [];
  for (const uid of users) {
    const samples = await startsAs(uid, STARTS[quick ? 'quick' : 'full']);
    const ms = Object.entries(samples).map(([name, taken]) => [name, summary(taken)]);
    measured.push({ uid, ms: Object.fromEntries(ms) });
  }
  return { users: measured };
}
