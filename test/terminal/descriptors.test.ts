/** What a closed terminal holds on to, in a process that never collects its garbage. */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';

import { Terminal } from '../../ts/index.js';
import { Engine } from '../../ts/terminal/engine.js';

const MANY = 50;

function descriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

test('close gives back the directories of a terminal on a shared engine, and judging goes on', async () => {
  const engine = new Engine();
  try {
    const first = new Terminal({ allow: ['true'], roots: [tmpdir()] }, engine);
    expect((await first.run(['true'])).ok).toBe(true);
    const before = descriptors();
    const terminals = Array.from({ length: MANY }, () => new Terminal({ allow: ['true'], roots: [tmpdir()] }, engine));
    expect(descriptors()).toBeGreaterThan(before + MANY);
    await Promise.all(terminals.map((terminal) => terminal.close()));
    expect(descriptors()).toBeLessThanOrEqual(before);
    expect(terminals[0]?.explain(['true']).decision).toBe('allow');
    await expect(terminals[0]?.run(['true'])).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    expect((await first.run(['true'])).ok).toBe(true);
    await first.close();
  } finally {
    await engine.close();
  }
});
