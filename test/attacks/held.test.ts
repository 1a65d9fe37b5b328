/**
 * What passes because the kernel holds the list of programs, or keeps every file as it is: each such case of the corpus names
 * the plan that stops it, is run as it was judged, and leaves the canary alone, for root and for an ordinary user.
 */
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

import { soakSample } from '../support/soak.js';
import { type CorpusCase, stoppedCases } from './corpus-case.js';
import type { HeldAnswer, HeldRequest } from './held-host.js';
import { hostProgram, programsForAll, USERS } from './hosts.js';

const ALL_TIMEOUT_MS = 600_000;

const host = await hostProgram<HeldRequest, readonly HeldAnswer[]>('held-host.ts');
const programs = programsForAll();
const stopped = stoppedCases();
const corpus = stopped.filter(({ policy }) => policy.allow !== undefined);
/** Arguments that nobody knows before they are there, for programs that do nothing else by an argument. */
const UNKNOWN = ['mkdir -p $(printf made)', 'touch $(printf "a b")', 'mytool $(printf "%s" canary)'].map(
  (command, index): CorpusCase => ({
    ...(corpus[0] as CorpusCase),
    id: `unknown-${index}`,
    command,
    policy: { allow: ['mkdir', 'mytool', 'printf', 'touch'] },
    kernel_stops: ['exec-allowlist'],
  }),
);
/** `npm test` tries a quarter, `npm run soak -- attacks` all. */
const cases = [...soakSample(stopped, 4), ...UNKNOWN];

describe.skipIf(programs === undefined).each(USERS)('as uid %i', (uid) => {
  let answers: readonly HeldAnswer[] = [];
  beforeAll(async () => {
    answers = await host(uid, { evil: path.join(programs ?? '', 'evil.so'), cases });
  }, ALL_TIMEOUT_MS);

  test('what passes only because the list and the roots are held names the plan that stops it, and does no harm', () => {
    const passed = answers.filter(({ passes }) => passes.held && !passes.loose);
    const named = cases.filter(({ kernel_stops = [] }) => kernel_stops.includes('exec-allowlist'));
    expect(passed.length).toBeGreaterThan(0);
    expect(named.map(({ id }) => id)).toEqual(expect.arrayContaining(passed.map(({ id }) => id)));
    expect(passed.filter(({ changed }) => changed.held)).toEqual([]);
  });

  test('what passes only because nothing may be written names the plan that stops it, and does no harm', () => {
    const passed = answers.filter(({ passes }) => passes.kept && !passes.any);
    const named = cases.filter(({ kernel_stops = [] }) => kernel_stops.includes('read-only'));
    expect(passed.length).toBeGreaterThan(0);
    expect(named.map(({ id }) => id)).toEqual(expect.arrayContaining(passed.map(({ id }) => id)));
    expect(passed.filter(({ changed }) => changed.kept)).toEqual([]);
  });

  test('nothing that passes without the list, or with files to write, is refused with it, or without them', () => {
    expect(answers.filter(({ passes }) => passes.any && !(passes.held && passes.kept))).toEqual([]);
  });
});
