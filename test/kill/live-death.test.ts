/** `kill -9` of a host with a session, a service and a run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { bundled } from '../support/bundled.js';
import { end, living, marker, type Seen, sleep, until } from '../support/processes.js';

const HOST = await bundled(fileURLToPath(new URL('live-host.ts', import.meta.url)));
const OWNERS = 3;
/** Each owner's: in a session of its own, deaf to hangups, forked twice, and itself. */
const SCRIPT =
  'setsid sleep MARK & nohup sleep MARK > /dev/null 2>&1 & (setsid sh -c "sleep MARK & exit" &) ; env -i setsid sleep MARK & sleep MARK';
const SLEEPERS = 5;

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

async function start(guard: 'on' | 'off'): Promise<() => Seen[]> {
  mark = marker();
  const child = spawn(process.execPath, [HOST, SCRIPT.replaceAll('MARK', mark), guard], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  host = child;
  const commands = () => living(mark).filter(({ pid }) => pid !== child.pid);
  const sleepers = () => commands().filter(({ command }) => command.startsWith('sleep'));
  if ((await until(() => sleepers().length >= OWNERS * SLEEPERS)) === undefined) {
    throw new Error(`only ${sleepers().length} programs`);
  }
  return commands;
}

test('nobody outlives a host that is killed, whatever it was started by', async () => {
  const commands = await start('on');
  host?.kill('SIGKILL');
  // The bar on a quiet machine is a second: see the figure that is printed.
  const ms = await until(() => commands().length === 0);
  expect(ms).toBeDefined();
  process.stdout.write(`gone after kill -9 of a host with session, service and run: ${Math.round(ms as number)} ms\n`);
});

test('with the guard off they do', async () => {
  const commands = await start('off');
  host?.kill('SIGKILL');
  await sleep(1_000);
  expect(commands().length).toBeGreaterThanOrEqual(OWNERS);
});
