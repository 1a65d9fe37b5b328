/** The tool `file_patch` of a toolkit: what a model reads after each patch, good or bad, and what the audit keeps. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { HandrailError } from '../../ts/errors.js';
import { Files } from '../../ts/files/files.js';
import { MAX_PATCH_CHARS } from '../../ts/files/limits.js';
import { toolkits } from '../support/toolkits.js';

const { workspace, make, audited } = toolkits();

function file(name: string, content: string): void {
  const target = path.join(workspace, name);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, content);
}

const content = (name: string): string => readFileSync(path.join(workspace, name), 'utf8');
const envelope = (...lines: readonly string[]): string => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

it('changes many files and says what became of each', async () => {
  file('src/a.ts', 'one\ntwo\nthree\n');
  file('src/old.ts', 'x\n');
  file('gone.txt', 'bye\n');
  const patch = envelope(
    ...['*** Update File: src/a.ts', '@@', ' one', '-two', '+2', '+2b'],
    ...['*** Update File: src/old.ts', '*** Move to: lib/new.ts', '@@', '-x', '+y'],
    '*** Delete File: gone.txt',
    ...['*** Add File: src/b.ts', '+export {};'],
  );
  const first = await make();
  await first.execute('file_read', { path: 'gone.txt' });
  const result = await first.execute('file_patch', { patch });
  expect(result.content).toBe(
    [
      'Patched 4 files.',
      'update src/a.ts (+2 -1)',
      'move src/old.ts -> lib/new.ts (+1 -1)',
      'delete gone.txt (+0 -1)',
      'add src/b.ts (+1 -0)',
      'src/a.ts:\n1\tone\n2\t2\n3\t2b\n4\tthree',
      'lib/new.ts:\n1\ty',
    ].join('\n'),
  );
  expect(result).toMatchObject({ isError: false, data: { kind: 'file_patch', ok: true, dryRun: false } });
  expect([content('src/a.ts'), content('lib/new.ts'), content('src/b.ts')]).toEqual([
    'one\n2\n2b\nthree\n',
    'y\n',
    'export {};\n',
  ]);
  expect(['src/old.ts', 'gone.txt'].some((name) => existsSync(path.join(workspace, name)))).toBe(false);
  // What it wrote is known: it may be written whole.
  const toolkit = await make();
  await toolkit.execute('file_patch', { patch: envelope('*** Add File: known.txt', '+a') });
  expect(await toolkit.execute('file_write', { path: 'known.txt', content: 'b\n' })).toMatchObject({ isError: false });
});

it('changes nothing when one hunk does not fit, and shows what stands there', async () => {
  file('near.ts', 'function a() {\n\treturn 1;\n}\n');
  file('other.ts', 'x\n');
  const { toolkit, records } = await audited();
  const patch = envelope(
    ...['*** Update File: other.ts', '@@', '-x', '+y'],
    ...['*** Update File: near.ts', '@@', ' function a() {', '-\treturn 3;', '+\treturn 2;'],
  );
  const refused = await toolkit.execute('file_patch', { patch });
  expect(refused.content).toBe(
    'Patch not applied (0 of 2 files). near.ts hunk 1: old text not found in near.ts. Nearest is lines 1-2; first ' +
      'difference at hunk line 2 / file line 2:\n  yours: →return·3;\n  file:  →return·1;\nThe file has there:\n' +
      '1\tfunction a() {\n2\t\treturn 1;\n3\t}\nhint: If this is the place, send these as the unchanged and removed ' +
      'lines: "function a() {\\n\\treturn 1;"',
  );
  expect(refused).toMatchObject({ isError: true, data: { refusal: { code: 'no_match', edit: 0, lines: [1, 2] } } });
  expect(content('other.ts')).toBe('x\n');
  const fixed = patch.replace('return 3', 'return 1');
  expect(await toolkit.execute('file_patch', { patch: fixed })).toMatchObject({ isError: false });
  expect([content('other.ts'), content('near.ts')]).toEqual(['y\n', 'function a() {\n\treturn 2;\n}\n']);
  expect(records).toMatchObject([
    {
      tool: 'file_patch',
      decision: 'allow',
      rules: ['no_match'],
      detail: { kind: 'file', operation: 'patch', status: 'no_match', path: 'other.ts, near.ts' },
    },
    { decision: 'allow', rules: [], detail: { status: 'done', path: 'other.ts, near.ts' } },
  ]);
});

it('refuses protected places and places outside, with the rule, and records the denial', async () => {
  file('.env', 'A=1\n');
  file('fine.txt', 'x\n');
  const { toolkit, records } = await audited();
  const first = ['*** Update File: fine.txt', '@@', '-x', '+y'];
  for (const [lines, pattern] of [
    [['*** Add File: .git/hooks/post-commit', '+x'], /denied: \.git.*git\.metadata/],
    [['*** Delete File: .env'], /denied: \.env.*secrets\.dotenv/],
    [['*** Update File: .env', '*** Move to: env.txt'], /denied: \.env.*secrets\.dotenv/],
    [['*** Add File: ../outside.txt', '+x'], /Access denied: /],
  ] as const) {
    const refused = await toolkit.execute('file_patch', { patch: envelope(...first, ...lines) });
    expect(refused.content, lines[0]).toMatch(/^Patch not applied \(0 of 2 files\)\. /);
    expect(refused.content).toMatch(pattern);
  }
  expect(records.map(({ decision }) => decision)).toEqual(['deny', 'deny', 'deny', 'deny']);
  expect([content('fine.txt'), content('.env')]).toEqual(['x\n', 'A=1\n']);
});

it('removes a file without its lines only when it is as it was read', async () => {
  file('unread.txt', 'x\n');
  const toolkit = await make();
  const remove = () => toolkit.execute('file_patch', { patch: envelope('*** Delete File: unread.txt') });
  const unread = await remove();
  expect(unread).toMatchObject({ isError: true, data: { refusal: { code: 'exists' } } });
  expect(unread.content).toContain('Not removed: unread.txt exists and you have not seen its current content');
  await toolkit.execute('file_read', { path: 'unread.txt' });
  file('unread.txt', 'mine\n');
  expect(await remove()).toMatchObject({
    isError: true,
    data: { refusal: { code: 'changed_on_disk', lines: [1, 1] } },
  });
  expect(content('unread.txt')).toBe('mine\n');
  await toolkit.execute('file_read', { path: 'unread.txt' });
  expect(await remove()).toMatchObject({ isError: false });
  expect(existsSync(path.join(workspace, 'unread.txt'))).toBe(false);
});

it('shows no secret and keeps those whose masks come back', async () => {
  const secret = ['hunter2', 'hunter2'].join('-');
  file('app.ini', `# settings\npassword=${secret}\nport=80\n`);
  const toolkit = await make();
  const change = (key: string) =>
    envelope('*** Update File: app.ini', '@@', '-password=[REDACTED]', '-port=80', `+${key}=[REDACTED]`, '+port=81');
  const refused = await toolkit.execute('file_patch', { patch: change('shown') });
  expect(refused).toMatchObject({ isError: true, data: { refusal: { code: 'mask_in_text' } } });
  const { content: text } = await toolkit.execute('file_patch', { patch: change('password') });
  expect(text).toContain('[1 masked secret kept as it was]');
  expect(text).not.toContain(secret);
  expect(content('app.ini')).toBe(`# settings\npassword=${secret}\nport=81\n`);
});

it('says what is no patch, and takes none that is too long', async () => {
  const toolkit = await make();
  const refused = await toolkit.execute('file_patch', { patch: 'change a to b' });
  expect(refused).toMatchObject({ isError: true, data: { refusal: { code: 'invalid_patch' } } });
  expect(refused.content).toContain('hint: Begin with `*** Begin Patch`');
  const long = await toolkit.execute('file_patch', { patch: 'x'.repeat(MAX_PATCH_CHARS + 1) });
  expect(long).toMatchObject({ isError: true, data: { refused: 'invalid_arguments' } });
});

it('tries a patch without writing, for programs', async () => {
  file('dry.txt', 'x\n');
  await using files = new Files({ roots: [workspace] });
  const patch = envelope('*** Update File: dry.txt', '@@', '-x', '+y', '*** Add File: dry.txt/new.txt', '+x');
  expect(await files.patch(patch, { dryRun: true })).toMatchObject({
    ok: false,
    refusal: { code: 'not_a_directory' },
  });
  const fine = patch.replace('dry.txt/new.txt', 'dried/new.txt');
  const tried = await files.patch(fine, { dryRun: true });
  expect(tried).toMatchObject({ ok: true, dryRun: true, files: [{ path: 'dry.txt', bytes: 2 }, { operation: 'add' }] });
  expect([content('dry.txt'), existsSync(path.join(workspace, 'dried'))]).toEqual(['x\n', false]);
  expect(await files.patch(fine)).toMatchObject({ ok: true, dryRun: false });
  expect([content('dry.txt'), content('dried/new.txt')]).toEqual(['y\n', 'x\n']);
  for (const call of [
    () => files.patch(1 as never),
    () => files.patch(patch, { dry: true } as never),
    () => files.patch(patch, { overwrite: true } as never),
  ]) {
    await expect(call()).rejects.toThrow(HandrailError);
  }
});
