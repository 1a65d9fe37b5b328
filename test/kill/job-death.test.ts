/** `kill -9` of a host with 50 jobs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { bundled } from '../support/bundled.js';
import { end, living, marker, type Seen, sleep, until } from '../support/processes.js';

const HOST = await bundled(fileURLToPath(new URL('job-host.ts', import.meta.url)));
/** Each job's: in a session of its own, forked twice, and itself. */
const SCRIPT = 'setsid sleep MARK & (setsid sh -c "sleep MARK & exit" &) ; sleep MARK';
const SLEEPERS = 3;

let host: ChildProcess | undefined;
let mark = '';

afterEach(async () => {
  host?.kill('SIGKILL');
  // Where the guard was off somebody is left.
  await until(() => {
    end(living(mark));
    return living(mark).length === 0;
  });
});

async function start(jobs: number, guard: 'on' | 'off'): Promise<() => Seen[]> {
  mark = marker();
  const child = spawn(process.execPath, [HOST, SCRIPT.replaceAll('MARK', mark), String(jobs), guard], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  host = child;
  const commands = () => living(mark).filter(({ pid }) => pid !== child.pid);
  const sleepers = () => commands().filter(({ command }) => command.startsWith('sleep'));
  if ((await until(() => sleepers().length >= jobs * SLEEPERS)) === undefined) {
    throw new Error(`only ${sleepers().length} programs`);
  }
  return commands;
}

test('nobody outlives a host of 50 jobs that is killed', async () => {
  const commands = await start(50, 'on');
  host?.kill('SIGKILL');
  // The bar on a quiet machine is a second: see the figure that is printed.
  const ms = await until(() => commands().length === 0);
  expect(ms).toBeDefined();
  process.stdout.write(`gone after kill -9 of a host with 50 jobs: ${Math.round(ms as number)} ms\n`);
});

test('with the guard off they do', async () => {
  const commands = await start(2, 'off');
  host?.kill('SIGKILL');
  await sleep(1_000);
  expect(commands().length).toBeGreaterThanOrEqual(2);
});
