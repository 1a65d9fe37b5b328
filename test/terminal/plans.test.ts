/** What a plan holds in odd places, and plans beside each other. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { Terminal } from '../../ts/index.js';
import { Engine } from '../../ts/terminal/engine.js';

let folder = '';
const inFolder = (...names: string[]): string => path.join(folder, ...names);

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-plans-')));
  mkdirSync(inFolder('work', 'read'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const roots = () => [inFolder('work'), { path: inFolder('work', 'read'), mode: 'ro' as const }];

test('a read-only root within a writable one is not written', async () => {
  const file = inFolder('work', 'read', 'file');
  await using terminal = new Terminal({ deny: ['rm'], roots: roots() });
  expect((await terminal.run(['touch', file])).ok).toBe(false);
  expect((await terminal.run(['touch', inFolder('work', 'file')])).ok).toBe(true);
  expect(existsSync(file)).toBe(false);
  await using open = new Terminal({ deny: ['rm'], roots: roots(), sandbox: 'off' });
  expect((await open.run(['touch', file])).ok).toBe(true);
});

test('a program does not reach its own file through /proc', async () => {
  mkdirSync(inFolder('tools'));
  const tool = inFolder('tools', 'handrail-chmod');
  const options = { allow: ['handrail-chmod'], path: [inFolder('tools')], roots: [inFolder('work')] };
  const mode = async (sandbox: { sandbox?: 'off' }): Promise<number> => {
    copyFileSync('/bin/chmod', tool);
    chmodSync(tool, 0o755);
    await using terminal = new Terminal({ ...options, ...sandbox });
    await terminal.run(['handrail-chmod', '4755', '/proc/self/exe']);
    return statSync(tool).mode & 0o7777;
  };
  expect(await mode({})).toBe(0o755);
  expect(await mode({ sandbox: 'off' })).toBe(0o4755);
});

test('a plan whose workers are busy takes no place from another for ever', async () => {
  const engine = new Engine({ maxWorkers: 1 });
  const terminal = new Terminal({ deny: ['rm'], roots: [inFolder('work')], graceMs: 0 }, { engine });
  let done = false;
  const busy = [1, 2, 3].map(async () => {
    while (!done) await terminal.run(['sleep', '0.02']);
  });
  // A rewriter runs under a plan of its own.
  const version = await terminal.run(['git', '--version']);
  done = true;
  await Promise.all(busy);
  await engine.close();
  expect(version).toMatchObject({ status: 'exited', exitCode: 0 });
});

test('git beside readers leaves no lock where files are not removed', async () => {
  const work = inFolder('work');
  const git = (...args: string[]) => execFileSync('git', ['-C', work, ...args]);
  git('init', '--quiet');
  git('config', 'user.name', 'T');
  git('config', 'user.email', 't@example.com');
  await using terminal = new Terminal({ deny: ['rm'], roots: [work], shell: 'bash' });
  for (const command of ['touch a', 'git add . && git commit -qm one && ls', 'git status | head -3', 'git status']) {
    expect(await terminal.run(command)).toMatchObject({ ok: true });
  }
  expect(existsSync(path.join(work, '.git', 'index.lock'))).toBe(false);
});

test('a script of git alone empties nothing that must not be emptied', async () => {
  const file = inFolder('work', 'file');
  const empty = async (remove: 'no' | 'no-truncate'): Promise<string> => {
    writeFileSync(file, 'kept');
    await using terminal = new Terminal({
      deny: ['rm'],
      roots: [inFolder('work')],
      shell: 'bash',
      confine: { remove },
    });
    await terminal.run('git --version > file');
    return readFileSync(file, 'utf8');
  };
  expect(await empty('no-truncate')).toBe('kept');
  expect(await empty('no')).toContain('git version');
});
