import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { toolkits } from '../support/toolkits.js';

const { workspace, make, audited } = toolkits();

const CHANGED = new Date('2024-05-06T07:08:09.500Z');
const at = (name: string) => path.join(workspace, name);

beforeAll(() => {
  mkdirSync(at('src'), { mode: 0o755 });
  writeFileSync(at('src/run.sh'), 'echo\n');
  chmodSync(at('src/run.sh'), 0o754);
  writeFileSync(at('.env'), 'A=1\n');
  symlinkSync('src/run.sh', at('in'));
  symlinkSync('/etc/passwd', at('out'));
  symlinkSync('/etc', at('outside'));
  symlinkSync(`/nowhere/password=${['hunter2', 'hunter2'].join('-')}`, at('named'));
  execFileSync('mkfifo', ['-m', '600', at('fifo')]);
  for (const name of ['src/run.sh', 'src', 'fifo']) utimesSync(at(name), CHANGED, CHANGED);
});

describe('file_stat', () => {
  it.each([
    ['src/run.sh', 'src/run.sh: file, 5 bytes, mode 0754, modified 2024-05-06T07:08:09.500Z'],
    ['src', 'src: dir, mode 0755, modified 2024-05-06T07:08:09.500Z'],
    ['src/', 'src: dir, mode 0755, modified 2024-05-06T07:08:09.500Z'],
    ['fifo', 'fifo: fifo, mode 0600, modified 2024-05-06T07:08:09.500Z'],
    ['in', /^in: link to src\/run\.sh \(inside\), mode 0777, modified /],
    ['out', /^out: link to \/etc\/passwd \(outside\), mode 0777, modified /],
    ['named', /^named: link to \/nowhere\/password=\[REDACTED\] \(outside\), mode /],
  ])('says what %s stands for', async (name, said) => {
    const { content, isError } = await (await make()).execute('file_stat', { path: name });
    expect(content).toEqual(typeof said === 'string' ? said : expect.stringMatching(said));
    expect(isError).toBe(false);
  });

  it('gives programs the same in full', async () => {
    const files = (await make()).files;
    expect(await files.stat('src/run.sh')).toEqual({
      kind: 'file_stat',
      ok: true,
      path: 'src/run.sh',
      absolute: at('src/run.sh'),
      type: 'file',
      size: 5,
      mode: '0754',
      modifiedMs: CHANGED.getTime(),
      accessedMs: CHANGED.getTime(),
      changedMs: expect.any(Number),
      redactions: 0,
    });
    expect(await files.stat('named')).toMatchObject({ type: 'symlink', target: 'outside', redactions: 1 });
    expect(await files.stat('out')).not.toHaveProperty('size');
  });

  it.each([
    ['.env', /^Read denied: \.env is protected \(rule secrets\.dotenv\)\nhint: /, 'blocked_read'],
    [
      'outside/passwd',
      /^Access denied: outside\/passwd leads outside the allowed directories by a link\nhint: .*Only the host/,
      'outside_root',
    ],
    ['src/rum.sh', /^src\/rum\.sh does not exist/, 'not_found'],
    ['src/run.sh/', /^Read failed: src\/run\.sh\/ leads through a file/, 'not_a_directory'],
  ])('refuses %s as reading does, and tells the audit', async (name, said, code) => {
    const { toolkit, records } = await audited();
    const refused = await toolkit.execute('file_stat', { path: name });
    expect(refused).toMatchObject({ isError: true, data: { kind: 'file_stat', refusal: { code } } });
    expect(refused.content).toMatch(said);
    expect(records).toMatchObject([{ tool: 'file_stat', detail: { kind: 'file', operation: 'stat', status: code } }]);
    const read = await toolkit.execute('file_read', { path: name });
    expect(read).toMatchObject({ data: { refusal: { code } } });
  });

  it('says the same of what is there and what is not where nobody may look', async () => {
    const toolkit = await make();
    const said = async (name: string) => (await toolkit.execute('file_stat', { path: `outside/${name}` })).content;
    expect((await said('no-such')).replace('no-such', 'passwd')).toBe(await said('passwd'));
  });
});
