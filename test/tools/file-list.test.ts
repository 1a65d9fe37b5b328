import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { toolkits } from '../support/toolkits.js';

const { workspace, make, audited } = toolkits();

beforeAll(() => {
  mkdirSync(path.join(workspace, 'src/deep'), { recursive: true });
  writeFileSync(path.join(workspace, 'src/b.ts'), 'b');
  writeFileSync(path.join(workspace, 'src/A.ts'), 'a');
  writeFileSync(path.join(workspace, 'src/odd\nname'), '');
  writeFileSync(path.join(workspace, 'src/deep/c.ts'), '');
  symlinkSync('b.ts', path.join(workspace, 'src/in'));
  symlinkSync('/etc', path.join(workspace, 'src/out'));
  execFileSync('mkfifo', [path.join(workspace, 'src/fifo')]);
});

describe('file_list', () => {
  it('says what is there and of which kind', async () => {
    const result = await (await make()).execute('file_list', { path: 'src' });
    expect(result.isError).toBe(false);
    expect(result.content.split('\n')).toEqual([
      'A.ts',
      'b.ts',
      'deep/',
      'fifo (fifo)',
      'in -> (link, inside)',
      'odd\\nname',
      'out -> (link, outside)',
    ]);
    expect(result.data).toMatchObject({ kind: 'file_list', ok: true, total: 7, truncated: false });
  });

  it('lists the workspace, some levels deep, as many entries as are asked for', async () => {
    const toolkit = await make();
    const { content } = await toolkit.execute('file_list', { depth: 3 });
    expect(content.split('\n')).toEqual(expect.arrayContaining(['src/', 'src/deep/', 'src/deep/c.ts']));
    expect((await toolkit.execute('file_list', { path: 'src', limit: 2 })).content).toBe(
      'A.ts\nb.ts\n[More: file_list {"path":"src","limit":2,"offset":2} (5 entries left).]',
    );
  });

  it.each([
    ['file_list', { path: 'many', limit: 7 }],
    ['file_list', { depth: 2, limit: 11 }],
    ['file_glob', { pattern: 'many/*', limit: 7 }],
  ])('%s %j is read on to its end by the calls that it names', async (tool, args) => {
    mkdirSync(path.join(workspace, 'many'), { recursive: true });
    for (let index = 0; index < 40; index += 1) writeFileSync(path.join(workspace, 'many', `f${index}`), '');
    const toolkit = await make();
    const whole = (await toolkit.execute(tool, { ...args, limit: 1_000 })).content.split('\n');
    const parts: string[] = [];
    let next: object | undefined = args;
    while (next !== undefined) {
      const { content }: { content: string } = await toolkit.execute(tool, next);
      const [, call] = /\n\[More: \w+ (\{.*\}) \(\d+ (?:entries|entry|files?) left\)\.\]$/.exec(content) ?? [];
      parts.push(...content.split('\n').slice(0, call === undefined ? undefined : -1));
      next = call === undefined ? undefined : JSON.parse(call);
    }
    expect(parts).toEqual(whole);
    const past = await toolkit.execute(tool, { ...args, offset: 500 });
    expect(past.content).toMatch(/^\[\d+ \w+ in all; offset 500 is past the last of them, give a smaller one\.\]$/);
  });

  it('masks and counts secrets in names', async () => {
    mkdirSync(path.join(workspace, 'named'));
    writeFileSync(path.join(workspace, 'named', `password=${['hunter2', 'hunter2'].join('-')}`), '');
    const { toolkit, records } = await audited();
    const { content } = await toolkit.execute('file_list', { path: 'named' });
    expect(content).toBe('password=[REDACTED]');
    expect(records).toMatchObject([{ redactions: 1 }]);
  });

  it('follows no link out, and tells the audit', async () => {
    const { toolkit, records } = await audited();
    const refused = await toolkit.execute('file_list', { path: 'src/out' });
    expect(refused).toMatchObject({ isError: true, data: { refusal: { code: 'outside_root' } } });
    expect(records).toMatchObject([{ decision: 'deny', detail: { kind: 'file', operation: 'list', path: 'src/out' } }]);
  });
});
