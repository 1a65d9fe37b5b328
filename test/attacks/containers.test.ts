/**
 * What is held in containers, pods and distributions that take something away: `handrail doctor` and docs/containers.md
 * claim what the attacks show, and name the line that adds the rest.
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';

import type { Capability } from '../../ts/index.js';
import { REPOSITORY } from '../support/copy.js';
import { LIVENESS_MS } from '../support/liveness.js';
import { CONTAINER_ATTACKS, CONTAINERS, NOBODY, WATCHED_USES } from './container-rows.js';
import { hostProgram, programsForAll, USERS } from './hosts.js';
import { HARMLESS } from './kernel-attacks.js';
import type { KernelAnswer, KernelRequest } from './kernel-host.js';
import type { LimitsAnswers, LimitsRequest } from './limits-host.js';

const MAIN = path.join(REPOSITORY, 'dist/cli/main.js');
const PAGE = path.join(REPOSITORY, 'docs/containers.md');
const LOADER = '/lib64/ld-linux-x86-64.so.2';
/** Goes on until somebody notices. */
const LONG_RUN = `${LOADER} /usr/bin/sleep 1000`;
const MIB = 2 ** 20;
const LEVELS = ['enforced', 'best-effort', 'unavailable'] as const;
const ATTACKS = Object.values(CONTAINER_ATTACKS).flat();
/** Where these hold at best effort, an attack shows what is missing. */
const SHOWN: readonly string[] = ['writes', 'exec'];

type Answers = Readonly<Record<string, KernelAnswer>>;

const programs = programsForAll();
const container = (row: string, uid: number) => [path.join(programs ?? '', 'container'), row, String(uid)];
const host = await hostProgram<KernelRequest, Answers>('kernel-host.ts');
const limitsHost = await hostProgram<LimitsRequest, LimitsAnswers>('limits-host.ts');

/** The rows of the table: the cells without their marks. */
function table(): readonly (readonly string[])[] {
  const lines = readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.replaceAll('\\|', '|').trim()),
  );
}

const words = (cell: string): readonly string[] => cell.split(/[\s,]+/).filter((word) => word !== '-' && word !== '');

async function doctor(before: readonly string[]): Promise<readonly Capability[]> {
  const [file = '', ...args] = [...before, process.execPath, MAIN, 'doctor', '--json', '--no-config'];
  const { stdout } = await promisify(execFile)(file, args, {
    cwd: '/',
    env: { PATH: process.env['PATH'], HOME: '/tmp' },
  });
  return (JSON.parse(stdout) as { features: readonly Capability[] }).features;
}

test('the table has every row that is tried, and no other', () => {
  expect(table().map(([place, user]) => `${place}, ${user}`)).toEqual(Object.keys(CONTAINERS));
});

// A row gives up what root has.
describe.skipIf(programs === undefined || !USERS.includes(0))('in containers', () => {
  const without = new Map<number, Answers>();
  beforeAll(async () => {
    for (const uid of [0, NOBODY]) {
      without.set(uid, await host(uid, { guard: 'off', programs: programs ?? '', rows: ATTACKS }));
    }
  }, LIVENESS_MS);

  test.each([0, NOBODY])('as uid %i each attack works without the guard', (uid) => {
    const failed = ATTACKS.filter(({ id }) => !(without.get(uid)?.[id]?.happened ?? false));
    const tried = failed.filter(({ id }) => without.get(uid)?.[id]?.lacks.length === 0);
    expect(tried.map(({ id }) => id)).toEqual([]);
  });

  test.each(table())(
    '%s, %s: what is claimed holds, and no more is claimed',
    async (place = '', user = '', ...[enforced = '', bestEffort = '', unavailable = '', add = '']) => {
      const [row, uid] = CONTAINERS[`${place}, ${user}`] ?? ['', 0];
      const features = await doctor(container(row, uid));
      const levels = [enforced, bestEffort, unavailable].map(words);
      expect(
        LEVELS.map((level) => features.filter((one) => one.level === level).map(({ feature }) => feature)),
      ).toEqual(levels);
      const advice = features.map(({ fix }) => fix ?? '');
      for (const line of add.match(/`[^`]+`/g) ?? []) expect(advice.join('\n')).toContain(line);
      expect(advice.filter((text) => uid === 0 && text.startsWith('run as root'))).toEqual([]);

      const answers = await host(0, { guard: 'on', programs: programs ?? '', rows: ATTACKS }, container(row, uid));
      const happened = Object.entries(CONTAINER_ATTACKS).map(([guarantee, attacks]) => ({
        guarantee,
        happened: attacks.filter(({ id }) => answers[id]?.happened).map(({ id }) => id),
      }));
      const [held, partly] = levels;
      // The attacks have no network at all, which takes no namespace.
      const claims = happened.filter(({ guarantee }) => held?.includes(guarantee) || guarantee === 'network');
      expect(claims.filter((claim) => claim.happened.length > 0)).toEqual([]);
      const shown = happened.filter(({ guarantee }) => partly?.includes(guarantee) && SHOWN.includes(guarantee));
      expect(shown.filter((claim) => claim.happened.length === 0)).toEqual([]);
      // Without a view the worker notices what is handed to the loader.
      const loaded = ATTACKS.filter(({ id }) => id.startsWith('loader') && answers[id]?.happened !== false);
      expect(bestEffort.includes('exec') ? loaded.map(({ id }) => id) : []).toEqual([]);
    },
    LIVENESS_MS,
  );

  test.each([0, NOBODY])(
    'as uid %i, what is harmless works where programs are watched',
    async (uid) => {
      const rows = [...WATCHED_USES, ...HARMLESS.filter(({ anywhere }) => anywhere)];
      const answers = await host(0, { guard: 'on', programs: programs ?? '', rows }, container('docker', uid));
      const failed = rows.filter(({ id }) => !answers[id]?.happened && answers[id]?.lacks.length === 0);
      expect(failed.map(({ id }) => [id, answers[id]?.output])).toEqual([]);
    },
    LIVENESS_MS,
  );

  const withoutListener = () => [path.join(programs ?? '', 'older'), '7'];
  test.each([
    ['before the program begins', () => container('docker', NOBODY), `${LOADER} /usr/bin/touch ran`],
    ['later where a program of the run traces it', () => container('docker', NOBODY), `strace -f -o log ${LONG_RUN}`],
    ['later where the kernel reports programs to somebody else', withoutListener, LONG_RUN],
  ])(
    'a run that hands a program to the loader is ended %s, and the answer says so',
    async (_, before, recipe) => {
      const folder = mkdtempSync('/tmp/handrail-container-');
      chmodSync(folder, 0o777);
      writeFileSync(path.join(folder, 'm'), `all:\n\t${recipe}\n`);
      const lists = ['make', 'sh', 'strace'].flatMap((name) => ['--allow', name]);
      const words = [
        process.execPath,
        MAIN,
        'run',
        ...lists,
        '--root',
        folder,
        '--cwd',
        folder,
        '--no-config',
        '--json',
      ];
      const [file = '', ...args] = [...before(), ...words, 'make', '-f', 'm'];
      const options = { cwd: '/', env: { PATH: process.env['PATH'], HOME: '/tmp' } };
      const ended = await promisify(execFile)(file, args, options).catch((error: { stdout: string }) => error);
      const ran = existsSync(path.join(folder, 'ran'));
      rmSync(folder, { recursive: true });
      expect({ ran, ...(JSON.parse(ended.stdout) as object) }).toMatchObject({
        ran: false,
        status: 'signaled',
        failure: { code: 'loader_run' },
        blocked: [{ guarantee: 'exec', advice: [{ name: 'confine.exec', value: 'any' }] }],
      });
    },
    LIVENESS_MS,
  );

  test(
    'limits hold in a container, where they are counted',
    async () => {
      const uses = [
        { what: 'memory', limits: { memoryBytes: 64 * MIB }, met: 'memoryBytes' },
        { what: 'processes', limits: { processes: 50 }, met: 'processes' },
        { what: 'disk', limits: { diskBytes: 8 * MIB }, met: 'diskBytes' },
        { what: 'file', limits: { fileBytes: MIB }, met: 'fileBytes' },
        { what: 'processor', limits: { cpuMs: 300 }, met: 'cpuMs' },
        { what: 'files', limits: { openFiles: 64 }, met: 'openFiles' },
      ] as const;
      for (const uid of [0, NOBODY]) {
        const { answers, groups } = await limitsHost(0, { programs: programs ?? '', uses }, container('docker', uid));
        const held = uses.map(({ what, met }) => ({ what, status: 'limited', limit: met, meanwhile: 'here\n' }));
        expect(answers).toMatchObject(held.map((use) => ({ ...use, survivors: [] })));
        expect(answers.filter(({ enforced }) => enforced.some((part) => part.startsWith('cgroup')))).toEqual([]);
        expect(groups).toEqual([]);
      }
    },
    LIVENESS_MS,
  );
});
