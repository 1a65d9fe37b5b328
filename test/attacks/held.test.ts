/**
 * What passes because the kernel holds the list of programs: each such case of the corpus names the plan that stops it, is run
 * as it was judged, and leaves the canary alone, for root and for an ordinary user.
 */
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

import { type CorpusCase, stoppedCases } from './corpus-case.js';
import type { HeldAnswer, HeldRequest } from './held-host.js';
import { hostProgram, programsForAll, USERS } from './hosts.js';

const ALL_TIMEOUT_MS = 600_000;

const host = await hostProgram<HeldRequest, readonly HeldAnswer[]>('held-host.ts');
const programs = programsForAll();
const corpus = stoppedCases().filter(({ policy }) => policy.allow !== undefined);
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
const cases = [...corpus, ...UNKNOWN];

describe.skipIf(programs === undefined).each(USERS)('as uid %i', (uid) => {
  let answers: readonly HeldAnswer[] = [];
  beforeAll(async () => {
    answers = await host(uid, { evil: path.join(programs ?? '', 'evil.so'), cases });
  }, ALL_TIMEOUT_MS);

  test('what passes only because the list is held names the plan that stops it, and does no harm', () => {
    const passed = answers.filter(({ passes }) => passes.held && !passes.any);
    const named = cases.filter(({ kernel_stops = [] }) => kernel_stops.includes('exec-allowlist'));
    expect(passed.length).toBeGreaterThan(0);
    expect(named.map(({ id }) => id)).toEqual(expect.arrayContaining(passed.map(({ id }) => id)));
    expect(passed.filter(({ changed }) => changed)).toEqual([]);
  });

  test('nothing that passes without the list is refused with it', () => {
    expect(answers.filter(({ passes }) => passes.any && !passes.held)).toEqual([]);
  });
});
