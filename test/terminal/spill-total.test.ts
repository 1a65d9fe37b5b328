import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

import { type CommandResult, createToolkit, type Spill, Terminal } from '../../ts/index.js';
import { folderPerTest } from '../support/folder.js';

/** What the files of a total are counted in. */
const BLOCK_BYTES = 4_096;
const KEEP_NOTHING = { headBytes: 0, tailBytes: 0 } as const;

const folder = folderPerTest();

async function spill(terminal: Terminal, bytes: number): Promise<Spill> {
  const { spill } = await terminal.run(['printf', `%${bytes}s`, 'x']);
  if (spill === undefined) throw new Error('nothing was spilled');
  return spill;
}

/** What spill files take beside this one, itself included. */
function total({ path: file }: Spill): number {
  const beside = path.dirname(file);
  return readdirSync(beside).reduce((sum, name) => sum + statSync(path.join(beside, name)).size, 0);
}

const exists = ({ path: file }: Spill): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined;

test('beyond their total the oldest spill file goes; without reaching it none does', async () => {
  const output = { ...KEEP_NOTHING, spillTotalBytes: 3 * BLOCK_BYTES };
  await using terminal = new Terminal({ allow: ['printf'], output });
  const files = [
    await spill(terminal, BLOCK_BYTES),
    await spill(terminal, BLOCK_BYTES),
    await spill(terminal, BLOCK_BYTES),
  ];
  expect(files.map(exists)).toEqual([true, true, true]);
  files.push(await spill(terminal, 1));
  expect(files.map(exists)).toEqual([false, true, true, true]);
  // What the result said of it was true when it was said.
  expect(files[0]).toMatchObject({ bytes: BLOCK_BYTES, complete: true });
});

test('many commands with much to say take no more than the total; without it they take all', async () => {
  const bytes = 16 * BLOCK_BYTES;
  const run = async (spillTotalBytes: number): Promise<number> => {
    await using terminal = new Terminal({ allow: ['printf'], output: { ...KEEP_NOTHING, spillTotalBytes } });
    for (let count = 1; count < 40; count += 1) await spill(terminal, bytes);
    return total(await spill(terminal, bytes));
  };
  expect(await run(1_024 * bytes)).toBe(40 * bytes);
  expect(await run(10 * bytes)).toBe(10 * bytes);
});

test('a file larger than the total holds its beginning, and without room there is none', async () => {
  const run = async (spillTotalBytes: number): Promise<CommandResult> => {
    await using terminal = new Terminal({ allow: ['printf'], output: { ...KEEP_NOTHING, spillTotalBytes } });
    return await terminal.run(['printf', `%${BLOCK_BYTES + 1}s`, 'x']);
  };
  expect((await run(BLOCK_BYTES)).spill).toMatchObject({ bytes: BLOCK_BYTES, complete: false });
  expect((await run(2 * BLOCK_BYTES)).spill).toMatchObject({ bytes: BLOCK_BYTES + 1, complete: true });
  const without = await run(0);
  expect(without).toMatchObject({ ok: true, truncated: true, bytes: { omitted: BLOCK_BYTES + 1 } });
  expect(without).not.toHaveProperty('spill');
});

test('the total of a toolkit is one for all of its tools', async () => {
  const terminal = { allow: ['printf'], output: KEEP_NOTHING };
  const limits = { spillTotalBytes: BLOCK_BYTES };
  await using toolkit = await createToolkit({ workspace: folder(), terminal, limits });
  const first = await spill(toolkit.terminal, BLOCK_BYTES);
  expect(exists(first)).toBe(true);
  const second = await spill(toolkit.terminal, BLOCK_BYTES);
  expect([exists(first), exists(second)]).toEqual([false, true]);
  const misplaced = { ...terminal, output: limits };
  await expect(createToolkit({ workspace: folder(), terminal: misplaced })).rejects.toMatchObject({
    code: 'ERR_INVALID_ARGUMENT',
    data: { name: 'output.spillTotalBytes' },
  });
});
