/** The first build of a fresh clone: `node_modules`, `target` and `.venv` are there before the run, and gone after it when empty. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createToolkit, type ProjectKind, Terminal, type Toolkit } from '../../ts/index.js';
import { isInstalled } from '../support/programs.js';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-made-')));
});
afterEach(() => rmSync(root, { recursive: true }));

function file(name: string, text: string, mode = 0o644): void {
  const place = path.join(root, name);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
  chmodSync(place, mode);
}

const toolkitFor = (project: ProjectKind, allow: readonly string[] = []): Promise<Toolkit> =>
  createToolkit({ workspace: root, project, terminal: { allow, timeoutMs: 300_000 } });

const isThere = (name: string): boolean => existsSync(path.join(root, name));

const INSTALLS = { program: 'npm', args: ['install'] };
const INSTALL = 'npm install --offline --no-audit --no-fund --foreground-scripts';

/** A project of npm with a package whose install script starts a program of its own. */
function nodeProject(): void {
  const manifest = (name: string, more: object): string => JSON.stringify({ name, version: '1.0.0', ...more });
  file('dep/package.json', manifest('dep', { scripts: { postinstall: './built.sh' } }));
  file('dep/built.sh', '#!/bin/sh\necho built > built\n', 0o755);
  const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', root], { cwd: path.join(root, 'dep') });
  expect(packed.status).toBe(0);
  rmSync(path.join(root, 'dep'), { recursive: true });
  const dependencies = { dep: 'file:dep-1.0.0.tgz' };
  file('package.json', manifest('whole', { dependencies, workspaces: ['packages/*'] }));
  file('packages/api/package.json', manifest('api', {}));
}

test('the first install of a clone runs the programs of install scripts', async () => {
  nodeProject();
  await using toolkit = await toolkitFor('node');
  const { terminal } = toolkit;
  expect((await terminal.run('ls node_modules')).exitCode).toBe(2);
  expect(await terminal.run(`${INSTALL} && cat node_modules/dep/built && ls packages/api`)).toMatchObject({
    exitCode: 0,
  });
  expect(readdirSync(path.join(root, 'packages/api'))).toEqual(['package.json']);
  // One that is removed first is another folder afterwards, and the answer says what to do.
  const anew = await terminal.run(`rm -rf node_modules && ${INSTALL}`);
  expect(anew.exitCode).not.toBe(0);
  expect(anew.blocked?.[0]).toMatchObject({
    guarantee: 'exec',
    hint: expect.stringContaining('Run the install alone'),
  });
  expect((await terminal.run(INSTALL)).exitCode).toBe(0);
  expect((await terminal.run('cat node_modules/dep/built')).stdout).toBe('built\n');
  rmSync(path.join(root, 'node_modules'), { recursive: true });
  const started = await toolkit.execute('session_start', { command: 'bash' });
  const { session } = started.data as { session: string };
  expect(isThere('node_modules')).toBe(true);
  await toolkit.execute('session_close', { session });
  await expect.poll(() => isThere('node_modules')).toBe(false);
});

test.skipIf(!isInstalled('cargo'))('the first build of a clone runs build scripts and what was built', async () => {
  const manifest = (name: string, more = ''): string =>
    `[package]\nname="${name}"\nversion="0.1.0"\nedition="2021"\n${more}`;
  file('Cargo.toml', manifest('whole', '[workspace]\nmembers=["member"]\n'));
  file('member/Cargo.toml', manifest('member'));
  for (const folder of ['.', 'member']) {
    file(`${folder}/build.rs`, 'fn main() {}\n');
    file(`${folder}/src/main.rs`, 'fn main() { println!("ran"); }\n');
  }
  await using toolkit = await toolkitFor('rust', ['other/**']);
  const ran = { stdout: 'ran\n' };
  expect(await toolkit.terminal.run('cd member && cargo run -q --offline')).toMatchObject(ran);
  // What lifts a refusal is the folder: the next build has other names.
  const unnamed = await toolkit.terminal.run('CARGO_TARGET_DIR=unnamed cargo build -q --offline');
  expect(unnamed.blocked?.[0]?.advice[0]).toEqual({ kind: 'option', name: 'allow', value: './unnamed/**' });
  expect(readdirSync(path.join(root, 'member')).toSorted()).toEqual(['Cargo.toml', 'build.rs', 'src']);
  expect(await toolkit.terminal.run('CARGO_TARGET_DIR=other cargo run -q --offline')).toMatchObject(ran);
  const cleaned = await toolkit.terminal.run('cargo clean -q && cargo build -q --offline');
  expect(cleaned.blocked?.[0]).toMatchObject({ guarantee: 'exec', hint: 'Run it with another call.' });
  expect(await toolkit.terminal.run('cargo run -q --offline')).toMatchObject(ran);
});

test('a virtual environment runs in the call that makes it', async () => {
  await using toolkit = await toolkitFor('python');
  const make = 'python3 -m venv --without-pip .venv && .venv/bin/python -c "print(1)"';
  expect(await toolkit.terminal.run(make)).toMatchObject({ stdout: '1\n' });
});

test('no other command sees a folder that was not there, and none is made through a link or without a manifest', async () => {
  mkdirSync(path.join(root, 'elsewhere'));
  const allow = ['ls', 'test', INSTALLS, 'cargo', 'echo', './node_modules/.bin/*', 'target/**'];
  await using terminal = new Terminal({ allow, roots: [root], shell: 'bash' });
  const listed = async (command: string): Promise<string> => (await terminal.run(command)).stdout;
  expect(await listed('ls')).toBe('elsewhere\n');
  expect(await listed('npm install --version >&2; ls')).toBe('elsewhere\n');
  file('package.json', '{}');
  expect(await listed('npm install --version >&2; ls')).toContain('node_modules\n');
  expect(await listed('npm install --version >&2; test -d node_modules || echo none')).toBe('none\n');
  symlinkSync('elsewhere', path.join(root, 'node_modules'));
  expect(await listed('npm install --version >&2; ls elsewhere')).toBe('');
  expect(readdirSync(root).toSorted()).toEqual(['elsewhere', 'node_modules', 'package.json']);
});

test('a folder that was made lets nothing else run', async () => {
  const allow = [INSTALLS, 'cp', 'mkdir', './node_modules/.bin/*'];
  const options = { allow, roots: [root], shell: 'bash' } as const;
  await using terminal = new Terminal({ ...options, confine: { exec: 'listed' } });
  const planted = async (program: string, by = terminal): Promise<number | null> => {
    rmSync(path.join(root, 'node_modules'), { recursive: true, force: true });
    const folder = path.dirname(program);
    const preinstall = `mkdir -p ${folder} && cp /bin/true ${folder}/copy && ${program}`;
    file('package.json', JSON.stringify({ name: 'a', version: '1.0.0', scripts: { preinstall } }));
    return (await by.run('npm install --offline')).exitCode;
  };
  expect(await planted('./node_modules/.bin/copy')).toBe(0);
  for (const program of ['./copy', './packages/node_modules/copy']) expect(await planted(program), program).toBe(126);
  // The same attack, not held.
  await using free = new Terminal({ ...options, confine: { exec: 'any' } });
  expect(await planted('./copy', free)).toBe(0);
});
