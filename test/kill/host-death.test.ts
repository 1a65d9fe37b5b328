import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';

import { LIVENESS_MS } from '../support/liveness.js';
import { until } from '../support/processes.js';
import { soak } from '../support/soak.js';
import { isAlive, killTogether, supervisorsOf, watchdogsOf, workersOf } from './family.js';
import { type Host, startHost } from './hosts.js';

const TEST_TIMEOUT_MS = 10 * 60_000;
const FULL_ROUNDS = 100;
const LEAST_ROUNDS = 3;

/**
 * Milliseconds from now until none of the processes is alive and the folder is gone. The bar on a quiet machine is a
 * second: see the figures that are printed.
 */
async function end(pids: readonly number[], folder: string): Promise<number | undefined> {
  const started = performance.now();
  while (existsSync(folder) || pids.some(isAlive)) {
    if (performance.now() - started > LIVENESS_MS) return undefined;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return performance.now() - started;
}

async function expectGone(host: Host): Promise<void> {
  expect(await until(() => host.commands().length === 0 && !existsSync(host.stateFolder))).toBeDefined();
}

function supervisorOf(host: Host): number {
  const supervisors = supervisorsOf(host.pid);
  expect(supervisors).toHaveLength(1);
  return supervisors[0] as number;
}

test(
  'kill -9 of the host ends its commands and removes its folders',
  async () => {
    const took: number[] = [];
    const round = async () => {
      const host = await startHost();
      const [supervisor] = supervisorsOf(host.pid);
      const family = [supervisor as number, ...workersOf(supervisor as number)];
      const pids = [...family, ...host.commands().map(({ pid }) => pid)];
      expect(existsSync(host.stateFolder)).toBe(true);
      process.kill(host.pid, 'SIGKILL');
      const ms = await end(pids, host.stateFolder);
      expect(ms).toBeDefined();
      // What was started after we looked.
      expect(host.commands()).toEqual([]);
      took.push(ms as number);
    };
    await soak(FULL_ROUNDS, round);
    while (took.length < LEAST_ROUNDS) await round();
    const sorted = took.toSorted((a, b) => a - b).map(Math.round);
    const median = sorted[Math.floor(sorted.length / 2)];
    const figures = `${median} ms (median), ${sorted.at(-1)} ms (longest of ${sorted.length})`;
    process.stdout.write(`gone after kill -9 of the host: ${figures}\n`);
  },
  TEST_TIMEOUT_MS,
);

test('process.exit in the host does the same', async () => {
  const host = await startHost();
  host.process.kill('SIGTERM');
  await expectGone(host);
});

test('kill -9 of the host, its supervisor and all workers at once does the same', async () => {
  const host = await startHost();
  killTogether(supervisorOf(host), [host.pid]);
  await expectGone(host);
});

test('kill -9 of the host does the same when its supervisor is stopped', async () => {
  const host = await startHost();
  const supervisor = supervisorOf(host);
  process.kill(supervisor, 'SIGSTOP');
  process.kill(host.pid, 'SIGKILL');
  // The watchdog grants the supervisor three seconds before.
  await expectGone(host);
  expect(await until(() => !isAlive(supervisor))).toBeDefined();
});

test('a watchdog that was killed is replaced', async () => {
  const host = await startHost();
  const supervisor = supervisorOf(host);
  const [first] = watchdogsOf(supervisor);
  process.kill(first as number, 'SIGKILL');
  expect(await until(() => watchdogsOf(supervisor).some((pid) => pid !== first))).toBeDefined();
  killTogether(supervisor, [host.pid]);
  await expectGone(host);
});
