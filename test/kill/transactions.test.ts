/** Transactions: one set of tools over a layer, and what is left of it when it ends, one way or another. */
import { spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { AuditRecord } from '../../ts/audit/record.js';
import { createToolkit, type Toolkit } from '../../ts/toolkit.js';
import type { ToolkitOptions } from '../../ts/tools/toolkit-options.js';
import { folderPerTest } from '../support/folder.js';
import { LIVENESS_MS } from '../support/liveness.js';
import { until } from '../support/processes.js';
import { isAlive, supervisorsOf } from './family.js';

const base = folderPerTest();
const given = process.env['XDG_STATE_HOME'];
const open: Toolkit[] = [];

let workspace: string;
let layers: string;

beforeEach(() => {
  workspace = path.join(base(), 'work');
  const state = path.join(base(), 'state');
  layers = path.join(state, 'handrail/layers');
  process.env['XDG_STATE_HOME'] = state;
  mkdirSync(path.join(workspace, 'folder'), { recursive: true });
  writeFileSync(path.join(workspace, 'notes.txt'), 'noted\n');
  writeFileSync(path.join(workspace, 'folder/inner.txt'), 'inner\n', { mode: 0o640 });
  symlinkSync('folder/inner.txt', path.join(workspace, 'link'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((toolkit) => toolkit.close()));
  if (given === undefined) Reflect.deleteProperty(process.env, 'XDG_STATE_HOME');
  else process.env['XDG_STATE_HOME'] = given;
});

const ALLOWED = 'bash cat chmod cp echo ln ls mkdir mv rm sleep touch true'.split(' ');

async function make(options: Partial<ToolkitOptions> = {}): Promise<Toolkit> {
  const toolkit = await createToolkit({ workspace, terminal: { allow: ALLOWED, shell: 'bash' }, ...options });
  open.push(toolkit);
  return toolkit;
}

/** Everything beneath the workspace: kinds, modes, times, and texts or targets. */
function tree(): Record<string, string> {
  const names = ['.', ...readdirSync(workspace, { recursive: true }).map(String)].toSorted();
  const describeEntry = (name: string): string => {
    const file = path.join(workspace, name);
    const status = lstatSync(file);
    const link = status.isSymbolicLink() ? readlinkSync(file) : '';
    const text = status.isFile() ? readFileSync(file, 'utf8') : '';
    return [status.mode.toString(8), status.mtimeMs, status.uid, status.size, link, text].join(' ');
  };
  return Object.fromEntries(names.map((name) => [name, describeEntry(name)]));
}

async function run(toolkit: Toolkit, command: string): Promise<string> {
  const { output, exitCode } = await toolkit.terminal.run(command);
  expect(exitCode, `${command}: ${output}`).toBe(0);
  return output;
}

describe('a transaction', () => {
  test('takes commands, sessions, jobs and file tools, and leaves nothing', { timeout: LIVENESS_MS }, async () => {
    const before = tree();
    const records: AuditRecord[] = [];
    const toolkit = (await make()).on('call', (record) => records.push(record));
    const { toolkit: tools, ...transaction } = await begin(toolkit);
    await run(tools, 'echo one > one.txt; rm folder/inner.txt; mv folder renamed; chmod 600 notes.txt');
    await tools.execute('file_write', { path: 'deep/er/two.txt', content: 'two\n' });
    await tools.execute('file_edit', { path: 'notes.txt', edits: [{ old: 'noted', new: 'edited' }] });
    const shell = await tools.sessions.open('bash');
    await shell.send('echo three > three.txt; echo done-$?');
    await shell.read();
    const job = await tools.jobs.start('echo four > four.txt');
    await job.ended;
    expect(await run(tools, 'cat one.txt deep/er/two.txt notes.txt three.txt four.txt')).toBe(
      'one\ntwo\nedited\nthree\nfour\n',
    );
    const listed = await tools.files.list('.');
    const names = listed.ok ? listed.entries.map((entry) => entry.name) : [];
    expect(names).toEqual(expect.arrayContaining(['deep', 'four.txt', 'one.txt', 'renamed', 'three.txt']));
    expect(tree()).toEqual(before);
    expect(await run(toolkit, 'cat notes.txt; ls')).toBe('noted\nfolder\nlink\nnotes.txt\n');
    expect(records.map(({ tool }) => tool)).toContain('file_edit');
    await transaction.discard();
    await transaction.discard();
    expect(tree()).toEqual(before);
    expect(readdirSync(layers)).toEqual([]);
    await expect(tools.execute('terminal_run', { command: 'true' })).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    expect(await run(toolkit, 'cat notes.txt')).toBe('noted\n');
  });

  test('is apart from another one', { timeout: LIVENESS_MS }, async () => {
    const toolkit = await make();
    const [first, second] = await Promise.all([toolkit.transaction(), toolkit.transaction()]);
    await run(first.toolkit, 'echo first > a.txt');
    await run(second.toolkit, 'echo second > a.txt');
    expect(await run(first.toolkit, 'cat a.txt')).toBe('first\n');
    expect(await run(second.toolkit, 'cat a.txt')).toBe('second\n');
    await first.discard();
    expect(await run(second.toolkit, 'cat a.txt')).toBe('second\n');
    await second.discard();
    expect(existsSync(path.join(workspace, 'a.txt'))).toBe(false);
  });

  test('ends with its toolkit, and with everything that runs in it', { timeout: LIVENESS_MS }, async () => {
    const toolkit = await make();
    const { toolkit: tools } = await toolkit.transaction();
    await run(tools, 'mkdir locked; touch locked/file; chmod 500 locked');
    const job = await tools.jobs.start('sleep 1000');
    const supervisors = supervisorsOf();
    expect(supervisors).toHaveLength(1);
    await toolkit.close();
    expect(supervisors.filter(isAlive)).toEqual([]);
    expect((await job.ended).status).not.toBe('running');
    expect(readdirSync(layers)).toEqual([]);
  });

  test('of a host that is killed is gone, and its folder with the next one', { timeout: LIVENESS_MS }, async () => {
    const before = tree();
    const host = spawn(process.execPath, ['--input-type=module', '--eval', HOST, workspace]);
    const written: unknown = await new Promise((resolve) => host.stdout.once('data', resolve));
    expect(String(written)).toBe('written\n');
    const supervisors = supervisorsOf(host.pid);
    expect(supervisors).toHaveLength(1);
    const [left] = readdirSync(layers);
    host.kill('SIGKILL');
    expect(await until(() => !supervisors.some(isAlive))).toBeDefined();
    expect(readdirSync(layers)).toEqual([left]);
    const { discard } = await begin(await make());
    expect(readdirSync(layers)).not.toContain(left);
    await discard();
    expect(tree()).toEqual(before);
  });

  test('a folder of a process that lives, or of nobody, is left alone', { timeout: LIVENESS_MS }, async () => {
    const { discard } = await begin(await make());
    const [own = ''] = readdirSync(layers);
    mkdirSync(path.join(layers, 'other'));
    const second = await begin(await make());
    expect(readdirSync(layers)).toEqual(expect.arrayContaining([own, 'other']));
    rmSync(path.join(layers, 'other'), { recursive: true });
    await discard();
    await second.discard();
  });
});

describe('a commit', () => {
  test('brings over what the tools wrote, lists it before, and is taken back', { timeout: LIVENESS_MS }, async () => {
    const before = tree();
    const toolkit = await make();
    const transaction = await toolkit.transaction();
    await run(
      transaction.toolkit,
      'echo one > one.txt; rm folder/inner.txt; chmod 600 notes.txt; mkdir made; touch made/a',
    );
    await transaction.toolkit.execute('file_write', { path: 'deep/two.txt', content: 'two\n' });
    await transaction.toolkit.jobs.start('sleep 1000');
    const changes = await transaction.changes();
    expect(changes).toMatchObject({ ok: true, deleted: 1, attributes: 1, conflictCount: 0 });
    const paths = changes.ok ? changes.changes.map((change) => change.path) : [];
    expect(paths).toEqual(expect.arrayContaining(['one.txt', 'folder/inner.txt', 'notes.txt', 'made', 'deep']));
    expect(tree()).toEqual(before);
    const digest = changes.ok ? changes.digest : '';
    const done = await transaction.commit({ digest });
    expect(done).toMatchObject({ ok: true, committed: true, undoable: true });
    expect(await run(toolkit, 'cat one.txt deep/two.txt; ls folder made')).toBe('one\ntwo\nfolder:\n\nmade:\na\n');
    expect(readdirSync(layers)).toEqual([]);
    await transaction.discard();
    await expect(transaction.changes()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    await expect(transaction.commit()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    const undone = await toolkit.undo(done.ok ? done.id : undefined);
    expect(undone.ok).toBe(true);
    expect(Object.keys(tree())).toEqual(Object.keys(before));
    expect(await run(toolkit, 'cat notes.txt folder/inner.txt')).toBe('noted\ninner\n');
  });

  test('names a conflict, and the tools go on', { timeout: LIVENESS_MS }, async () => {
    const toolkit = await make();
    const transaction = await toolkit.transaction();
    await run(transaction.toolkit, 'echo ours > notes.txt; echo new > new.txt');
    writeFileSync(path.join(workspace, 'notes.txt'), 'theirs\n');
    const refused = await transaction.commit();
    expect(refused).toMatchObject({ ok: true, committed: false, changes: { conflictCount: 1 } });
    const conflict = refused.ok ? refused.changes.conflicts[0] : undefined;
    expect(conflict).toEqual({ path: 'notes.txt', reason: 'changed' });
    expect(existsSync(path.join(workspace, 'new.txt'))).toBe(false);
    expect(await run(transaction.toolkit, 'cat notes.txt new.txt')).toBe('ours\nnew\n');
    expect(await transaction.commit({ partly: true })).toMatchObject({ ok: true, committed: true });
    expect(readFileSync(path.join(workspace, 'notes.txt'), 'utf8')).toBe('theirs\n');
    expect(readFileSync(path.join(workspace, 'new.txt'), 'utf8')).toBe('new\n');
  });

  const enders = {
    'its discard()': (_: Toolkit, { discard }: Begun) => discard(),
    'its toolkit': (toolkit: Toolkit) => toolkit.close(),
  };
  test.each(Object.entries(enders))(
    'is brought over whole where %s ends it meanwhile',
    { timeout: LIVENESS_MS },
    async (_, end) => {
      for (const delay of [0, 5, 20, 40]) {
        const toolkit = await make();
        const begun = await begin(toolkit);
        const { files } = begun.toolkit;
        await Promise.all(Array.from({ length: MANY }, (_, i) => files.write(`many${i}.txt`, 'many\n')));
        const committed = begun.transaction.commit();
        await new Promise((resolve) => setTimeout(resolve, delay));
        const second = begun.transaction.commit().catch((error: unknown) => error);
        await end(toolkit, begun);
        expect(await committed).toMatchObject({ ok: true, committed: true });
        expect(await second).toMatchObject({ code: 'ERR_CLOSED' });
        const brought = readdirSync(workspace).filter((name) => name.startsWith('many'));
        expect(brought).toHaveLength(MANY);
        expect(readdirSync(layers)).toEqual([]);
        for (const name of brought) rmSync(path.join(workspace, name));
        await toolkit.close();
      }
    },
  );

  test('is not brought over where it has more than was seen, and the tools go on', {
    timeout: LIVENESS_MS,
  }, async () => {
    const { toolkit: tools, transaction, discard } = await begin(await make());
    await run(tools, 'echo one > one.txt');
    const seen = await transaction.changes();
    if (!seen.ok) throw new Error(seen.refusal.reason);
    await run(tools, 'echo two > one.txt');
    expect(await transaction.commit({ digest: seen.digest })).toMatchObject({
      ok: false,
      refusal: { code: 'changed_on_disk' },
    });
    expect(await run(tools, 'cat one.txt')).toBe('two\n');
    expect(existsSync(path.join(workspace, 'one.txt'))).toBe(false);
    await discard();
  });
});

/** The functions of a transaction without `this`. */
/** Files that a commit brings over one by one. */
const MANY = 150;

type Begun = Awaited<ReturnType<typeof begin>>;

async function begin(toolkit: Toolkit) {
  const transaction = await toolkit.transaction();
  return { transaction, toolkit: transaction.toolkit, discard: () => transaction.discard() };
}

const HOST = `
  import { createToolkit } from 'handrail';
  const toolkit = await createToolkit({ workspace: process.argv[1], terminal: { allow: ['touch', 'sleep'] } });
  const { toolkit: tools } = await toolkit.transaction();
  await tools.execute('terminal_run', { command: 'touch by-host.txt' });
  await tools.jobs.start('sleep 1000');
  console.log('written');
  setInterval(() => undefined, 1000);`;

describe('no transaction is begun', () => {
  test('in another one', async () => {
    const { toolkit, discard } = await begin(await make());
    await expect(toolkit.transaction()).rejects.toMatchObject({ code: 'ERR_NOT_SUPPORTED' });
    await discard();
  });

  test.each([
    { name: 'terminal.sandbox', terminal: { sandbox: 'off' } },
    { name: 'terminal.confine.writes', terminal: { confine: { writes: 'any' } } },
  ] as const)('where $name lets commands write anywhere', async ({ name, terminal }) => {
    const toolkit = await make({ terminal: { allow: ['true'], ...terminal } });
    await expect(toolkit.transaction()).rejects.toMatchObject({ code: 'ERR_NOT_SUPPORTED', data: { name } });
    expect(existsSync(layers)).toBe(false);
  });

  test('over a root that the folder of layers lies in, and nothing is left of it', async () => {
    process.env['XDG_STATE_HOME'] = path.join(workspace, 'state');
    const toolkit = await make();
    await expect(toolkit.transaction()).rejects.toMatchObject({ code: 'ERR_GUARANTEE_UNAVAILABLE' });
    expect(existsSync(path.join(workspace, 'state'))).toBe(false);
    expect(await run(toolkit, 'cat notes.txt')).toBe('noted\n');
  });

  // Nobody but root may use a folder of somebody else.
  test.runIf(process.getuid?.() === 0)('where the folder of layers is somebody else’s', async () => {
    mkdirSync(layers, { recursive: true });
    chownSync(layers, 65534, 65534);
    const refused = { code: 'ERR_SYSTEM', message: expect.stringContaining('the layer cannot be used') };
    await expect((await make()).transaction()).rejects.toMatchObject(refused);
    expect(readdirSync(layers)).toEqual([]);
  });

  test('after its toolkit was closed', async () => {
    const toolkit = await make();
    await toolkit.close();
    await expect(toolkit.transaction()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  });
});
