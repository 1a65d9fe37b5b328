// The measurements of this row: reads and edits by Handrail and its rivals, and the judging of commands.
import { readFileSync, writeFileSync } from 'node:fs';
import { Files, Terminal } from '../../dist/index.js';
import { interleave } from '../lib/interleave.mjs';
import { compareWithBaseline, timed } from '../lib/runners.mjs';
import { mapValues, summary } from '../lib/statistics.mjs';
import { EDIT_BASELINE, fileRunners, SYNCED_EDIT_BASELINE, syncedFileRunners } from './rivals.mjs';

const ROUNDS = { full: { rounds: 4_000, warmUpRounds: 400 }, quick: { rounds: 50, warmUpRounds: 5 } };
const EXPLAIN_ROUNDS = { full: 20, quick: 1 };
const CORPUS = new URL('../../test/corpus/commands.json', import.meta.url);
const MICROSECONDS_PER_MS = 1_000;

/**
 * Times of all runners, interleaved.
 *
 * @param {{folder: string, quick: boolean}} context
 * @param {{act: (runner: object) => Promise<unknown>, check: (result: unknown) => void}} operation `check` runs after the
 *   time was taken, and throws when the result is wrong
 */
async function compareRunners({ folder, state, quick }, { act, check }, { sync, createRunners, baseline }) {
  const files = new Files({ roots: [folder], sync });
  const kept = new Files({ roots: [folder], sync, changes: { folder: state } });
  const measure = async (runner) => {
    let result;
    const ms = await timed(async () => {
      result = await act(runner);
    });
    check(result);
    return ms;
  };
  try {
    const runners = mapValues(createRunners({ folder, files, kept }), (runner) => () => measure(runner));
    const samples = await interleave(runners, quick ? ROUNDS.quick : ROUNDS.full);
    return compareWithBaseline(samples, baseline);
  } finally {
    await Promise.all([files.close(), kept.close()]);
  }
}

const UNSYNCED = { sync: false, createRunners: fileRunners, baseline: EDIT_BASELINE };
const SYNCED = { sync: true, createRunners: syncedFileRunners, baseline: SYNCED_EDIT_BASELINE };

/** Reads the whole file. */
export function reads(context) {
  const operation = {
    act: (runner) => runner.read(context.file),
    check: (text) => {
      if (text !== context.text) throw new Error('another text was read');
    },
  };
  return compareRunners(context, operation, UNSYNCED);
}

/** Changes a few characters; the next runner changes them back. */
export const edits = (context) => edit(context, UNSYNCED);

/** The same edits, each on the disk before it counts as done. */
export const syncedEdits = (context) => edit(context, SYNCED);

function edit(context, comparison) {
  const states = ['compute(50)', 'compute(-5)'];
  let editCount = 0;
  writeFileSync(context.file, context.text);
  const operation = {
    act: (runner) => {
      const replacement = { old: states[editCount % 2], new: states[(editCount + 1) % 2] };
      editCount += 1;
      return runner.edit(context.file, replacement);
    },
    check: () => {
      const isEdited = readFileSync(context.file, 'utf8').includes(states[editCount % 2]);
      if (!isEdited) throw new Error('the edit is not in the file');
    },
  };
  return compareRunners(context, operation, comparison);
}

/** Whether a command was allowed although its program is on the deny list. */
const isBypass = ({ policy, accept }, decision) =>
  decision === 'allow' && policy.deny !== undefined && accept.every((accepted) => accepted === 'deny');

/** Judges each command of the test corpus as a shell script, by the policy of its case. */
export async function explaining({ quick }) {
  const { cases } = JSON.parse(readFileSync(CORPUS, 'utf8'));
  const policies = new Map(cases.map(({ policy }) => [JSON.stringify(policy), policy]));
  const terminals = new Map([...policies].map(([key, policy]) => [key, new Terminal({ ...policy, shell: 'bash' })]));
  const samples = [];
  const rounds = quick ? EXPLAIN_ROUNDS.quick : EXPLAIN_ROUNDS.full;
  for (let round = 0; round <= rounds; round += 1) {
    for (const corpusCase of cases) {
      const terminal = terminals.get(JSON.stringify(corpusCase.policy));
      const started = performance.now();
      const { decision } = terminal.explain(corpusCase.command);
      // The first round warms up.
      if (round > 0) samples.push((performance.now() - started) * MICROSECONDS_PER_MS);
      if (isBypass(corpusCase, decision)) throw new Error(`allowed: ${corpusCase.command}`);
    }
  }
  await Promise.all([...terminals.values()].map((terminal) => terminal.close()));
  return { commands: cases.length, us: summary(samples, 1) };
}
