/**
 * Analysis off, kernel alone: every case of the corpus that names plans which stop it is stopped by each of them, for root
 * and for an ordinary user, and does its harm without one.
 */
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

import { soakSample } from '../support/soak.js';
import { stoppedCases } from './corpus-case.js';
import type { CorpusAnswer, CorpusRequest } from './corpus-host.js';
import { hostProgram, programsForAll, USERS } from './hosts.js';
import { missing } from './workspace.js';

const ALL_TIMEOUT_MS = 1_200_000;
const FEWEST_CASES = 100;

/** Cases whose harm something else prevents, now and then or always. The plans have to stop them all the same. */
const HARMLESS_HERE: Readonly<Record<string, string>> = {
  C082: 'bash does not wait for what a process substitution starts, and the end of the run ends it',
  C276: 'what it starts is sometimes ended with the run before it has done anything',
  C295: 'an editor in the environment of commands wins over the one in an argument',
};

const host = await hostProgram<CorpusRequest, readonly CorpusAnswer[]>('corpus-host.ts');
const programs = programsForAll();
const all = stoppedCases();
const cases = soakSample(all);

test('everything that is needed is here', () => {
  expect(all.length).toBeGreaterThan(FEWEST_CASES);
  const isWhole = programs !== undefined && USERS.length > 1;
  expect(isWhole || process.env['CI'] === undefined).toBe(true);
});

describe.skipIf(programs === undefined).each(USERS)('as uid %i', (uid) => {
  let answers: readonly CorpusAnswer[] = [];
  beforeAll(async () => {
    answers = await host(uid, { evil: path.join(programs ?? '', 'evil.so'), cases });
  }, ALL_TIMEOUT_MS);

  test.for(cases.map((one) => [one.id, one] as const))('%s', ([id, { command, kernel_stops = [] }], context) => {
    const lacks = command.startsWith('busybox ') ? missing(['busybox']) : [];
    context.skip(lacks.length > 0 && process.env['CI'] === undefined, `missing: ${lacks.join(', ')}`);
    const own = answers.filter((answer) => answer.id === id);
    const off = own.filter(({ profile }) => profile === 'off');
    if (HARMLESS_HERE[id] === undefined) expect({ command, off }).toMatchObject({ off: [{ changed: true }] });
    const on = own.filter(({ profile }) => profile !== 'off');
    expect(on.map(({ profile }) => profile).toSorted()).toEqual([...kernel_stops].toSorted());
    expect({ command, changed: on.filter(({ changed }) => changed) }).toEqual({ command, changed: [] });
  });
});
