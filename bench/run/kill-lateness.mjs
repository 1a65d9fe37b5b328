// How late a run returns that leaves many behind: from its leader's last word, or from the deadline.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../../scripts/lib/paths.mjs';
import { processes } from '../lib/leftovers.mjs';
import { withTerminal } from '../lib/rivals.mjs';
import { summary } from '../lib/statistics.mjs';

const CORPUS = join(root, 'test', 'kill', 'corpus.ts');
const ROUNDS = { usual: 20, storm: 5, quick: 1 };
const STORM = 1_000;
/** The escapes that are timed, and what their lateness counts from. */
const TIMED = [
  { name: 'setsid in the background', from: 'deadline' },
  { name: 'ignores SIGTERM', from: 'deadline and grace' },
  { name: 'env -i setsid', from: 'end of the leader' },
  { name: '100 descendants', from: 'end of the leader' },
  { name: '1,000 descendants', from: 'end of the leader' },
];
/** The last thing the script does itself, without starting a program for it. */
const SAY_WHEN = '; printf "%s" "$EPOCHREALTIME" >&2';

/** Milliseconds to add to `performance.now()` for the wall clock, found at one of its ticks. */
function clockOffset() {
  const first = Date.now();
  let now = first;
  while (now === first) now = Date.now();
  return now - performance.now();
}

function living(mark) {
  return processes().filter(({ pid, state }) => {
    if (state === 'Z' || state === 'X') return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(mark);
    } catch {
      return false; // It ended while we looked.
    }
  });
}

function assertEnded(attempt, mark, result) {
  const { status, stdout, survivors } = result;
  const left = living(mark).length;
  if (status !== attempt.status || stdout !== attempt.output || survivors.length > 0 || left > 0) {
    throw new Error(`${attempt.name}: ${JSON.stringify({ status, stdout, survivors, left })}`);
  }
}

let marks = 0;

async function lateness(terminal, attempt, from, { AMPLE_DEADLINE_MS, GRACE_MS }) {
  marks += 1;
  const mark = `8${process.pid}.${marks}`;
  const script = attempt.script.replaceAll('MARK', mark) + (attempt.deadlineMs === undefined ? SAY_WHEN : '');
  const offset = clockOffset();
  const begun = performance.now();
  const timeoutMs = attempt.deadlineMs ?? AMPLE_DEADLINE_MS;
  const result = await terminal.run(['bash', '-c', script], { timeoutMs });
  const ended = performance.now();
  assertEnded(attempt, mark, result);
  if (from === 'deadline') return ended - begun - timeoutMs;
  if (from === 'deadline and grace') return ended - begun - timeoutMs - GRACE_MS;
  return ended + offset - Number(result.stderr) * 1_000;
}

async function samplesOf(terminal, corpus, { name, from }, quick) {
  const storm = corpus.manyDescendants(STORM);
  const attempt = [...corpus.ESCAPES, storm].find((entry) => entry.name === name);
  if (attempt === undefined) throw new Error(`the corpus has no escape '${name}' any more`);
  const usual = attempt === storm ? ROUNDS.storm : ROUNDS.usual;
  const samples = [];
  for (let round = 0; round < (quick ? ROUNDS.quick : usual); round += 1) {
    samples.push(await lateness(terminal, attempt, from, corpus));
  }
  return samples;
}

export async function killLateness({ quick }) {
  // The tests' own attacks, which are written in TypeScript; vite comes with the test runner.
  const { module: corpus } = await runnerImport(CORPUS, { configFile: false, logLevel: 'error' });
  const options = { trustInterpreters: ['bash'], graceMs: corpus.GRACE_MS };
  return withTerminal(['bash'], options, async (terminal) => {
    const escapes = [];
    for (const entry of TIMED) {
      escapes.push({ ...entry, lateMs: summary(await samplesOf(terminal, corpus, entry, quick), 1) });
    }
    return { escapes };
  });
}
