/** Kills a host at one call of the system after another while it makes a change, and says at how many of them it did. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

import { isRequired } from '../support/programs.js';
import { soakSize } from '../support/soak.js';

/** The calls that leave something behind: names, contents, locks, modes, times. */
const STEPS = [
  ...[
    'openat',
    'openat2',
    'open',
    'mkdir',
    'renameat2',
    'renameat',
    'unlinkat',
    'mkdirat',
    'linkat',
    'symlinkat',
    'write',
    'pwrite64',
  ],
  ...['copy_file_range', 'ftruncate', 'flock', 'syncfs', 'fdatasync', 'fchown', 'fchownat', 'fchmod', 'fchmodat'],
  ...['utimensat', 'fremovexattr', 'fsetxattr'],
];
/** The calls that leave nothing behind. An `ioctl` asks for a clone, which no file system of these tests can make. */
const HARMLESS = [
  ...[
    'close',
    'fcntl',
    'fstat',
    'newfstatat',
    'statx',
    'statfs',
    'fstatfs',
    'lseek',
    'read',
    'pread64',
    'access',
    'readlink',
    'readlinkat',
  ],
  ...['getdents64', 'flistxattr', 'fgetxattr', 'ioctl', 'geteuid', 'getpid', 'gettid', 'getrandom', 'clock_gettime'],
  ...['clock_nanosleep', 'futex', 'madvise', 'mmap', 'mprotect', 'munmap', 'mremap', 'brk', 'rt_sigprocmask'],
  ...['rt_sigaction', 'sigaltstack', 'sched_yield', 'sched_getaffinity', 'epoll_pwait', 'epoll_ctl', 'prlimit64'],
  ...['clone3', 'set_robust_list', 'rseq', 'prctl', 'restart_syscall', 'exit'],
];
/** Of those, what only opens and what only wakes another thread. */
const NOTHING = /^\d+ +(?:open\w*\((?!.*(?:O_CREAT|O_TMPFILE))|write\(\d+, "\\1(?:\\0){7}", 8\))/;
/** Of these calls one is tried when a test is reduced, beside the first one of each kind. */
const REDUCED_STRIDE = 25;

/**
 * Calls are counted for each thread, and the one that makes the change has to be the first with this number: it makes as many
 * before as the others do in all.
 */
const CALLS_BEFORE = 64;
const BEFORE = `
  import { open } from 'node:fs/promises';
  for (let i = 0; i < ${CALLS_BEFORE}; i++) {
    const nothing = await open('/dev/null', 'r+');
    await nothing.write('.');
    await nothing.close();
  }
  console.log('begun');`;
const AFTER = `
  console.log('done');`;

/** A change that a host of its own makes. */
export interface KilledChange {
  /** Says in the report what is done. */
  readonly name: string;
  /** A module, which has the request as JSON in its first argument. */
  readonly program: string;
  readonly request: object;
}

/** Whether programs can be traced here. */
export const hasStrace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;

if (isRequired('strace')) {
  it('there is a strace that may trace, as HANDRAIL_REQUIRE_STRACE says', () => expect(hasStrace).toBe(true));
}

/** Runs the host under `strace` with these options; what it printed. */
function traced({ program, request }: KilledChange, options: readonly string[]): string {
  const { stdout, stderr } = spawnSync(
    'strace',
    [
      ...['-f', '-qq', ...options],
      ...[process.execPath, '--input-type=module', '--eval', BEFORE + program + AFTER, JSON.stringify(request)],
    ],
    // All changes are made by one thread then.
    { encoding: 'utf8', env: { ...process.env, UV_THREADPOOL_SIZE: '1' } },
  );
  if (/Error|strace: /.test(stderr)) throw new Error(stderr);
  return stdout;
}

/** A call of the system during a change. */
interface Call {
  readonly kind: string;
  /** Which of this kind it is in its thread, from 1. */
  readonly number: number;
  /** Whether it leaves something behind, and is the first one of any thread with this number: `strace` kills there. */
  readonly isPlace: boolean;
}

/** The calls that the host makes during a change, in their order. */
function callsOf(change: KilledChange): Call[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-traced-'));
  try {
    const file = path.join(folder, 'calls');
    expect(traced(change, ['-o', file])).toContain('done');
    const lines = readFileSync(file, 'latin1').split('\n');
    const [begun, done] = ['begun', 'done'].map((said) => lines.findIndex((line) => line.includes(`"${said}\\n"`)));
    const counts = new Map<string, number>();
    const calls = lines.map((line) => {
      const [thread, kind = ''] = /^\d+ +\w+(?=\()/.exec(line)?.[0].split(/ +/) ?? [];
      const number = (counts.get(`${thread} ${kind}`) ?? 0) + 1;
      counts.set(`${thread} ${kind}`, number);
      const isPlace = !counts.has(`${kind} ${number}`) && STEPS.includes(kind) && !NOTHING.test(line);
      counts.set(`${kind} ${number}`, 1);
      return { kind, number, isPlace };
    });
    return calls.slice((begun ?? 0) + 1, done).filter(({ kind }) => kind !== '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the host, which is killed at a call. Where it was when it ended. */
function killedAt(change: KilledChange, { kind, number }: Call): 'before' | 'during' | 'after' {
  const killed = ['-e', `trace=${kind}`, '-e', `inject=${kind}:signal=KILL:when=${number}`];
  const said = traced(change, ['-o', '/dev/null', ...killed]);
  if (said.includes('done')) return 'after';
  return said.includes('begun') ? 'during' : 'before';
}

/**
 * Kills the host of a change at each of its calls that leave something behind, or reduced at some. `look` is called after each with
 * what was left behind, and first when the change was made.
 */
export async function killAtEachCall(
  change: KilledChange,
  prepare: () => Promise<unknown> | unknown,
  look: () => Promise<unknown> | unknown,
): Promise<void> {
  await prepare();
  const calls = callsOf(change);
  await look();
  const kinds = [...new Set(calls.map(({ kind }) => kind))];
  expect(kinds).toContain('renameat2');
  expect(kinds.filter((kind) => !STEPS.includes(kind) && !HARMLESS.includes(kind))).toEqual([]);
  const places = calls.filter(({ isPlace }) => isPlace);
  const firstOfKind = ({ kind }: Call) => places.find((place) => place.kind === kind);
  const tried = places.filter(
    (place, index) => index % soakSize(1, REDUCED_STRIDE) === 0 || place === firstOfKind(place),
  );
  let kills = 0;
  for (const place of tried) {
    await prepare();
    kills += killedAt(change, place) === 'during' ? 1 : 0;
    await look();
  }
  // How often threads wake each other is not the same each time.
  expect(kills).toBeGreaterThan(tried.length / 2);
  process.stdout.write(`\nsoak: ${change.name} killed at ${kills} calls\n`);
}
