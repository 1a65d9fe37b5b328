// What a session costs: a lot of output, one line and its answer, many of them at once, and a start. Each answer is checked.
import { readdirSync, readFileSync } from 'node:fs';
import { createToolkit } from '../../dist/index.js';
import { collectGarbage } from '../lib/ballast.mjs';
import { inTurns } from '../lib/in-turns.mjs';
import { median, rounded, summary } from '../lib/statistics.mjs';
import { RivalShell } from './rival.mjs';

const PROMPT = '__BENCH__ ';
/** Its line editor shows the input too; the answer stands behind a return of its own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the switch of bracketed paste stands before the prompt.
const SHOWN = /\rhi\r\n(?:\u001b\[\?2004h)?__BENCH__ $/;
const BASH = ['--norc', '--noprofile'];
const MEGABYTES = { full: 200, quick: 20 };
const ROUNDS = { full: 5, quick: 2 };
const LINES = { full: 2_000, quick: 200 };
const LIVE = { full: 200, quick: 50 };
const STARTS = { full: 100, quick: 20 };
const CALLS = { full: 300, quick: 30 };
/** Before these nothing is counted: code is compiled, the first workers come. */
const WARM_UP_CALLS = 20;
const TIMEOUT_MS = 600_000;
const LAST_MS = 400;

const env = { PS1: PROMPT, PATH: process.env.PATH, TERM: 'xterm-256color' };
const of = (counts, quick) => (quick ? counts.quick : counts.full);

function expectEqual(who, found, expected) {
  if (found !== expected) throw new Error(`${who}: expected ${expected}, got ${found}`);
}

async function withToolkit(use) {
  const toolkit = await createToolkit({ workspace: process.cwd(), limits: { sessions: 256 } });
  try {
    return await use(toolkit.sessions);
  } finally {
    await toolkit.close();
  }
}

const openBash = (sessions) =>
  sessions.open(`bash ${BASH.join(' ')}`, { readyMarkers: [PROMPT], env: { set: { PS1: PROMPT } } });
const rivalBash = (pty) => new RivalShell(pty, 'bash', BASH, { prompt: PROMPT, env });

/** A session cleans, masks and keeps the text; the others only count bytes. */
async function readSession(sessions, program, bytes) {
  const begun = performance.now();
  const session = await sessions.open(program, { args: ['write', String(bytes)] });
  while ((await session.read({ until: 'quiet', maxOutputBytes: 1, timeoutMs: TIMEOUT_MS })).reason !== 'exited');
  const ms = performance.now() - begun;
  expectEqual('handrail', session.end.exitCode, 0);
  // What was written, but for the end of a last line that was cut.
  expectEqual('handrail', session.history(Number.MAX_SAFE_INTEGER).end, bytes);
  return ms;
}

function readRival(pty, program, bytes) {
  return new Promise((resolve) => {
    const begun = performance.now();
    let [count, last] = [0, begun];
    const options = { cols: 200, rows: 50, env, encoding: null };
    const child = pty.spawn(program, ['write', String(bytes)], options);
    child.onData((piece) => {
      count += piece.length;
      last = performance.now();
    });
    // It lets go of the terminal 200 ms after the exit. What has not come by then is lost: that is said, not hidden.
    child.onExit(() => setTimeout(() => resolve({ ms: last - begun, count }), LAST_MS));
  });
}

export async function flood({ floor, rival, quick }) {
  const bytes = of(MEGABYTES, quick) * 1e6;
  const { bytes: raw } = await floor.terminal(bytes);
  let lost = 0;
  const runs = {
    reader: async () => {
      const taken = await floor.terminal(bytes);
      expectEqual('floor', taken.bytes, raw);
      return taken.ms;
    },
    handrail: () => withToolkit((sessions) => readSession(sessions, floor.program, bytes)),
    ...(rival === undefined
      ? {}
      : {
          'node-pty': async () => {
            const { ms, count } = await readRival(rival, floor.program, bytes);
            lost = Math.max(lost, raw - count);
            return ms;
          },
        }),
  };
  const samples = await inTurns(runs, of(ROUNDS, quick));
  const rates = Object.entries(samples).map(([name, taken]) => [
    name,
    summary(
      taken.map((ms) => bytes / 1e3 / ms),
      0,
    ),
  ]);
  return { bytes, rates: Object.fromEntries(rates), lost };
}

export async function echo({ rival, quick }) {
  const count = of(LINES, quick);
  return await withToolkit(async (sessions) => {
    const session = await openBash(sessions);
    await session.read();
    const other = rival === undefined ? undefined : rivalBash(rival);
    await other?.read();
    const timed = async (ask, isRight) => {
      const begun = performance.now();
      const text = await ask();
      const ms = performance.now() - begun;
      if (!isRight(text)) throw new Error(`a wrong answer: ${JSON.stringify(text)}`);
      return ms;
    };
    const right = `hi\n${PROMPT}`;
    const runs = {
      handrail: () =>
        timed(
          async () => (await session.send('echo hi')).text,
          (text) => text === right,
        ),
      ...(other === undefined
        ? {}
        : {
            'node-pty': () =>
              timed(
                () => other.send('echo hi'),
                (text) => SHOWN.test(text),
              ),
          }),
    };
    const samples = await inTurns(runs, count);
    await other?.close();
    return Object.fromEntries(Object.entries(samples).map(([name, taken]) => [name, summary(taken)]));
  });
}

function held() {
  collectGarbage();
  const status = readFileSync('/proc/self/status', 'utf8');
  const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return { rssKb: field('VmRSS'), threads: field('Threads'), descriptors: readdirSync('/proc/self/fd').length };
}

async function openAndClose(count, open) {
  const shells = await Promise.all(Array.from({ length: count }, open));
  await Promise.all(shells.map((shell) => shell.read()));
  await Promise.all(shells.map((shell) => shell.close()));
}

async function hold(count, open) {
  // What the first ones cost is kept for the others.
  for (let warm = 0; warm < 2; warm += 1) await openAndClose(10, open);
  const before = held();
  const begun = performance.now();
  const shells = await Promise.all(Array.from({ length: count }, open));
  for (const text of await Promise.all(shells.map((shell) => shell.read()))) {
    if (!(text.text ?? text).endsWith(PROMPT)) throw new Error('a shell without a prompt');
  }
  const ms = performance.now() - begun;
  const after = held();
  await Promise.all(shells.map((shell) => shell.close()));
  const each = (name) => rounded((after[name] - before[name]) / count, 2);
  return {
    ms,
    rssKbEach: each('rssKb'),
    descriptorsEach: each('descriptors'),
    threads: after.threads - before.threads,
  };
}

export async function many({ rival, quick }) {
  const count = of(LIVE, quick);
  const handrail = await withToolkit((sessions) => hold(count, () => openBash(sessions)));
  const other = rival === undefined ? {} : { 'node-pty': await hold(count, async () => rivalBash(rival)) };
  return { count, handrail, ...other };
}

export async function start({ rival, quick }) {
  return await withToolkit(async (sessions) => {
    const call = async (open) => {
      const begun = performance.now();
      const opening = open();
      const ms = performance.now() - begun;
      const shell = await opening;
      await shell.read();
      const ready = performance.now() - begun;
      await shell.close();
      return { ms, ready };
    };
    const runs = {
      handrail: () => call(() => openBash(sessions)),
      ...(rival === undefined ? {} : { 'node-pty': () => call(() => rivalBash(rival)) }),
    };
    const samples = await inTurns(runs, of(STARTS, quick));
    const figures = (taken) => ({
      call: summary(taken.map(({ ms }) => ms)),
      prompt: median(taken.map(({ ready }) => ready)),
    });
    return Object.fromEntries(Object.entries(samples).map(([name, taken]) => [name, figures(taken)]));
  });
}

/**
 * How long the call that starts a program holds the main thread: `sessions.open` beside a run of the same toolkit, each
 * in a turn of its own and with a worker at hand, as between the calls of an agent.
 */
export async function open({ quick }) {
  const toolkit = await createToolkit({ workspace: process.cwd(), terminal: { allow: ['true'] } });
  const timed = async (begin, check) => {
    // What came before is no part of this turn.
    await new Promise((resolve) => setTimeout(resolve, 1));
    const begun = performance.now();
    const beginning = begin();
    const ms = performance.now() - begun;
    await check(await beginning);
    return ms;
  };
  const runs = {
    run: () => timed(() => toolkit.terminal.run(['true']), checkRun),
    open: () => timed(() => openBash(toolkit.sessions), checkShell),
  };
  try {
    await inTurns(runs, WARM_UP_CALLS);
    const samples = await inTurns(runs, of(CALLS, quick));
    const figures = Object.fromEntries(Object.entries(samples).map(([name, taken]) => [name, summary(taken, 3)]));
    return { ...figures, times: rounded(figures.open.median / figures.run.median, 2) };
  } finally {
    await toolkit.close();
  }
}

function checkRun(result) {
  expectEqual('run', result.exitCode, 0);
}

async function checkShell(shell) {
  const { text } = await shell.read();
  if (!text.endsWith(PROMPT)) throw new Error('a shell without a prompt');
  await shell.close();
}
