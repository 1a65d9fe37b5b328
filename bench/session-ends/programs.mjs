// The programs, each driven to the end of a read that no prompt tells. Every answer is checked, and its reason.
import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { interleave } from '../lib/interleave.mjs';
import { mapValues, summary } from '../lib/statistics.mjs';

const ROUNDS = { full: 15, quick: 1 };
/** The pause between two attempts to reach a server, in milliseconds. */
const ATTEMPT_PAUSE_MS = 2;

/** Prompts that a model's sessions know. */
const MARKERS = ['$ ', '# ', '> ', '>>> ', '(gdb) '];

/** The name of each measurement, and what lies between the cause and the answer. */
export const LABELS = {
  dev: '`npm run dev`: from "ready" to `idle`',
  init: '`npm init`: from an answer to the next question',
  ipython: 'ipython: from a line to its next prompt',
  gdb: 'gdb: from a line to its "(y or [n])"',
  port: '`python3 -m http.server`: listening to `until: { port }`',
};

const PROGRAMS = { dev: 'npm', init: 'npm', ipython: 'ipython3', gdb: 'gdb', port: 'python3' };
const FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];
const isThere = (program) => FOLDERS.some((folder) => existsSync(join(folder, program)));

/** Why a program is not measured, by its name. */
export const ABSENT = Object.fromEntries(
  Object.values(PROGRAMS)
    .filter((program) => !isThere(program))
    .map((program) => [program, 'it is not installed']),
);

function assertAnswer({ reason, text }, expectedReason, pattern) {
  if (reason === expectedReason && pattern.test(text)) return;
  throw new Error(`a wrong answer: ${JSON.stringify({ reason, text })}`);
}

/** Opens a session, and gives what `drive` does; the session is closed then. */
async function withSession(toolkit, command, options, drive) {
  const session = await toolkit.sessions.open(command, options);
  try {
    return await drive(session);
  } finally {
    await session.close();
  }
}

/** Milliseconds from a line to its answer, after what the program wrote first and what it answered to earlier lines. */
function timedLine(command, options, first, line, reason, pattern, earlierLines = []) {
  return (toolkit) =>
    withSession(toolkit, command, { readyMarkers: MARKERS, ...options }, async (session) => {
      assertAnswer(await session.read(), ...first);
      for (const earlierLine of earlierLines) assertAnswer(await session.send(earlierLine), reason, /./);
      const sentAt = performance.now();
      const answer = await session.send(line);
      const ms = performance.now() - sentAt;
      assertAnswer(answer, reason, pattern);
      return ms;
    });
}

async function dev(toolkit) {
  return await withSession(toolkit, 'npm run dev', { cwd: 'server' }, async (session) => {
    const answer = await session.read();
    const answeredAt = Date.now();
    assertAnswer(answer, 'idle', /\nready \d+\n$/);
    return answeredAt - Number(/ready (\d+)/.exec(answer.text)[1]);
  });
}

/** A port that nobody listens on. */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Settles with the time when something listens on the port. */
async function untilReachable(port) {
  while (true) {
    const isReached = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      }).on('error', () => resolve(false));
    });
    if (isReached) return performance.now();
    await new Promise((resolve) => setTimeout(resolve, ATTEMPT_PAUSE_MS));
  }
}

async function port(toolkit) {
  const number = await freePort();
  return await withSession(toolkit, `python3 -m http.server ${number} --bind 127.0.0.1`, {}, async (session) => {
    const reachable = untilReachable(number);
    const answer = await session.read({ until: { port: number } });
    const answeredAt = performance.now();
    assertAnswer(answer, 'matched', /^/);
    return Math.max(0, answeredAt - (await reachable));
  });
}

const MEASUREMENTS = {
  dev,
  init: timedLine('npm init', { cwd: 'init' }, ['quiet', /: \(init\) $/], 'mine', 'quiet', /^version: \(1\.0\.0\) $/),
  ipython: timedLine(
    'ipython3 --no-banner --no-confirm-exit --colors=NoColor',
    {},
    ['quiet', /In \[1\]: ?$/],
    '6 * 7',
    'quiet',
    /Out\[2\]: 42\n\nIn \[3\]: ?$/,
    // Before its first answer ipython asks the terminal where the cursor is, and waits two seconds for an answer.
    ['1'],
  ),
  gdb: timedLine(
    'gdb -q -nx /bin/true',
    {},
    ['marker', /\(gdb\) $/],
    'break no_such_function',
    'quiet',
    /\(y or \[n\]\) $/,
  ),
  port,
};

export async function ends({ toolkit, quick }) {
  const there = Object.entries(MEASUREMENTS).filter(([name]) => isThere(PROGRAMS[name]));
  const runners = Object.fromEntries(there.map(([name, measure]) => [name, () => measure(toolkit)]));
  const samples = await interleave(runners, { rounds: quick ? ROUNDS.quick : ROUNDS.full });
  return mapValues(samples, (times) => summary(times, 0));
}
