// How late a run returns whose processes try to escape: counted from its deadline, or from the end of its first process.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../../scripts/lib/paths.mjs';
import { listProcesses } from '../lib/leftovers.mjs';
import { withTerminal } from '../lib/runners.mjs';
import { summary } from '../lib/statistics.mjs';

const ESCAPE_CORPUS = join(root, 'test', 'kill', 'corpus.ts');
const ROUNDS = { usual: 20, storm: 5, quick: 1 };
const STORM_DESCENDANTS = 1_000;
/** The escapes that are measured, and the moment from which their lateness is counted. */
const MEASURED_ESCAPES = [
  { name: 'setsid in the background', from: 'deadline' },
  { name: 'ignores SIGTERM', from: 'deadline and grace' },
  { name: 'env -i setsid', from: 'end of the leader' },
  { name: '100 descendants', from: 'end of the leader' },
  { name: '1,000 descendants', from: 'end of the leader' },
];
/** Ends a script by printing the time, which bash does without starting a program. */
const PRINT_END_TIME = '; printf "%s" "$EPOCHREALTIME" >&2';

/** Milliseconds to add to `performance.now()` to get wall-clock time, measured when `Date.now()` changes. */
function clockOffset() {
  const first = Date.now();
  let now = first;
  while (now === first) now = Date.now();
  return now - performance.now();
}

function livingWith(mark) {
  return listProcesses().filter(({ pid, state }) => {
    if (state === 'Z' || state === 'X') return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(mark);
    } catch {
      return false; // The process ended meanwhile.
    }
  });
}

function assertNothingSurvived(attempt, mark, result) {
  const { status, stdout, survivors } = result;
  const left = livingWith(mark).length;
  if (status !== attempt.status || stdout !== attempt.output || survivors.length > 0 || left > 0) {
    throw new Error(`${attempt.name}: ${JSON.stringify({ status, stdout, survivors, left })}`);
  }
}

let markCount = 0;

/** Milliseconds from the moment `from` until the run returned. */
async function measureLateness(terminal, attempt, from, { AMPLE_DEADLINE_MS, GRACE_MS }) {
  markCount += 1;
  const mark = `8${process.pid}.${markCount}`;
  const script = attempt.script.replaceAll('MARK', mark) + (attempt.deadlineMs === undefined ? PRINT_END_TIME : '');
  const offset = clockOffset();
  const started = performance.now();
  const timeoutMs = attempt.deadlineMs ?? AMPLE_DEADLINE_MS;
  const result = await terminal.run(['bash', '-c', script], { timeoutMs });
  const ended = performance.now();
  assertNothingSurvived(attempt, mark, result);
  if (from === 'deadline') return ended - started - timeoutMs;
  if (from === 'deadline and grace') return ended - started - timeoutMs - GRACE_MS;
  return ended + offset - Number(result.stderr) * 1_000;
}

/** The measured escapes with their entries in the corpus. */
function attemptsOf(corpus) {
  const entries = [...corpus.ESCAPES, corpus.manyDescendants(STORM_DESCENDANTS)];
  return MEASURED_ESCAPES.map(({ name, from }) => {
    const attempt = entries.find((entry) => entry.name === name);
    if (attempt === undefined) throw new Error(`the corpus has no escape '${name}' any more`);
    return { name, from, attempt, rounds: attempt === entries.at(-1) ? ROUNDS.storm : ROUNDS.usual };
  });
}

export async function killLateness({ quick }) {
  // The corpus belongs to the tests and is written in TypeScript; vite, which can import it, comes with the test runner.
  const { module: corpus } = await runnerImport(ESCAPE_CORPUS, { configFile: false, logLevel: 'error' });
  const options = { trustInterpreters: ['bash'], graceMs: corpus.GRACE_MS };
  // A quick run may share the machine with other work, and escapes with a deadline of 300 ms would then fail.
  const attempts = attemptsOf(corpus).filter(({ attempt }) => !quick || attempt.deadlineMs === undefined);
  return withTerminal(['bash'], options, async (terminal) => {
    const escapes = [];
    for (const { name, from, attempt, rounds } of attempts) {
      const samples = [];
      for (let round = 0; round < (quick ? ROUNDS.quick : rounds); round += 1) {
        samples.push(await measureLateness(terminal, attempt, from, corpus));
      }
      escapes.push({ name, from, lateMs: summary(samples, 1) });
    }
    return { escapes };
  });
}
