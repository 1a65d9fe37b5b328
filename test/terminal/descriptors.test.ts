/** What a closed terminal holds on to, in a process that never collects its garbage. */
import { mkdtempSync, readdirSync, readlinkSync, realpathSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { Terminal } from '../../ts/index.js';
import { Engine } from '../../ts/terminal/engine.js';

const MANY = 50;

/** How many descriptors of this process are open on `folder`. Those of workers that arrive late are not counted. */
function descriptorsOn(folder: string): number {
  return readdirSync('/proc/self/fd').filter((descriptor) => linkOf(descriptor) === folder).length;
}

/** What a descriptor is open on; `undefined` for one that was closed since the listing, as the listing's own is. */
function linkOf(descriptor: string): string | undefined {
  try {
    return readlinkSync(join('/proc/self/fd', descriptor));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The same once it stands still: what a run held is closed after its result is told. */
async function settledOn(root: string): Promise<number> {
  for (let last = -1; ; ) {
    const now = descriptorsOn(root);
    if (now === last) return now;
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('close gives back the directories of a terminal on a shared engine, and judging goes on', async () => {
  const engine = new Engine();
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'handrail-descriptors-'));
  try {
    const first = new Terminal({ allow: ['true'], roots: [root] }, { engine });
    expect((await first.run(['true'])).ok).toBe(true);
    const before = await settledOn(root);
    const terminals = Array.from({ length: MANY }, () => new Terminal({ allow: ['true'], roots: [root] }, { engine }));
    expect(descriptorsOn(root)).toBeGreaterThanOrEqual(before + MANY);
    await Promise.all(terminals.map((terminal) => terminal.close()));
    expect(descriptorsOn(root)).toBe(before);
    expect(terminals[0]?.explain(['true']).decision).toBe('allow');
    await expect(terminals[0]?.run(['true'])).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    expect((await first.run(['true'])).ok).toBe(true);
    await first.close();
  } finally {
    await engine.close();
    rmdirSync(root);
  }
});
