/** `kill -9` of a host with 50 jobs. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundled } from '../support/bundled.js';
import { sleep, until } from '../support/processes.js';
import { killedHosts } from './killed-host.js';

const HOST = await bundled(fileURLToPath(new URL('job-host.ts', import.meta.url)));
/** Each job's: in a session of its own, forked twice, and itself. */
const SCRIPT = 'setsid sleep MARK & (setsid sh -c "sleep MARK & exit" &) ; sleep MARK';
const SLEEPERS = 3;

const start = killedHosts(HOST, SCRIPT);

test('nobody outlives a host of 50 jobs that is killed', async () => {
  const host = await start(['50', 'on'], 50 * SLEEPERS);
  host.kill();
  // The bar on a quiet machine is a second: see the figure that is printed.
  const ms = await until(() => host.commands().length === 0);
  expect(ms).toBeDefined();
  process.stdout.write(`gone after kill -9 of a host with 50 jobs: ${Math.round(ms as number)} ms\n`);
});

test('with the guard off they do', async () => {
  const host = await start(['2', 'off'], 2 * SLEEPERS);
  host.kill();
  await sleep(1_000);
  expect(host.commands().length).toBeGreaterThanOrEqual(2);
});
