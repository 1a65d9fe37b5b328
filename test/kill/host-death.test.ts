import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

import { living, marker, until } from '../support/processes.js';

const HOST = fileURLToPath(new URL('host.mjs', import.meta.url));
const COMMANDS = 20;
/** A liveness limit for a busy machine; the bar of one second is held by the soak row. */
const LIMIT_MS = 3_000;

const SCRIPTS = [
  'setsid sleep MARK & sleep MARK',
  'env -i setsid sleep MARK & sleep MARK',
  '(setsid sh -c "sleep MARK & exit" &) ; sleep MARK',
  "trap '' TERM HUP INT; nohup sleep MARK & sleep MARK; sleep MARK",
];

interface Host {
  readonly process: ChildProcess;
  readonly stateFolder: string;
}

async function startHost(mark: string): Promise<Host> {
  const scripts = Array.from({ length: COMMANDS }, (_, index) =>
    (SCRIPTS[index % SCRIPTS.length] as string).replaceAll('MARK', mark),
  );
  const host = spawn(process.execPath, [HOST, JSON.stringify(scripts)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(host.stdout as NodeJS.ReadableStream), 'line')) as [string];
  return { process: host, stateFolder: line };
}

/** The host's own command line holds the mark too. */
function commandsOf(host: Host, mark: string) {
  return living(mark).filter(({ pid }) => pid !== host.process.pid);
}

test('kill -9 of the host ends its commands and removes its folders', async () => {
  const mark = marker();
  const host = await startHost(mark);
  expect(await until(() => commandsOf(host, mark).length >= 2 * COMMANDS, 10_000)).toBeDefined();
  expect(existsSync(host.stateFolder)).toBe(true);
  process.kill(host.process.pid as number, 'SIGKILL');
  expect(await until(() => living(mark).length === 0 && !existsSync(host.stateFolder), LIMIT_MS)).toBeDefined();
});

test('process.exit in the host does the same', async () => {
  const mark = marker();
  const host = await startHost(mark);
  expect(await until(() => commandsOf(host, mark).length >= 2 * COMMANDS, 10_000)).toBeDefined();
  host.process.kill('SIGTERM');
  expect(await until(() => living(mark).length === 0 && !existsSync(host.stateFolder), LIMIT_MS)).toBeDefined();
});

test('kill -9 of the supervisor ends its commands, and the host gets results', async () => {
  const { looseTerminal } = await import('./run-escape.js');
  const { terminal, close } = looseTerminal();
  try {
    const mark = marker();
    const running = terminal.run(['bash', '-c', `echo kept; setsid sleep ${mark} & sleep ${mark}`]);
    await until(() => living(mark).length >= 3, 5_000);
    const supervisors = living('handrail-supervisor').filter(({ pid }) => parentOf(pid) === process.pid);
    expect(supervisors).toHaveLength(1);
    process.kill(supervisors[0]?.pid as number, 'SIGKILL');
    const result = await running;
    expect(result.failure?.code).toBe('supervisor_lost');
    expect(result.stdout).toBe('kept\n');
    expect(living(mark)).toEqual([]);
    // The next run gets a new supervisor.
    expect((await terminal.run(['bash', '-c', 'echo again'])).stdout).toBe('again\n');
  } finally {
    await close();
  }
});

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0; // It ended while we looked.
  }
}
