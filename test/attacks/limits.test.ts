/** Programs that use up what the machine has: each is held under its limit, and the same program passes without. */
import { chownSync, existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';

import type { LimitOptions } from '../../ts/index.js';
import { LIVENESS_MS } from '../support/liveness.js';
import { hostProgram, programsForAll, USERS } from './hosts.js';
import type { LimitsAnswers, LimitsRequest } from './limits-host.js';

const MIB = 2 ** 20;
const NEWEST = 2 ** 31;
/** What each program is held to; all of it is far below what the machine notices. */
const USES: readonly { readonly what: string; readonly limits: LimitOptions; readonly met: string }[] = [
  { what: 'memory', limits: { memoryBytes: 64 * MIB }, met: 'memoryBytes' },
  { what: 'keyed', limits: { memoryBytes: 64 * MIB }, met: 'memoryBytes' },
  { what: 'shared', limits: { memoryBytes: 24 * MIB }, met: 'memoryBytes' },
  { what: 'processes', limits: { processes: 50 }, met: 'processes' },
  { what: 'disk', limits: { diskBytes: 8 * MIB }, met: 'diskBytes' },
  { what: 'children', limits: { diskBytes: 8 * MIB }, met: 'diskBytes' },
  { what: 'shared', limits: { diskBytes: 8 * MIB }, met: 'diskBytes' },
  { what: 'file', limits: { fileBytes: MIB }, met: 'fileBytes' },
  { what: 'processor', limits: { cpuMs: 300 }, met: 'cpuMs' },
  { what: 'files', limits: { openFiles: 64 }, met: 'openFiles' },
];

/** What is counted only where a run has namespaces of its own: elsewhere it is shared with other programs. */
const OF_NAMESPACES = ['keyed', 'shared'];

/** The smallest value of each limit that a program can be started with. */
const SMALLEST: readonly LimitOptions[] = [
  { memoryBytes: MIB },
  { processes: 1 },
  { cpuMs: 1 },
  { fileBytes: 1 },
  { diskBytes: 65_536 },
  { openFiles: 16 },
];
const MAX_PROCESSES = 50;
/** How many more a user namespace lets a run have until they are counted. */
const MORE_PROCESSES = 3;
/** How many sessions the program makes that makes many. */
const SESSIONS = 200;
/** Few more than a host needs. */
const HOST_PROCESSES = 70;

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
      const uses = USES.filter(({ what }) => !OF_NAMESPACES.includes(what) || !name.includes('without'));
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

  test.each(Object.entries(KERNELS))(
    'the smallest values let a program run, by %s',
    async (_, kernel) => {
      const { answers } = await run(
        kernel,
        SMALLEST.map((limits) => ({ what: 'nothing', limits })),
      );
      expect(answers).toMatchObject(SMALLEST.map(() => ({ status: 'exited', output: 'past\n' })));
    },
    LIVENESS_MS,
  );

  test(
    'sessions are not made beyond the limit, and are where it is lifted',
    async () => {
      const uses = [MAX_PROCESSES, 'none' as const].map((processes) => ({ what: 'sessions', limits: { processes } }));
      const { answers } = await run({}, uses);
      const [held, lifted] = answers;
      expect(held).toMatchObject({ status: 'limited', limit: 'processes', survivors: [], meanwhile: 'here\n' });
      // Root has no user namespace, and elsewhere than in a control group only a count.
      const isExact = held?.enforced.some((line) => line.endsWith('(processes)')) === true;
      if (isExact) expect(held?.output.length).toBeLessThanOrEqual(MAX_PROCESSES + MORE_PROCESSES);
      expect(uid === 0 || isExact).toBe(true);
      expect(lifted).toMatchObject({ status: 'exited', output: `${'.'.repeat(SESSIONS)}past\n` });
    },
    LIVENESS_MS,
  );

  test(
    'buffers of sockets are held by a control group of the first version',
    async () => {
      const uses = [32 * MIB, 'none' as const].map((memoryBytes) => ({ what: 'sockets', limits: { memoryBytes } }));
      const { answers } = await run({}, uses);
      const [held, lifted] = answers;
      if (held?.enforced.includes('cgroup v1 (memory)') === true) {
        expect(held).toMatchObject({ status: 'limited', limit: 'memoryBytes', survivors: [], meanwhile: 'here\n' });
      }
      expect(lifted).toMatchObject({ status: 'exited', output: 'past\n' });
    },
    LIVENESS_MS,
  );

  test('a limit of the host is not told as that of the run', { timeout: LIVENESS_MS }, async (context) => {
    const group = processGroup();
    context.skip(group === undefined, 'missing: a control group of processes');
    context.onTestFinished(() => vi.waitFor(() => rmdirSync(group ?? ''), LIVENESS_MS), LIVENESS_MS);
    const tasks = path.join(group ?? '', 'cgroup.procs');
    chownSync(tasks, uid, uid);
    const entering = ['sh', '-c', 'echo $$ > "$0" && exec "$@"', tasks];
    const uses = [{ what: 'processes', limits: {} }];
    const { answers } = await host(uid, { programs: programs ?? '', uses }, entering);
    expect(answers).toMatchObject([{ status: 'exited', output: 'held\n' }]);
    expect(answers[0]?.limit).toBeUndefined();
  });
});

/** A control group with few processes, of either version; undefined where none can be made. */
function processGroup(): string | undefined {
  const version1 = '/sys/fs/cgroup/pids';
  const folder = path.join(existsSync(version1) ? version1 : '/sys/fs/cgroup', `handrail-test-limits-${process.pid}`);
  try {
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'pids.max'), String(HOST_PROCESSES));
    return folder;
  } catch {
    if (existsSync(folder)) rmdirSync(folder);
    return undefined;
  }
}
