/** Programs that use up what the machine has: each is held under its limit, and the same program passes without. */
import { describe, expect, test } from 'vitest';

import type { LimitOptions } from '../../ts/index.js';
import { LIVENESS_MS } from '../support/liveness.js';
import { hostProgram, programsForAll, USERS } from './hosts.js';
import type { LimitsAnswers, LimitsRequest } from './limits-host.js';

const MIB = 2 ** 20;
const NEWEST = 2 ** 31;
/** What each program is held to; all of it is far below what the machine notices. */
const USES: readonly { readonly what: string; readonly limits: LimitOptions; readonly met: string }[] = [
  { what: 'memory', limits: { memoryBytes: 64 * MIB }, met: 'memoryBytes' },
  { what: 'processes', limits: { processes: 50 }, met: 'processes' },
  { what: 'disk', limits: { diskBytes: 8 * MIB }, met: 'diskBytes' },
  { what: 'shared', limits: { diskBytes: 8 * MIB }, met: 'diskBytes' },
  { what: 'file', limits: { fileBytes: MIB }, met: 'fileBytes' },
  { what: 'processor', limits: { cpuMs: 300 }, met: 'cpuMs' },
  { what: 'files', limits: { openFiles: 64 }, met: 'openFiles' },
];

/** What holds memory and processes: control groups where this user may make some, or counts. */
const KERNELS = {
  'all that the kernel has': {},
  'counts in a namespace': { kernel: { landlock: NEWEST, filters: true, namespaces: true, controlGroups: false } },
  'counts without a namespace': {
    kernel: { landlock: NEWEST, filters: true, namespaces: false, controlGroups: false },
  },
} as const;

const programs = programsForAll();
const host = await hostProgram<LimitsRequest, LimitsAnswers>('limits-host.ts');

describe.skipIf(programs === undefined).each(USERS)('as uid %i', (uid) => {
  const run = (kernel: Partial<LimitsRequest>, uses: LimitsRequest['uses']) =>
    host(uid, { ...kernel, programs: programs ?? '', uses });

  test.each(Object.entries(KERNELS))(
    'each is ended at its limit, by %s',
    async (name, kernel) => {
      // Without a namespace there is no private folder of shared memory.
      const uses = USES.filter(({ what }) => what !== 'shared' || !name.includes('without'));
      const { answers, groups } = await run(kernel, uses);
      const held = uses.map(({ what, met }) => ({ what, status: 'limited', limit: met, meanwhile: 'here\n' }));
      expect(answers).toMatchObject(held.map((row) => ({ ...row, survivors: [] })));
      expect(answers.filter(({ output }) => output.includes('past'))).toEqual([]);
      expect(groups).toEqual([]);
    },
    LIVENESS_MS,
  );

  test(
    'each passes where the limit is lifted',
    async () => {
      const lifted = USES.filter(({ what }) => what !== 'shared').map(({ what, limits }) => ({
        what,
        limits: Object.fromEntries(Object.keys(limits).map((name) => [name, 'none'])),
      }));
      const { answers } = await run({}, lifted);
      expect(answers).toMatchObject(lifted.map(({ what }) => ({ what, status: 'exited', output: 'past\n' })));
    },
    LIVENESS_MS,
  );
});
