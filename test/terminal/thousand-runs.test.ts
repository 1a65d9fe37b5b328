import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

import { MAX_WORKERS, Terminal } from '../../ts/index.js';

const RUNS = 1_000;
const AT_ONCE = 20;

/** What an engine holds open beside two descriptors for each worker: folders, its socket, its clock. */
const ENGINE_DESCRIPTORS = 24;

/** Folders a terminal holds open to find programs in, until it is collected as garbage. */
const SEARCH_FOLDERS = 8;

/** Processes below this one, as /proc tells it. */
function descendants(): { pid: number; state: string }[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return [{ pid: Number(name), state, parent: Number(parent) }];
      } catch {
        return [];
      }
    });
  const below = (pid: number): typeof all =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return below(process.pid);
}

/** Open descriptors of this process, the one that lists them included. */
function descriptorCount(): number {
  return readdirSync('/proc/self/fd').length;
}

/** Folders of engines of this process. */
function stateFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`handrail-${process.pid}-`));
}

test('a thousand runs leave no descriptor, zombie, worker too many or file behind', async () => {
  const before = { processes: descendants().length, descriptors: descriptorCount() };
  const terminal = new Terminal({ allow: ['echo'] });
  const batch = async (count: number) => {
    const results = await Promise.all(Array.from({ length: count }, () => terminal.run(['echo', 'hi'])));
    expect(results.every(({ output }) => output === 'hi\n')).toBe(true);
  };
  await batch(AT_ONCE);
  const threads = readdirSync('/proc/self/task').length;
  for (let done = 0; done < RUNS; done += AT_ONCE) await batch(AT_ONCE);

  expect(descriptorCount() - before.descriptors).toBeLessThanOrEqual(ENGINE_DESCRIPTORS + 2 * AT_ONCE);
  expect(readdirSync('/proc/self/task').length).toBeLessThanOrEqual(threads + 1);
  // A process that has just ended is one for a moment.
  await expect.poll(() => descendants().filter(({ state }) => state === 'Z')).toEqual([]);
  // The supervisor and its workers, which wait for the next run.
  expect(descendants().length - before.processes).toBeLessThanOrEqual(1 + MAX_WORKERS);
  await terminal.close();
  await expect.poll(() => descendants().length).toBe(before.processes);
  expect(stateFolders()).toEqual([]);
  // Closing ends the engine's thread and its descriptors a moment after the last event.
  await expect.poll(descriptorCount).toBeLessThanOrEqual(before.descriptors + SEARCH_FOLDERS);
});

test('a worker thread can run commands and be ended, and the host goes on', async () => {
  const entry = new URL('../../dist/index.js', import.meta.url).href;
  const script = `
    const { parentPort } = require('node:worker_threads');
    import(${JSON.stringify(entry)}).then(async ({ Terminal }) => {
      const terminal = new Terminal({ allow: ['echo', 'sleep'] });
      const { output } = await terminal.run(['echo', 'from a thread']);
      terminal.run(['sleep', '60']);
      parentPort.postMessage(output);
    });
  `;
  const worker = new Worker(script, { eval: true });
  const output = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  expect(output).toBe('from a thread\n');
  await worker.terminate();
  await using terminal = new Terminal({ allow: ['echo'] });
  expect((await terminal.run(['echo', 'from the host'])).output).toBe('from the host\n');
});
