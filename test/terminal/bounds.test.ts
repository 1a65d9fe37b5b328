/** Bounds inside of the engine, each reached and not passed. */
import { expect, test } from 'vitest';

import { Terminal } from '../../ts/index.js';
import { supervisorsOf, workersOf } from '../kill/family.js';
import { sleep, until } from '../support/processes.js';

/** `MAX_UNCONSUMED_PIECES` of crates/process. */
const MAX_PIECES = 64;
/** `MAX_IDLE_WORKERS` of crates/process. */
const MAX_IDLE = 4;
/** `MAX_LISTED_PROCESSES` of crates/supervisor. */
const MAX_LISTED = 16;
const BURST = 20;
const QUIET_MS = 300;

test('a reader that takes nothing gets 64 pieces and no more, the command waits, and nothing is lost', async () => {
  await using terminal = new Terminal({ allow: ['seq'], output: { spillBytes: 0 } });
  const lines = 3_000_000;
  let pieces = 0;
  let characters = 0;
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const running = terminal.run(['seq', '1', String(lines)], {
    onOutput: ({ text }) => {
      pieces += 1;
      characters += text.length;
      return opened;
    },
  });
  expect(await until(() => pieces >= MAX_PIECES)).toBeDefined();
  await sleep(QUIET_MS);
  expect(pieces).toBe(MAX_PIECES);
  open();
  const result = await running;
  expect(result.ok).toBe(true);
  expect(pieces).toBeGreaterThan(MAX_PIECES);
  expect(characters).toBe(result.bytes.stdout);
});

test('of the workers of a burst four stay', async () => {
  await using terminal = new Terminal({ allow: ['sleep'] });
  const others = new Set(supervisorsOf());
  await Promise.all(Array.from({ length: BURST }, () => terminal.run(['sleep', '0.2'])));
  const [supervisor] = supervisorsOf().filter((pid) => !others.has(pid));
  const workers = () => workersOf(supervisor as number).length;
  expect(await until(() => workers() === MAX_IDLE)).toBeDefined();
  await sleep(QUIET_MS);
  expect(workers()).toBe(MAX_IDLE);
});

test.each([MAX_LISTED, MAX_LISTED + 1])('of %i processes that were left, at most 16 are named', async (count) => {
  await using terminal = new Terminal({ allow: ['bash'], trustInterpreters: ['bash'] });
  const script = `for ((i = 0; i < ${count}; i += 1)); do sleep 300 & done`;
  const result = await terminal.run(['bash', '-c', script]);
  expect(result.ok).toBe(true);
  expect(result.pipesHeldBy).toHaveLength(MAX_LISTED);
});
