/** A caller does not see what other callers' outputs were, by file tools and by commands. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineTool } from '../../ts/index.js';
import type { Toolkit } from '../../ts/toolkit.js';
import { toolkits } from '../support/toolkits.js';

const { make } = toolkits();

const PRIVATE = 'PRIVATE-OF-A';
const TEXT = `${PRIVATE}\n${'a line that tells nothing\n'.repeat(20_000)}`;

const give = defineTool({
  name: 'give',
  description: 'Gives a text.',
  schema: { type: 'object', properties: {} },
  run: () => TEXT,
});

const OPTIONS = {
  terminal: { allow: ['echo', 'seq', 'ls', 'cat', 'grep', 'bash'], shell: 'bash' },
  customTools: [give],
} as const;

const SPILLED = /; all of them in (\S+)\]/;

/** A call, and what it gives. */
async function call(toolkit: Toolkit, caller: string | undefined, tool: string, args: object): Promise<string> {
  const { content } = await toolkit.execute(tool, args, caller === undefined ? {} : { caller });
  return content;
}

/** The file with the whole output of a call of this caller. */
async function spilled(toolkit: Toolkit, caller: string | undefined, tool: string, args: object): Promise<string> {
  const content = await call(toolkit, caller, tool, args);
  return SPILLED.exec(content)?.[1] ?? `none in ${content.slice(-300)}`;
}

/** Each way to an output that does not fit its result. */
const WAYS: readonly (readonly [string, object])[] = [
  ['terminal_run', { command: `echo ${PRIVATE}; seq 20000` }],
  ['terminal_run', { command: `echo ${PRIVATE}; seq 20000`, wait_ms: 20_000 }],
  ['give', {}],
];

describe('spilled output', () => {
  it.each(WAYS)('of %s is seen by its caller alone', async (tool, args) => {
    const toolkit = await make(OPTIONS);
    for (const owner of ['A', undefined]) {
      const file = await spilled(toolkit, owner, tool, args);
      const other = owner === 'A' ? 'B' : 'C';
      await spilled(toolkit, other, 'terminal_run', { command: 'seq 20000' });
      const folder = path.dirname(file);
      const attacks: readonly (readonly [string, object])[] = [
        ['file_read', { path: file }],
        ['file_grep', { path: file, pattern: PRIVATE }],
        ['file_grep', { path: folder, pattern: PRIVATE }],
        ['terminal_run', { command: `cat ${file}` }],
        ['terminal_run', { command: `grep -r ${PRIVATE.slice(0, 5)} ${path.dirname(folder)}` }],
        ['terminal_run', { command: `ls ${path.dirname(folder)}` }],
      ];
      for (const [attack, given] of attacks) {
        const found = await call(toolkit, other, attack, given);
        expect(found, `${attack} ${JSON.stringify(given)}`).not.toContain(PRIVATE);
        expect(found.split('\n').includes(path.basename(folder)), found).toBe(false);
      }
      // The same calls show it to the caller whose output it is.
      expect(await call(toolkit, owner, 'file_grep', { path: file, pattern: PRIVATE })).toContain('Found 1 match');
      expect(await call(toolkit, owner, 'terminal_run', { command: `grep -c ${PRIVATE} ${file}` })).toMatch(/\n1$/);
    }
  });

  it('has a name that no caller can guess, and the host reads all of it', async () => {
    const toolkit = await make(OPTIONS);
    const files: string[] = [];
    for (const caller of ['A', 'B']) {
      const file = await spilled(toolkit, caller, 'terminal_run', { command: 'seq 20000' });
      expect(path.basename(path.dirname(file))).toMatch(/^spill-[0-9a-f]{32}$/);
      files.push(file);
      expect((await toolkit.files.read(file)).ok).toBe(true);
    }
    expect(path.dirname(files[0] ?? '')).not.toBe(path.dirname(files[1] ?? ''));
  });

  it('is seen by the commands of 64 callers, and by the file tools of every caller', async () => {
    const toolkit = await make(OPTIONS);
    for (let count = 1; count < 64; count += 1) await call(toolkit, `c${count}`, 'give', {});
    for (const [caller, isSeen] of [
      ['the 64th', true],
      ['the 65th', false],
    ] as const) {
      const file = await spilled(toolkit, caller, 'terminal_run', { command: 'seq 20000' });
      expect(await call(toolkit, caller, 'file_grep', { path: file, pattern: '^20000$' })).toContain('Found 1 match');
      expect((await call(toolkit, caller, 'terminal_run', { command: `cat ${file}` })).includes('\n20000')).toBe(
        isSeen,
      );
    }
  });
});
