/** What tools of projects do in a transaction: it ends as without one, and comes over whole. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ProjectKind } from '../../../ts/index.js';
import { createToolkit, type Toolkit } from '../../../ts/toolkit.js';
import { folderPerTest } from '../../support/folder.js';
import { LIVENESS_MS } from '../../support/liveness.js';
import { isInstalled } from '../../support/programs.js';
import { differences, stateOf } from './tree.js';

const base = folderPerTest();
const FOLDERS = { XDG_STATE_HOME: 'state', XDG_CACHE_HOME: 'cache' };
const given = Object.keys(FOLDERS).map((name) => [name, process.env[name]] as const);
let root: string;

beforeEach(() => {
  root = path.join(base(), 'work');
  mkdirSync(root);
  for (const [name, folder] of Object.entries(FOLDERS)) process.env[name] = path.join(base(), folder);
});
afterEach(() => {
  for (const [name, folder] of given) {
    if (folder === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = folder;
  }
});

function write(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
}

const plainly = (script: string): string => execFileSync('bash', ['-c', script], { cwd: root, encoding: 'utf8' });

async function run(toolkit: Toolkit, command: string): Promise<string> {
  const { exitCode, output } = await toolkit.terminal.run(command);
  expect(exitCode, `${command}: ${output}`).toBe(0);
  return output;
}

/** Runs commands in a transaction, looks at the root, brings them over, looks again, and takes them back. */
async function tryIn(project: ProjectKind, commands: readonly string[], look: () => void): Promise<void> {
  const before = stateOf(root);
  await using toolkit = await createToolkit({ project, workspace: root });
  const transaction = await toolkit.transaction();
  for (const command of commands) await run(transaction.toolkit, command);
  const same = (): void => expect(differences([before, stateOf(root)], (entry) => entry)).toEqual([]);
  same();
  const done = await transaction.commit();
  expect(done).toMatchObject({ ok: true, committed: true, undoable: true });
  look();
  if (done.ok) expect(await toolkit.undo(done.id)).toMatchObject({ ok: true });
  same();
}

const NPM_CI = 'npm ci --offline --no-audit --no-fund';

test.skipIf(!isInstalled('npm'))('npm ci, over the packages of an earlier one', { timeout: LIVENESS_MS }, async () => {
  const manifest = { name: 'project', version: '1.0.0', dependencies: { tool: 'file:tool-1.0.0.tgz' } };
  write('package.json', JSON.stringify(manifest));
  write('tool/package.json', JSON.stringify({ name: 'tool', version: '1.0.0', bin: 'tool.js' }));
  write('tool/tool.js', '#!/usr/bin/env node\nconsole.log("tool");\n');
  for (const name of ['one', 'two', 'three']) write(`tool/lib/${name}.js`, `module.exports = '${name}';\n`);
  plainly('npm pack -s ./tool && npm install -s --offline --no-audit --no-fund');
  write('node_modules/tool/left.js', 'of an earlier one');
  const installed = path.join(root, 'node_modules/tool');
  await tryIn('node', [NPM_CI, NPM_CI], () => {
    expect(existsSync(path.join(installed, 'left.js'))).toBe(false);
    expect(readdirSync(path.join(installed, 'lib')).toSorted()).toEqual(['one.js', 'three.js', 'two.js']);
    expect(plainly('node_modules/.bin/tool')).toBe('tool\n');
  });
});

test.skipIf(!isInstalled('cargo'))('cargo build, twice', { timeout: LIVENESS_MS }, async () => {
  write('Cargo.toml', '[package]\nname = "project"\nversion = "0.1.0"\nedition = "2021"\n');
  write('build.rs', 'fn main() { println!("cargo:rustc-env=BUILT=yes") }\n');
  write('src/main.rs', 'fn main() { println!("{}", env!("BUILT")) }\n');
  plainly('cargo build -q --offline');
  await tryIn('rust', ["sed -i 's/=yes/=again/' build.rs", 'cargo build -q --offline'], () => {
    expect(plainly('target/debug/project')).toBe('again\n');
  });
});

test.skipIf(!isInstalled('git'))('git rebase, over a folder that it moves', { timeout: LIVENESS_MS }, async () => {
  for (const name of ['one', 'two', 'three']) write(`old/deep/${name}.txt`, `${name}\n`);
  write('notes.txt', 'first\n');
  const git = 'git -c user.name=a -c user.email=a@localhost';
  plainly(`git init -q -b main && git config user.name a && git config user.email a@localhost && git add -A &&
    ${git} commit -q -m first && git checkout -q -b topic && echo more >> old/deep/one.txt && ${git} commit -qam topic &&
    git checkout -q main && git mv old new && ${git} commit -q -m moved && git checkout -q topic`);
  await tryIn('node', ['git rebase -q main', 'git status --porcelain'], () => {
    expect(readdirSync(root).toSorted()).toEqual(['.git', 'new', 'notes.txt']);
    expect(readFileSync(path.join(root, 'new/deep/one.txt'), 'utf8')).toBe('one\nmore\n');
    // Looking at its status would write to it.
    const look = 'git --no-optional-locks status --porcelain; git fsck 2>&1; git log --format=%s';
    expect(plainly(look)).toBe('topic\nmoved\nfirst\n');
  });
});
