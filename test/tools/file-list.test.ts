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
      'A.ts\nb.ts\n[2 of 7 entries; list a directory below, or raise limit.]',
    );
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
