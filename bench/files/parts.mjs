// The parts: each takes turns with the others who can do the same, and checks what came of it.
import { readFileSync, writeFileSync } from 'node:fs';
import { Files, Terminal } from '../../dist/index.js';
import { rounded, summary } from '../lib/statistics.mjs';
import { rivals, syncedRivals } from './rivals.mjs';

const TURNS = { full: 4_000, quick: 50 };
const WARM = { full: 400, quick: 5 };
const ROUNDS = { full: 20, quick: 1 };
const CORPUS = new URL('../../test/corpus/commands.json', import.meta.url);
const MICROSECONDS = 1_000;

/** Each rival in turn; what it did is checked when its time is taken. */
async function takeTurns(all, count, samples, { act, check }) {
  for (let turn = 0; turn < count; turn += 1) {
    for (const [name, rival] of Object.entries(all)) {
      const started = performance.now();
      const answer = await act(rival);
      samples?.[name].push((performance.now() - started) * MICROSECONDS);
      check(answer);
    }
  }
}

async function measure({ folder, quick }, job, { sync = false, others = rivals, bareName = 'fs/promises' } = {}) {
  const files = new Files({ roots: [folder], sync });
  const all = others({ folder, files });
  const samples = Object.fromEntries(Object.keys(all).map((name) => [name, []]));
  const size = quick ? 'quick' : 'full';
  try {
    await takeTurns(all, WARM[size], undefined, job);
    await takeTurns(all, TURNS[size], samples, job);
  } finally {
    await files.close();
  }
  const us = Object.fromEntries(Object.entries(samples).map(([name, taken]) => [name, summary(taken, 1)]));
  const bare = us[bareName].median;
  const times = Object.entries(us).map(([name, { median }]) => [name, rounded(median / bare, 2)]);
  return { us, timesBare: Object.fromEntries(times) };
}

/** Reads of the whole file. */
export function reads(context) {
  return measure(context, {
    act: (rival) => rival.read(context.file),
    check: (text) => {
      if (text !== context.text) throw new Error('another text was read');
    },
  });
}

/** A few characters changed, and changed back by the next. */
export const edits = (context) => change(context);

/** The same by those who wait until it is on the disk. */
export const syncedEdits = (context) => change(context, { sync: true, others: syncedRivals, bareName: 'fdatasync' });

function change(context, how) {
  const states = ['compute(50)', 'compute(-5)'];
  let changes = 0;
  writeFileSync(context.file, context.text);
  const job = {
    act: (rival) => {
      const edit = { old: states[changes % 2], new: states[(changes + 1) % 2] };
      changes += 1;
      return rival.edit(context.file, edit);
    },
    check: () => {
      if (!readFileSync(context.file, 'utf8').includes(states[changes % 2])) throw new Error('the edit is not there');
    },
  };
  return measure(context, job, how);
}

/** Whether a program that is denied by name was let through. */
const isBypass = ({ policy, accept }, decision) =>
  decision === 'allow' && policy.deny !== undefined && accept.every((answer) => answer === 'deny');

/** Judging each command of the corpus as a script, under the lists it comes with. */
export async function explaining({ quick }) {
  const { cases } = JSON.parse(readFileSync(CORPUS, 'utf8'));
  const policies = new Map(cases.map(({ policy }) => [JSON.stringify(policy), policy]));
  const terminals = new Map([...policies].map(([key, policy]) => [key, new Terminal({ ...policy, shell: 'bash' })]));
  const samples = [];
  for (let round = 0; round <= ROUNDS[quick ? 'quick' : 'full']; round += 1) {
    for (const each of cases) {
      const terminal = terminals.get(JSON.stringify(each.policy));
      const started = performance.now();
      const { decision } = terminal.explain(each.command);
      // The first round warms up.
      if (round > 0) samples.push((performance.now() - started) * MICROSECONDS);
      if (isBypass(each, decision)) throw new Error(`allowed: ${each.command}`);
    }
  }
  await Promise.all([...terminals.values()].map((terminal) => terminal.close()));
  return { commands: cases.length, us: summary(samples, 1) };
}
