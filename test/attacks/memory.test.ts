/** Memory: of a command that takes more than there is the kernel ends processes, not its host; and nothing of it outlives a run. */
import { chownSync, existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';

import { LIVENESS_MS } from '../support/liveness.js';
import type { CommandsAnswer, CommandsRequest } from './commands-host.js';
import { hostProgram, programsForAll, USERS } from './hosts.js';
import { missing } from './workspace.js';

const GROUP_MEGABYTES = 512;
const HOGS = { hostMegabytes: 100, allow: ['hog'], commands: [['hog', '60', '20']] };

const host = await hostProgram<CommandsRequest, CommandsAnswer>('commands-host.ts');
const programs = programsForAll();
/** A control group with little memory and no swap, of either version; undefined where none can be made. */
function memoryGroup(): string | undefined {
  const version1 = '/sys/fs/cgroup/memory';
  const isFirst = existsSync(path.join(version1, 'memory.limit_in_bytes'));
  const folder = path.join(isFirst ? version1 : '/sys/fs/cgroup', `handrail-test-${process.pid}`);
  const settings = isFirst
    ? { 'memory.limit_in_bytes': GROUP_MEGABYTES * 2 ** 20, 'memory.swappiness': 0 }
    : { 'memory.max': GROUP_MEGABYTES * 2 ** 20, 'memory.swap.max': 0 };
  try {
    mkdirSync(folder);
    for (const [name, value] of Object.entries(settings)) writeFileSync(path.join(folder, name), String(value));
    return folder;
  } catch {
    if (existsSync(folder)) rmdirSync(folder);
    return undefined;
  }
}

describe.each(USERS)('more than there is, as uid %i', (uid) => {
  test.for(['on', 'off'] as const)('with the guard %s', { timeout: LIVENESS_MS }, async (guard, context) => {
    const group = memoryGroup();
    context.skip(group === undefined || programs === undefined, 'missing: a control group of memory, or gcc');
    // What a host that was killed had started is ended by others, soon.
    context.onTestFinished(() => vi.waitFor(() => rmdirSync(group ?? ''), LIVENESS_MS), LIVENESS_MS);
    const tasks = path.join(group ?? '', 'cgroup.procs');
    chownSync(tasks, uid, uid);
    const entering = ['sh', '-c', 'echo $$ > "$0" && exec "$@"', tasks];
    const request = { guard, programs: programs ?? '', ...HOGS };
    const ended = host(uid, request, entering);
    if (guard === 'on') expect(await ended).toMatchObject({ outputs: ['done\n'] });
    else await expect(ended).rejects.toMatchObject({ signal: 'SIGKILL' });
  });
});

/** Of a key that is no other test's: makes one of each kind, says which there are, removes them. */
function shared(key: number): CommandsRequest['commands'] {
  const each = `$k = ${key}; $m = shmget($k, $n << 20, $f); $s = semget($k, $n, $f); $q = msgget($k, $f);`;
  const perl = (text: string): string[] => ['perl', '-e', text];
  const look = perl(`$n = 0; $f = 0; ${each} print join(" ", map { defined $_ ? "there" : "none" } $m, $s, $q)`);
  const make = perl(`$n = 1; $f = 01666; ${each} print "made" if defined $m and defined $s and defined $q`);
  const remove = perl(`$n = 0; $f = 0; ${each} shmctl($m, 0, 0); semctl($s, 0, 0, 0); msgctl($q, 0, 0)`);
  return [make, look, look, look, make, look, remove];
}

describe.each(USERS)('shared by a key, as uid %i', (uid) => {
  test.for([
    ['on', 'none none none'],
    ['off', 'there there there'],
  ] as const)('with the guard %s later runs find %s', async ([guard, found], context) => {
    context.skip(programs === undefined || missing(['perl']).length > 0, 'missing: perl, or gcc');
    const commands = shared(0x68_00_00_00 + (process.pid % 0xff_ff) * 2 + (uid === 0 ? 0 : 1));
    const { outputs } = await host(uid, {
      guard,
      programs: programs ?? '',
      hostMegabytes: 0,
      allow: ['perl'],
      commands,
    });
    expect(outputs).toEqual(['made', found, found, found, 'made', found, '']);
  });
});
