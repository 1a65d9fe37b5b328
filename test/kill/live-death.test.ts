/** `kill -9` of a host with a session, a service and a run. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundled } from '../support/bundled.js';
import { sleep, until } from '../support/processes.js';
import { killedHosts } from './killed-host.js';

const HOST = await bundled(fileURLToPath(new URL('live-host.ts', import.meta.url)));
const OWNERS = 3;
/** Each owner's: in a session of its own, deaf to hangups, forked twice, and itself. */
const SCRIPT =
  'setsid sleep MARK & nohup sleep MARK > /dev/null 2>&1 & (setsid sh -c "sleep MARK & exit" &) ; env -i setsid sleep MARK & sleep MARK';
const SLEEPERS = 5;

const start = killedHosts(HOST, SCRIPT);

test('nobody outlives a host that is killed, whatever it was started by', async () => {
  const host = await start(['on'], OWNERS * SLEEPERS);
  host.kill();
  // The bar on a quiet machine is a second: see the figure that is printed.
  const ms = await until(() => host.commands().length === 0);
  expect(ms).toBeDefined();
  process.stdout.write(`gone after kill -9 of a host with session, service and run: ${Math.round(ms as number)} ms\n`);
});

test('with the guard off they do', async () => {
  const host = await start(['off'], OWNERS * SLEEPERS);
  host.kill();
  await sleep(1_000);
  expect(host.commands().length).toBeGreaterThanOrEqual(OWNERS);
});
