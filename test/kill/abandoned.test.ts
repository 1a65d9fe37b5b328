/** Terminals that their host forgot, while the host itself lives on. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';

import { living, marker, until } from '../support/processes.js';
import { supervisorsOf } from './family.js';

const HOST = fileURLToPath(new URL('abandoning-host.mjs', import.meta.url));

let host: ChildProcess | undefined;

afterEach(async () => {
  if (host === undefined) return;
  const ended = once(host, 'exit');
  host.kill('SIGKILL');
  await ended;
});

function start(way: string, mark: string): ChildProcess {
  const child = spawn(process.execPath, ['--expose-gc', HOST, way, mark], { stdio: ['pipe', 'pipe', 'inherit'] });
  host = child;
  return child;
}

async function lose(child: ChildProcess): Promise<void> {
  const lost = once(child.stdout as NodeJS.ReadableStream, 'data');
  child.stdin?.write('now\n');
  await lost;
}

test('a thread that is terminated takes its commands and its supervisor with it', async () => {
  const mark = marker();
  const child = start('thread', mark);
  const pid = child.pid as number;
  // The host's own command line holds the mark too.
  const commands = () => living(mark).filter((found) => found.pid !== pid && found.command.startsWith('sleep'));
  expect(await until(() => commands().length === 3)).toBeDefined();
  expect(supervisorsOf(pid)).toHaveLength(1);
  await lose(child);
  expect(await until(() => commands().length === 0 && supervisorsOf(pid).length === 0)).toBeDefined();
  expect(child.exitCode).toBeNull();
});

test('a terminal that was collected as garbage takes its supervisor with it', async () => {
  const child = start('garbage', marker());
  const pid = child.pid as number;
  expect(await until(() => supervisorsOf(pid).length === 3)).toBeDefined();
  await lose(child);
  expect(await until(() => supervisorsOf(pid).length === 0)).toBeDefined();
  expect(child.exitCode).toBeNull();
});
