// The cost of a session: large output, one line and its answer, many sessions at once, and a start. Every answer is checked.
import { readdirSync, readFileSync } from 'node:fs';
import { createToolkit } from '../../dist/index.js';
import { assertEqual } from '../lib/assert.mjs';
import { collectGarbage } from '../lib/ballast.mjs';
import { interleave } from '../lib/interleave.mjs';
import { timed } from '../lib/runners.mjs';
import { mapValues, median, megabytesPerSecond, rounded, summary } from '../lib/statistics.mjs';
import { NodePtyShell } from './node-pty.mjs';

const PROMPT = '__BENCH__ ';
/** What node-pty shows for `echo hi`: the echoed input line, then the output and the next prompt. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: bash switches bracketed paste on before its prompt.
const ECHO_ANSWER = /\rhi\r\n(?:\u001b\[\?2004h)?__BENCH__ $/;
const BASH_ARGS = ['--norc', '--noprofile'];
const FLOOD_MEGABYTES = { full: 200, quick: 20 };
const FLOOD_ROUNDS = { full: 5, quick: 2 };
const ECHO_LINES = { full: 2_000, quick: 200 };
const OPEN_SHELLS = { full: 200, quick: 50 };
/** As many as `limits.sessions` can be. */
const THOUSAND_SHELLS = { full: 1_000, quick: 200 };
const STARTS = { full: 100, quick: 20 };
const OPEN_CALLS = { full: 300, quick: 30 };
/** Calls before the measurement, in which code is compiled and the first workers start. */
const WARM_UP_CALLS = 20;
const TIMEOUT_MS = 600_000;
/** node-pty closes the terminal 200 ms after the exit of its program; output that has not come by then is lost. */
const NODE_PTY_DRAIN_MS = 400;

const SHELL_ENV = { PS1: PROMPT, PATH: process.env.PATH, TERM: 'xterm-256color' };
const sizeOf = (counts, quick) => (quick ? counts.quick : counts.full);

/** The runner of Handrail, and that of node-pty where it is installed. */
const runnersOf = (nodePty, handrail, createNodePtyRunner) => ({
  handrail,
  ...(nodePty === undefined ? {} : { 'node-pty': createNodePtyRunner(nodePty) }),
});

async function withSessions(use) {
  const toolkit = await createToolkit({ workspace: process.cwd(), limits: { sessions: 1_000 } });
  try {
    return await use(toolkit.sessions);
  } finally {
    await toolkit.close();
  }
}

const openBash = (sessions) =>
  sessions.open(`bash ${BASH_ARGS.join(' ')}`, { readyMarkers: [PROMPT], env: { set: { PS1: PROMPT } } });
const openNodePtyBash = (nodePty) => new NodePtyShell(nodePty, 'bash', BASH_ARGS, { prompt: PROMPT, env: SHELL_ENV });

/** Milliseconds that a session takes to read, clean, mask and keep `bytes` of output. */
async function readBySession(sessions, program, bytes) {
  const started = performance.now();
  const session = await sessions.open(program, { args: ['write', String(bytes)] });
  while ((await session.read({ until: 'quiet', maxOutputBytes: 1, timeoutMs: TIMEOUT_MS })).reason !== 'exited');
  const ms = performance.now() - started;
  assertEqual('exit code in the session', 0, session.end.exitCode);
  assertEqual('bytes in the history of the session', bytes, session.history(Number.MAX_SAFE_INTEGER).end);
  return ms;
}

/** Reads with node-pty, which only counts bytes here. */
function readByNodePty(nodePty, program, bytes) {
  return new Promise((resolve) => {
    const started = performance.now();
    let [bytesRead, lastDataAt] = [0, started];
    const options = { cols: 200, rows: 50, env: SHELL_ENV, encoding: null };
    const child = nodePty.spawn(program, ['write', String(bytes)], options);
    child.onData((chunk) => {
      bytesRead += chunk.length;
      lastDataAt = performance.now();
    });
    child.onExit(() => setTimeout(() => resolve({ ms: lastDataAt - started, bytesRead }), NODE_PTY_DRAIN_MS));
  });
}

export async function flood({ floor, nodePty, quick }) {
  const bytes = sizeOf(FLOOD_MEGABYTES, quick) * 1e6;
  // A terminal turns every newline into two bytes.
  const { bytes: terminalBytes } = await floor.terminal(bytes);
  let lost = 0;
  const runners = {
    reader: async () => {
      const { ms, bytes: bytesRead } = await floor.terminal(bytes);
      assertEqual('bytes that the floor read', terminalBytes, bytesRead);
      return ms;
    },
    ...runnersOf(
      nodePty,
      () => withSessions((sessions) => readBySession(sessions, floor.program, bytes)),
      () => async () => {
        const { ms, bytesRead } = await readByNodePty(nodePty, floor.program, bytes);
        lost = Math.max(lost, terminalBytes - bytesRead);
        return ms;
      },
    ),
  };
  const samples = await interleave(runners, { rounds: sizeOf(FLOOD_ROUNDS, quick) });
  const rates = mapValues(samples, (times) =>
    summary(
      times.map((ms) => megabytesPerSecond(bytes, ms)),
      0,
    ),
  );
  return { bytes, rates, lost };
}

/** Milliseconds until `send` gives an answer, which `isRight` checks. */
async function timedAnswer(send, isRight) {
  let answer;
  const ms = await timed(async () => {
    answer = await send();
  });
  if (!isRight(answer)) throw new Error(`a wrong answer: ${JSON.stringify(answer)}`);
  return ms;
}

export async function echo({ nodePty, quick }) {
  return await withSessions(async (sessions) => {
    const session = await openBash(sessions);
    await session.read();
    const nodePtyShell = nodePty && openNodePtyBash(nodePty);
    await nodePtyShell?.read();
    const runners = runnersOf(
      nodePty,
      () =>
        timedAnswer(
          async () => (await session.send('echo hi')).text,
          (text) => text === `hi\n${PROMPT}`,
        ),
      () => () =>
        timedAnswer(
          () => nodePtyShell.send('echo hi'),
          (text) => ECHO_ANSWER.test(text),
        ),
    );
    const samples = await interleave(runners, { rounds: sizeOf(ECHO_LINES, quick) });
    await nodePtyShell?.close();
    return mapValues(samples, (times) => summary(times));
  });
}

/** Memory, threads and descriptors of this process. */
function resourceUsage() {
  collectGarbage();
  const status = readFileSync('/proc/self/status', 'utf8');
  const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return { rssKb: field('VmRSS'), threads: field('Threads'), descriptors: readdirSync('/proc/self/fd').length };
}

async function openShells(count, openShell) {
  const shells = await Promise.all(Array.from({ length: count }, openShell));
  for (const output of await Promise.all(shells.map((shell) => shell.read()))) {
    if (!(output.text ?? output).endsWith(PROMPT)) throw new Error('a shell without a prompt');
  }
  return shells;
}

const closeShells = (shells) => Promise.all(shells.map((shell) => shell.close()));

async function measureOpenShells(count, openShell, use = () => undefined) {
  // Memory of the first shells is reused by later ones.
  for (let warmUp = 0; warmUp < 2; warmUp += 1) await closeShells(await openShells(10, openShell));
  const before = resourceUsage();
  let shells;
  const ms = await timed(async () => {
    shells = await openShells(count, openShell);
  });
  const after = resourceUsage();
  await use(shells);
  await closeShells(shells);
  const perShell = (name) => rounded((after[name] - before[name]) / count, 2);
  return {
    ms,
    rssKbEach: perShell('rssKb'),
    descriptorsEach: perShell('descriptors'),
    threads: after.threads - before.threads,
  };
}

export async function many({ nodePty, quick }) {
  const count = sizeOf(OPEN_SHELLS, quick);
  const handrail = await withSessions((sessions) => measureOpenShells(count, () => openBash(sessions)));
  if (nodePty === undefined) return { count, handrail };
  return { count, handrail, 'node-pty': await measureOpenShells(count, async () => openNodePtyBash(nodePty)) };
}

/** As many live shells as there can be, each of which answers a line of its own while all others live. */
export async function thousand({ quick }) {
  const count = sizeOf(THOUSAND_SHELLS, quick);
  return await withSessions(async (sessions) => {
    let answersMs;
    const figures = await measureOpenShells(
      count,
      () => openBash(sessions),
      async (shells) => {
        answersMs = await timed(async () => {
          const answers = await Promise.all(shells.map((shell, at) => shell.send(`echo ${at}`)));
          for (const [at, { text }] of answers.entries())
            assertEqual('the answer of a shell', `${at}\n${PROMPT}`, text);
        });
      },
    );
    return { count, ...figures, answersMs };
  });
}

/** Milliseconds for which the call itself blocks the main thread, and until `finish` has handled its result. */
async function timedCall(call, finish) {
  const started = performance.now();
  const pending = call();
  const ms = performance.now() - started;
  await finish(await pending);
  return { ms, finishedMs: performance.now() - started };
}

export async function start({ nodePty, quick }) {
  return await withSessions(async (sessions) => {
    const timedStart = async (openShell) => {
      let shell;
      const times = await timedCall(openShell, (opened) => {
        shell = opened;
        return shell.read();
      });
      await shell.close();
      return times;
    };
    const runners = runnersOf(
      nodePty,
      () => timedStart(() => openBash(sessions)),
      () => () => timedStart(() => openNodePtyBash(nodePty)),
    );
    const samples = await interleave(runners, { rounds: sizeOf(STARTS, quick) });
    return mapValues(samples, (times) => ({
      call: summary(times.map(({ ms }) => ms)),
      prompt: median(times.map(({ finishedMs }) => finishedMs)),
    }));
  });
}

/**
 * Milliseconds for which the call that starts a program blocks the main thread: `sessions.open` beside a run of the same
 * toolkit. Each call has a turn of the event loop to itself and finds a waiting worker, as between the calls of an agent.
 */
export async function open({ quick }) {
  const toolkit = await createToolkit({ workspace: process.cwd(), terminal: { allow: ['true'] } });
  const blockingMs = async (call, finish) => {
    // Work that is left from earlier calls is done in its own turn.
    await new Promise((resolve) => setTimeout(resolve, 1));
    return (await timedCall(call, finish)).ms;
  };
  const runners = {
    run: () =>
      blockingMs(
        () => toolkit.terminal.run(['true']),
        ({ exitCode }) => assertEqual('exit code of a run', 0, exitCode),
      ),
    open: () => blockingMs(() => openBash(toolkit.sessions), checkAndClose),
  };
  try {
    const rounds = sizeOf(OPEN_CALLS, quick);
    const samples = await interleave(runners, { rounds, warmUpRounds: WARM_UP_CALLS });
    const figures = mapValues(samples, (times) => summary(times, 3));
    return { ...figures, times: rounded(figures.open.median / figures.run.median, 2) };
  } finally {
    await toolkit.close();
  }
}

async function checkAndClose(shell) {
  const { text } = await shell.read();
  if (!text.endsWith(PROMPT)) throw new Error('a shell without a prompt');
  await shell.close();
}
