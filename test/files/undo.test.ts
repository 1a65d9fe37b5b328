/** Changes of file tools that are listed and taken back, by a host, by a model and on the command line. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Redactor } from '../../ts/redaction/redactor.js';
import { createToolkit, type Toolkit } from '../../ts/toolkit.js';
import type { ToolkitOptions } from '../../ts/tools/toolkit-options.js';
import { runCommandLine } from '../support/cli.js';

const HARM = 'tq7Hk29bXwLm';

let base: string;
let workspace: string;
let folder: string;
const open: Toolkit[] = [];

beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'handrail-undo-'));
  workspace = path.join(base, 'workspace');
  folder = path.join(base, 'state/handrail/changes');
  mkdirSync(workspace);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((toolkit) => toolkit.close()));
  rmSync(base, { recursive: true, force: true });
});

async function make(options: Partial<ToolkitOptions> = {}): Promise<Toolkit> {
  const toolkit = await createToolkit({ workspace, files: { changes: { folder } }, ...options });
  open.push(toolkit);
  return toolkit;
}

const write = (toolkit: Toolkit, name: string, content: string, caller?: string) =>
  toolkit.execute('file_write', { path: name, content, overwrite: true }, { caller });

const text = (name: string): string => readFileSync(path.join(workspace, name), 'utf8');

describe('a host', () => {
  it('takes back a call, the last ones, and everything after a mark', async () => {
    const toolkit = await make();
    for (const content of ['1', '2', '3', '4']) await write(toolkit, 'a', content);
    const listed = await toolkit.history();
    const ids = listed.ok ? listed.changes.map(({ id }) => id) : [];
    expect(ids).toHaveLength(4);
    expect(await toolkit.undo({ since: ids[2] ?? '' })).toMatchObject({ ok: true, undone: ids.slice(0, 2) });
    expect(text('a')).toBe('2');
    expect(await toolkit.undo(ids[2])).toMatchObject({ ok: true });
    expect(text('a')).toBe('1');
    expect(await toolkit.undo(7)).toMatchObject({ ok: true, files: [{ path: 'a', operation: 'delete' }] });
    expect(existsSync(path.join(workspace, 'a'))).toBe(false);
    expect(await toolkit.undo('nothing')).toMatchObject({ ok: false, refusal: { code: 'unknown_change' } });
  });

  it('keeps nothing where it says so, and then undo says why', async () => {
    const toolkit = await make({ files: { changes: false } });
    await write(toolkit, 'a', '1');
    expect(await toolkit.undo()).toMatchObject({ ok: false, refusal: { code: 'not_kept' } });
    expect(existsSync(folder)).toBe(false);
  });

  it('keeps nothing in a folder where commands write', async () => {
    const toolkit = await make({ files: { changes: { folder: path.join(workspace, 'changes') } } });
    await write(toolkit, 'a', '1');
    expect(await toolkit.undo()).toMatchObject({
      ok: false,
      refusal: { code: 'not_kept', message: expect.stringContaining('lies in a root') },
    });
  });

  it('keeps what changes replaced from commands, in a folder of its choice too', async () => {
    const toolkit = await make({ terminal: { allow: ['ls', 'cat'], require: ['reads'] } });
    await write(toolkit, 'a', HARM);
    await write(toolkit, 'a', 'other');
    const kept = readdirSync(folder).map((name) => path.join(folder, name));
    expect(kept.some((file) => readFileSync(file, 'utf8').includes(HARM))).toBe(true);
    const attack = ['cat', ...kept];
    const { stdout, exitCode } = await toolkit.terminal.run(attack);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect((await toolkit.terminal.run(['ls', folder])).stdout).toBe('');
    expect(await toolkit.undo()).toMatchObject({ ok: true });
    // Without the guard they are read.
    const unguarded = await make({ terminal: { allow: ['cat'], confine: { reads: 'any' } } });
    expect((await unguarded.terminal.run(attack)).stdout).toContain(HARM);
  });

  it('keeps them from commands below `XDG_STATE_HOME`, with the files of transactions', async () => {
    vi.stubEnv('XDG_STATE_HOME', path.join(base, 'xdg'));
    const search = ['grep', '-r', '-a', '-c', HARM, path.join(base, 'xdg/handrail')];
    for (const reads of ['protected', 'any'] as const) {
      const toolkit = await make({ files: {}, terminal: { allow: ['grep'], confine: { reads } } });
      await write(toolkit, 'a', HARM);
      await write(toolkit, 'a', 'other');
      const tried = await toolkit.transaction();
      await write(tried.toolkit, 'b', HARM);
      const { stdout } = await toolkit.terminal.run(search);
      // Without the guard they are read.
      expect(/changes\/.*:[1-9]/.test(stdout), stdout).toBe(reads === 'any');
      expect(/upper\/.*:[1-9]/.test(stdout), stdout).toBe(reads === 'any');
      await tried.discard();
    }
    vi.unstubAllEnvs();
  });

  it('may name a folder with a root in it, which commands read', async () => {
    const toolkit = await make({ files: { changes: { folder: base } } });
    await write(toolkit, 'a', '1');
    expect(await toolkit.undo()).toMatchObject({ ok: true });
  });

  it('shows no secret of a name or a content', async () => {
    const toolkit = await make();
    await write(toolkit, `password=${HARM}`, `password=${HARM}`);
    const listed = await toolkit.history();
    const undone = await toolkit.undo();
    expect(JSON.stringify([listed, undone])).not.toContain(HARM);
  });
});

describe('a model', () => {
  it('is shown what its calls changed, masked', async () => {
    const [one, other] = [['Zk3v', 'Q9xT7mLp'].join('AA'), ['Zk3v', 'Q9xT7mLp'].join('BB')];
    const conf = (port: number, secret: string): string => `port=${port}\npassword=${secret}\n`;
    for (const redaction of [undefined, new Redactor({ rules: 'none' })]) {
      const toolkit = await make(redaction === undefined ? {} : { redaction });
      await write(toolkit, 'conf', conf(1, one));
      await write(toolkit, 'conf', conf(2, other));
      const lines = async (tool: string, args: object): Promise<string[]> =>
        (await toolkit.execute(tool, args)).content.split('\n').slice(1);
      const listed = await lines('changes_list', { diff: true, limit: 1 });
      const tried = await lines('changes_undo', { dry_run: true });
      if (redaction !== undefined) {
        expect(listed.join(' ')).toMatch(new RegExp(`${one}.*${other}`));
        continue;
      }
      const after = [' password=[REDACTED]', '[what is masked is not compared]'];
      const head = ['--- conf', '@@ -1,2 +1,2 @@'];
      expect(listed).toEqual([
        ...head,
        '-port=1',
        '+port=2',
        ...after,
        '[older calls are left; ask with a larger limit]',
      ]);
      expect(tried).toEqual([...head, '-port=2', '+port=1', ...after]);
      await toolkit.close();
    }
  });

  it('is shown as much as fits, and that there is more', async () => {
    const toolkit = await make();
    const long = Array.from({ length: 2_000 }, (_, line) => `line ${line * 7919}`).join('\n');
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await write(toolkit, name, long);
    const { content } = await toolkit.execute('changes_list', { diff: true });
    expect(content.split('\n').at(-1)).toBe('[older calls do not fit]');
  });

  it('lists and takes back its own calls alone', async () => {
    const toolkit = await make();
    await write(toolkit, 'a', '1', 'one');
    await write(toolkit, 'b', '1', 'two');
    const listed = await toolkit.execute('changes_list', {}, { caller: 'one' });
    expect(listed.content).toMatch(/^[0-9a-f]{16} .* ago file_write: created a$/);
    const id = listed.content.split(' ')[0] ?? '';
    const others = await toolkit.execute('changes_undo', { ids: [id] }, { caller: 'two' });
    expect(others).toMatchObject({ isError: true, content: expect.stringContaining('no call') });
    const tried = await toolkit.execute('changes_undo', { dry_run: true }, { caller: 'one' });
    const differs = '--- a\n@@ -1,1 +0,0 @@\n-1\n\\ No newline at end of file';
    expect(tried.content).toBe(`Would take back ${id}: removed a.\n${differs}`);
    const undone = await toolkit.execute('changes_undo', {}, { caller: 'one' });
    expect(undone.content).toContain(`Took back ${id}: removed a.`);
    expect(existsSync(path.join(workspace, 'a'))).toBe(false);
    expect(text('b')).toBe('1');
    // The text says how the change is made again.
    const again = /ids (\["[^\]]*\])/.exec(undone.content)?.[1] ?? '';
    await toolkit.execute('changes_undo', { ids: JSON.parse(again) }, { caller: 'one' });
    expect(text('a')).toBe('1');
  });

  it('is told which file somebody else has changed', async () => {
    const toolkit = await make();
    await write(toolkit, 'a', '1');
    writeFileSync(path.join(workspace, 'a'), 'mine');
    const refused = await toolkit.execute('changes_undo', {});
    expect(refused).toMatchObject({
      isError: true,
      content: expect.stringContaining('changed since by somebody else: a'),
    });
    expect(text('a')).toBe('mine');
  });
});

describe('a person', () => {
  it('lists and takes back the calls of every agent on the command line', async () => {
    const toolkit = await make({ files: { changes: { folder } } });
    await write(toolkit, 'a', '1');
    await write(toolkit, 'a', '2', 'two');
    const env = { XDG_STATE_HOME: path.join(base, 'state') };
    const list = await runCommandLine(['undo', '--list'], { cwd: workspace, env });
    expect(list).toMatchObject({ code: 0, stdout: expect.stringMatching(/file_write: changed a\n.*created a\n$/) });
    const tried = await runCommandLine(['undo', '--dry-run', '--last', '2'], { cwd: workspace, env });
    expect(tried.stdout).toMatch(/^would take back .*: removed a\n--- a\n@@ -1,1 \+0,0 @@\n-2\n/);
    const shown = await runCommandLine(['undo', '--list', '--diff'], { cwd: workspace, env });
    expect(shown.stdout).toMatch(/changed a\n--- a\n@@ -1,1 \+1,1 @@\n-1\n.*\n\+2\n/);
    expect(text('a')).toBe('2');
    const undone = await runCommandLine(['undo'], { cwd: workspace, env });
    expect(undone).toMatchObject({ code: 0, stdout: expect.stringMatching(/^took back .*: changed a\n/) });
    expect(text('a')).toBe('1');
    writeFileSync(path.join(workspace, 'a'), 'mine');
    const refused = await runCommandLine(['undo', '--json'], { cwd: workspace, env });
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ ok: false, refusal: { code: 'changed_since' } });
    for (const args of [
      ['--last', '0'],
      ['--diff', '--dry-run'],
    ]) {
      expect((await runCommandLine(['undo', ...args], { cwd: workspace, env })).code).toBe(125);
    }
  });
});
