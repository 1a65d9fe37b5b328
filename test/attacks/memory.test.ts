/** A command that takes more memory than there is: the kernel ends its processes, and not the host. */
import { chownSync, existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';

import { LIVENESS_MS } from '../support/liveness.js';
import { hostProgram, programsForAll, USERS } from './hosts.js';
import type { MemoryRequest } from './memory-host.js';

const GROUP_MEGABYTES = 512;
const COMMAND = ['hog', '60', '20'];

const host = await hostProgram<MemoryRequest, { readonly output: string }>('memory-host.ts');
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

describe.each(USERS)('as uid %i', (uid) => {
  test.for(['on', 'off'] as const)('with the guard %s', { timeout: LIVENESS_MS }, async (guard, context) => {
    const group = memoryGroup();
    context.skip(group === undefined || programs === undefined, 'missing: a control group of memory, or gcc');
    // What a host that was killed had started is ended by others, soon.
    context.onTestFinished(() => vi.waitFor(() => rmdirSync(group ?? ''), LIVENESS_MS), LIVENESS_MS);
    const tasks = path.join(group ?? '', 'cgroup.procs');
    chownSync(tasks, uid, uid);
    const entering = ['sh', '-c', 'echo $$ > "$0" && exec "$@"', tasks];
    const request = { guard, programs: programs ?? '', hostMegabytes: 100, command: COMMAND };
    const ended = host(uid, request, entering);
    if (guard === 'on') expect(await ended).toMatchObject({ output: 'done\n' });
    else await expect(ended).rejects.toMatchObject({ signal: 'SIGKILL' });
  });
});
