/** `changes: 'staged'`: every program writes into a layer of its own, and what Handrail has ended leaves nothing. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createToolkit, type Toolkit } from '../../ts/toolkit.js';
import type { ToolkitOptions } from '../../ts/tools/toolkit-options.js';
import { folderPerTest } from '../support/folder.js';
import { LIVENESS_MS } from '../support/liveness.js';
import { until } from '../support/processes.js';
import { supervisorsOf } from './family.js';

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
  mkdirSync(path.join(workspace, 'folder/deep'), { recursive: true, mode: 0o750 });
  writeFileSync(path.join(workspace, 'notes.txt'), 'noted\n');
  writeFileSync(path.join(workspace, 'folder/inner.txt'), 'inner\n', { mode: 0o640 });
  writeFileSync(path.join(workspace, 'folder/deep/run.sh'), '#!/bin/bash\necho ran > by-script.txt\n', { mode: 0o755 });
  symlinkSync('folder/inner.txt', path.join(workspace, 'link'));
  for (const name of ['folder/inner.txt', 'folder/deep', 'folder']) utimesSync(file(name), 1_000_000, 1_000_000);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((toolkit) => toolkit.close()));
  if (given === undefined) Reflect.deleteProperty(process.env, 'XDG_STATE_HOME');
  else process.env['XDG_STATE_HOME'] = given;
});

const file = (name: string): string => path.join(workspace, name);
const text = (name: string): string => readFileSync(file(name), 'utf8');
const ALLOWED = 'bash cat chmod cp dd echo ln ls mkdir mv rm seq sleep test touch true wait'.split(' ');

async function make(options: Partial<ToolkitOptions> = {}): Promise<Toolkit> {
  const terminal = { allow: ALLOWED, shell: 'bash', ...options.terminal } as const;
  const toolkit = await createToolkit({ workspace, changes: 'staged', ...options, terminal });
  open.push(toolkit);
  return toolkit;
}

/** Everything beneath the workspace: kinds, modes, times, and texts. */
function tree(): Record<string, string> {
  const names = readdirSync(workspace, { recursive: true }).map(String).toSorted();
  const describeEntry = (name: string): string => {
    const status = lstatSync(file(name));
    return [status.mode.toString(8), status.mtimeMs, status.uid, status.isFile() ? text(name) : ''].join(' ');
  };
  return Object.fromEntries(names.map((name) => [name, describeEntry(name)]));
}

describe('a command', () => {
  test('changes the root when it has ended, whatever its exit code', { timeout: LIVENESS_MS }, async () => {
    const toolkit = await make();
    const running = toolkit.terminal.run('echo one > one.txt; sleep 0.3; cat one.txt; exit 3');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(existsSync(file('one.txt'))).toBe(false);
    const { exitCode, output, staged } = await running;
    expect({ exitCode, output, one: text('one.txt') }).toEqual({ exitCode: 3, output: 'one\n', one: 'one\n' });
    expect(staged).toMatchObject({ committed: true, created: 1, paths: ['one.txt'], conflictCount: 0 });
    expect(toolkit.staged()).toEqual([]);
    await toolkit.close();
    expect(readdirSync(layers)).toEqual([]);
  });

  test('of a caller is in its history, and is taken back with modes and times', { timeout: LIVENESS_MS }, async () => {
    const toolkit = await make();
    const before = tree();
    const removed = await toolkit.execute('terminal_run', { command: 'rm -rf folder' }, { caller: 'one' });
    expect(removed.content).toContain('[files: 4 removed: folder');
    expect(existsSync(file('folder'))).toBe(false);
    const other = await toolkit.execute('changes_list', {}, { caller: 'other' });
    expect(other.content).toBe('[no changes]');
    const listed = await toolkit.execute('changes_list', {}, { caller: 'one' });
    expect(listed.content).toContain('removed folder');
    const undone = await toolkit.execute('changes_undo', {}, { caller: 'one' });
    expect(undone.content).toContain('Took back');
    expect(tree()).toEqual(before);
  });

  test('without layers is in no history', { timeout: LIVENESS_MS }, async () => {
    const toolkit = await make({ changes: 'direct' });
    const { staged } = await toolkit.terminal.run('rm -rf folder');
    expect(staged).toBeUndefined();
    const history = await toolkit.history();
    expect(history.ok && history.changes).toEqual([]);
    expect(existsSync(file('folder'))).toBe(false);
  });

  test('starts in a folder, and programs, of the root as they are', { timeout: LIVENESS_MS }, async () => {
    const allow = [...ALLOWED, 'folder/deep/run.sh'];
    const toolkit = await make({ terminal: { allow, confine: { exec: 'any' } } });
    const script = await toolkit.terminal.run(['./run.sh'], { cwd: 'folder/deep' });
    expect(script).toMatchObject({ exitCode: 0, staged: { committed: true } });
    expect(text('folder/deep/by-script.txt')).toBe('ran\n');
    const second = await toolkit.terminal.run('cat by-script.txt', { cwd: 'folder/deep' });
    expect(second.output).toBe('ran\n');
  });

  test('sees what a file tool wrote before, and the other way round', { timeout: LIVENESS_MS }, async () => {
    const toolkit = await make();
    await toolkit.files.write('tool.txt', 'by tool\n');
    const { output, staged } = await toolkit.terminal.run('cat tool.txt; echo more >> tool.txt');
    expect({ output, committed: staged?.committed }).toEqual({ output: 'by tool\n', committed: true });
    const read = await toolkit.files.read('tool.txt');
    expect(read.ok && read.text).toBe('by tool\nmore\n');
  });

  test('has no temporary folder of another, and neither spilled output nor networks are lost', {
    timeout: LIVENESS_MS,
  }, async () => {
    const toolkit = await make({ terminal: { confine: { network: 'loopback' } } });
    const many = await toolkit.execute('terminal_run', {
      command: 'for i in $(seq 30000); do echo "line $i of many"; done',
    });
    expect(many.content).toMatch(/all of them in .*spill/u);
    const spilled = /in (\/\S*spill\S*?)\]/u.exec(many.content)?.[1] ?? '';
    const { output } = await toolkit.terminal.run(`test -s ${spilled} && echo there; ls /tmp`);
    expect(output).toContain('there');
  });
});

describe('the first install of a clone', () => {
  test('comes over with the folder that was made for it, and is taken back', { timeout: LIVENESS_MS }, async () => {
    const manifest = (name: string, more: object): string => JSON.stringify({ name, version: '1.0.0', ...more });
    mkdirSync(path.join(base(), 'dep'));
    writeFileSync(path.join(base(), 'dep/package.json'), manifest('dep', { scripts: { postinstall: './built.sh' } }));
    writeFileSync(path.join(base(), 'dep/built.sh'), '#!/bin/sh\necho built > built\n', { mode: 0o755 });
    const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', workspace], {
      cwd: path.join(base(), 'dep'),
    });
    expect(packed.status).toBe(0);
    writeFileSync(file('package.json'), manifest('whole', { dependencies: { dep: 'file:dep-1.0.0.tgz' } }));
    const toolkit = await createToolkit({ workspace, changes: 'staged', project: 'node' });
    open.push(toolkit);
    const install = 'npm install --offline --no-audit --no-fund --foreground-scripts';
    const { exitCode, output, staged } = await toolkit.terminal.run(install, { timeoutMs: 120_000 });
    expect({ exitCode, committed: staged?.committed }, output).toEqual({ exitCode: 0, committed: true });
    expect(text('node_modules/dep/built')).toBe('built\n');
    expect(await toolkit.undo()).toMatchObject({ ok: true });
    expect([existsSync(file('node_modules')), existsSync(file('package-lock.json'))]).toEqual([false, false]);
    const untouched = await toolkit.terminal.run('npm install --dry-run --offline', { timeoutMs: 120_000 });
    expect(untouched.exitCode, untouched.output).toBe(0);
    expect(existsSync(file('node_modules'))).toBe(false);
  });
});

/** Ends that Handrail forces, each after the command has written. */
const FORCED: Readonly<Record<string, (toolkit: Toolkit) => Promise<unknown>>> = {
  denied: (toolkit) => toolkit.terminal.run('echo x > forced.txt; nosuchprogram'),
  late: (toolkit) => toolkit.terminal.run('echo x > forced.txt; sleep 100', { timeoutMs: 400 }),
  cancelled: (toolkit) => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 400);
    return toolkit.terminal.run('echo x > forced.txt; sleep 100', { signal: stop.signal });
  },
  limited: (toolkit) => toolkit.terminal.run('echo x > forced.txt; seq 4000000 > big; sleep 100'),
  'given up by its reader': async (toolkit) => {
    const failing = (): never => {
      throw new Error('no reader');
    };
    await toolkit.terminal.run('echo x > forced.txt; echo y; sleep 100', { onOutput: failing }).catch(() => undefined);
  },
  'over with its life': async (toolkit) => {
    await (await toolkit.jobs.start('echo x > forced.txt; sleep 100', { timeoutMs: 400 })).ended;
  },
  lost: async (toolkit) => {
    const running = toolkit.terminal.run('echo x > forced.txt; sleep 100');
    await new Promise((resolve) => setTimeout(resolve, 400));
    for (const supervisor of supervisorsOf()) process.kill(supervisor, 'SIGKILL');
    await running.catch(() => undefined);
  },
};

describe.each(Object.entries(FORCED))('a command that is %s', (name, force) => {
  const terminal = { confine: { limits: { diskBytes: 8 << 20, fileBytes: 512 << 20 } } } as const;

  test('leaves nothing in the root', { timeout: LIVENESS_MS }, async () => {
    const toolkit = await make({ terminal });
    await toolkit.terminal.run('true');
    const before = tree();
    await force(toolkit);
    expect(tree()).toEqual(before);
    expect(toolkit.staged()).toEqual([]);
    const { staged } = await toolkit.terminal.run('echo later > later.txt');
    expect(staged?.committed).toBe(true);
    await toolkit.close();
    expect(await until(() => readdirSync(layers).length === 0)).toBeDefined();
  });

  test.skipIf(name === 'denied')('without layers leaves what it wrote', { timeout: LIVENESS_MS }, async () => {
    const toolkit = await make({ terminal, changes: 'direct' });
    await force(toolkit);
    expect(existsSync(file('forced.txt'))).toBe(true);
  });
});

describe('a conflict', () => {
  test('of two commands on one file loses nothing, and names it', { timeout: LIVENESS_MS }, async () => {
    const toolkit = await make();
    const command = (word: string): string =>
      `echo ${word} > ${word}.txt; touch started-${word}; echo ${word} >> notes.txt; sleep 0.5; echo done`;
    const [first, second] = await Promise.all([
      toolkit.execute('terminal_run', { command: command('first') }),
      toolkit.execute('terminal_run', { command: command('second') }),
    ]);
    const [kept, other] = first.isError ? [second, first] : [first, second];
    expect([kept.isError, other.isError]).toEqual([false, true]);
    expect(other.content).toContain('[what it changed was not kept: notes.txt was changed by somebody else meanwhile.');
    const [waiting, ...none] = toolkit.staged();
    expect(none).toEqual([]);
    const won = first.isError ? 'second' : 'first';
    const lost = first.isError ? 'first' : 'second';
    expect(waiting).toMatchObject({ id: 'c1', kind: 'run', command: command(lost) });
    expect(text('notes.txt')).toBe(`noted\n${won}\n`);
    expect([existsSync(file(`${won}.txt`)), existsSync(file(`${lost}.txt`))]).toEqual([true, false]);
    const changes = await waiting?.changes();
    expect(changes).toMatchObject({ ok: true, created: 2, changed: 1, conflictCount: 1 });
    expect(await waiting?.commit()).toMatchObject({ ok: true, committed: false });
    expect(await waiting?.commit({ partly: true })).toMatchObject({ ok: true, committed: true });
    expect([text('notes.txt'), text(`${lost}.txt`)]).toEqual([`noted\n${won}\n`, `${lost}\n`]);
    expect(toolkit.staged()).toEqual([]);
    await expect(waiting?.changes()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    await expect(waiting?.commit()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    await waiting?.discard();
  });

  test('with a file tool waits until it is dropped, or the toolkit is closed', { timeout: LIVENESS_MS }, async () => {
    const toolkit = await make();
    for (const round of [1, 2]) {
      const running = toolkit.terminal.run('echo ours > notes.txt; touch started; sleep 0.5');
      await new Promise((resolve) => setTimeout(resolve, 250));
      await toolkit.files.write('notes.txt', `theirs ${round}\n`);
      expect((await running).staged).toMatchObject({ committed: false, staged: `c${round}`, conflictCount: 1 });
      expect(text('notes.txt')).toBe(`theirs ${round}\n`);
    }
    const [dropped, left] = toolkit.staged();
    await dropped?.discard();
    expect(toolkit.staged().map(({ id }) => id)).toEqual([left?.id]);
    await toolkit.close();
    expect(readdirSync(layers)).toEqual([]);
    expect(text('notes.txt')).toBe('theirs 2\n');
  });
});

describe('a session', () => {
  test('is brought over by commit(), again, and at its end', { timeout: LIVENESS_MS }, async () => {
    const toolkit = await make();
    const shell = await toolkit.sessions.open('bash');
    const type = async (line: string): Promise<void> => {
      await shell.send(`${line}; echo end-$?`);
      await shell.read();
    };
    await type('echo one > one.txt; echo ours > notes.txt; mkdir made; echo a > made/a; rm folder/inner.txt');
    expect(existsSync(file('one.txt'))).toBe(false);
    expect(await shell.commit()).toMatchObject({ ok: true, committed: true, changes: { created: 3 } });
    expect([text('one.txt'), text('notes.txt'), text('made/a')]).toEqual(['one\n', 'ours\n', 'a\n']);
    expect(existsSync(file('folder/inner.txt'))).toBe(false);
    // What others make of it from then on is no conflict while the session leaves it alone.
    writeFileSync(file('notes.txt'), 'theirs\n');
    writeFileSync(file('folder/inner.txt'), 'back\n');
    rmSync(file('one.txt'));
    await type('echo two > two.txt');
    expect(await shell.commit()).toMatchObject({
      ok: true,
      committed: true,
      changes: { created: 1, changed: 0, deleted: 0 },
    });
    expect([text('two.txt'), text('notes.txt'), text('folder/inner.txt')]).toEqual(['two\n', 'theirs\n', 'back\n']);
    expect(existsSync(file('one.txt'))).toBe(false);
    await type('echo three >> two.txt; echo b > made/b');
    expect(await shell.commit()).toMatchObject({ ok: true, committed: true });
    expect([text('two.txt'), text('made/b')]).toEqual(['two\nthree\n', 'b\n']);
    await type('echo ours again > notes.txt');
    expect(await shell.commit()).toMatchObject({ ok: true, committed: false, changes: { conflictCount: 1 } });
    await type('echo four > four.txt; rm notes.txt; cp folder/deep/run.sh five.sh');
    const end = await shell.close();
    expect(end.staged).toMatchObject({ committed: false, staged: 'c1' });
    expect(text('notes.txt')).toBe('theirs\n');
    await toolkit.staged()[0]?.commit({ partly: true });
    expect([text('four.txt'), text('notes.txt')]).toEqual(['four\n', 'theirs\n']);
    await expect(shell.commit()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  });

  test('that ends by itself, or with its toolkit, is brought over', { timeout: LIVENESS_MS }, async () => {
    const toolkit = await make();
    const first = await toolkit.sessions.open('bash');
    await first.send('echo one > one.txt; exit 7');
    expect(await first.ended).toMatchObject({ status: 'exited', exitCode: 7, staged: { committed: true, created: 1 } });
    expect(text('one.txt')).toBe('one\n');
    const second = await toolkit.sessions.open('bash');
    await second.send('echo two > two.txt; echo end-$?');
    await second.read();
    const job = await toolkit.jobs.start('echo three > three.txt; sleep 100');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await toolkit.close();
    expect([text('two.txt'), text('three.txt')]).toEqual(['two\n', 'three\n']);
    expect((await job.ended).staged?.committed).toBe(true);
    expect(readdirSync(layers)).toEqual([]);
  });
});

describe('a job', () => {
  test('is brought over by commit() and by end(), with its caller', { timeout: LIVENESS_MS }, async () => {
    const toolkit = await make();
    const started = { command: 'echo one > one.txt; sleep 0.5; echo two > two.txt; sleep 100', background: true };
    await toolkit.execute('terminal_run', started, { caller: 'model' });
    const [job] = toolkit.jobs.list();
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(await job?.commit()).toMatchObject({ ok: true, committed: true });
    expect([text('one.txt'), existsSync(file('two.txt'))]).toEqual(['one\n', false]);
    await new Promise((resolve) => setTimeout(resolve, 600));
    const result = await job?.end();
    expect(result).toMatchObject({ status: 'cancelled', staged: { committed: true, created: 1 } });
    expect(text('two.txt')).toBe('two\n');
    await expect(job?.commit()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    const history = await toolkit.history({ caller: 'model' });
    expect(history.ok && history.changes).toHaveLength(2);
  });
});

describe('layers are refused', () => {
  test.each([
    { name: 'terminal.sandbox', terminal: { sandbox: 'off' } },
    { name: 'terminal.confine.writes', terminal: { confine: { writes: 'any' } } },
  ] as const)('where $name lets commands write anywhere', async ({ name, terminal }) => {
    await expect(make({ terminal })).rejects.toMatchObject({ code: 'ERR_NOT_SUPPORTED', data: { name } });
  });

  test('where the folder for state lies in a root, or nothing is kept', async () => {
    await expect(make({ files: { changes: false } })).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    process.env['XDG_STATE_HOME'] = file('state');
    await expect(make()).rejects.toMatchObject({ code: 'ERR_GUARANTEE_UNAVAILABLE' });
    expect(existsSync(file('state/handrail/layers'))).toBe(false);
  });

  test('to a session that may write beside its own, and a commit to what has none', {
    timeout: LIVENESS_MS,
  }, async () => {
    const toolkit = await make();
    const opened = toolkit.sessions.open('bash', { confine: { writes: 'any' } });
    await expect(opened).rejects.toMatchObject({ code: 'ERR_NOT_SUPPORTED', data: { name: 'confine.writes' } });
    const direct = await make({ changes: 'direct' });
    const shell = await direct.sessions.open('bash');
    await expect(shell.commit()).rejects.toMatchObject({ code: 'ERR_NOT_SUPPORTED' });
    const job = await direct.jobs.start('true');
    await expect(job.commit()).rejects.toMatchObject({ code: 'ERR_NOT_SUPPORTED' });
    expect(direct.staged()).toEqual([]);
  });
});
