import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { Terminal, type TerminalOptions } from '../../ts/index.js';

/** In the temporary folder of the tests, whose parents a root may have. */
const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-hooks-')));
let work: string;
let count = 0;

const git = (...args: string[]) => spawnSync('git', ['-C', work, ...args], { encoding: 'utf8' }).stdout.trim();
const commits = () => Number(git('rev-list', '--count', '--all'));

function put(name: string, text: string, mode = 0o755): void {
  const file = path.join(work, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

beforeAll(() => {
  vi.stubEnv('XDG_CACHE_HOME', path.join(base, 'cache'));
  vi.stubEnv('GIT_CONFIG_GLOBAL', path.join(base, 'gitconfig'));
  writeFileSync(path.join(base, 'gitconfig'), '[user]\n\tname = Ann\n\temail = ann@home.example\n');
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

/** A repository with a hook that refuses the word `debugger`, by a script of its own. */
beforeEach(() => {
  count += 1;
  work = path.join(base, `work-${count}`);
  mkdirSync(work);
  spawnSync('git', ['init', '-q', work]);
  git('config', 'core.hooksPath', '.husky');
  put('.husky/pre-commit', '#!/bin/sh\nsh scripts/check.sh\n');
  put('scripts/check.sh', 'if git diff --cached | grep debugger; then echo refused; exit 1; fi\n', 0o644);
});

function terminal(options: TerminalOptions = {}): Terminal {
  return new Terminal({
    shell: 'bash',
    allow: ['git', 'node', 'sh', 'grep', 'printf', 'cat'],
    trustInterpreters: ['node', 'sh'],
    roots: [work],
    git: { hooks: 'unchanged' },
    ...options,
  });
}

/** Writes a file as a program of the run, which no policy judges. */
const byNode = (name: string, text: string) =>
  `node -e 'require("fs").writeFileSync("${name}", "${text}", { mode: 0o755 })'`;

const PLANTED = '#!/bin/sh\\ntouch planted\\n';
const COMMIT = 'printf "x\\n" > file.txt && git add file.txt && git commit -q -m x';

describe('a hook that is what it was', () => {
  test('runs, and may refuse a commit', async () => {
    await using guarded = terminal();
    const refused = await guarded.run('printf "debugger\\n" > bad.txt && git add bad.txt && git commit -m wip');
    expect(refused.output).toContain('refused');
    expect([refused.exitCode, commits()]).toEqual([1, 0]);
    expect(refused.blocked).toBeUndefined();
    const passed = await guarded.run('printf "fine\\n" > bad.txt && git add bad.txt && git commit -q -m fine');
    expect([passed.exitCode, passed.output, commits()]).toEqual([0, '', 1]);
  });

  test('runs as it is with every interpreter, and with its own folder', async () => {
    put('.husky/pre-commit', '#!/usr/bin/env node\nconsole.log(__dirname.endsWith(".husky"), process.argv.length)\n');
    put('.husky/commit-msg', '#!/bin/bash -e\n. "$(dirname "$0")/h"\n[[ -f $1 ]] && say\n');
    put('.husky/h', 'say() { echo said; }\n', 0o644);
    await using guarded = terminal();
    expect((await guarded.run(COMMIT)).output).toBe('true 2\nsaid\n');
  });
});

describe('a hook does not run, and is named,', () => {
  const attacks: [string, string][] = [
    ['when a command changed it', byNode('.husky/pre-commit', PLANTED)],
    ['when a command changed a script that it names', byNode('scripts/check.sh', PLANTED)],
    ['when a command named another folder of hooks', byNode('.git/config', '[core]\\nhooksPath = evil\\n')],
  ];
  test.each(attacks)('%s: in an earlier run, and in the same one', async (_what, attack) => {
    put('evil/pre-commit', '#!/bin/sh\ntouch planted\n');
    await using guarded = terminal();
    // The same run: git starts it after the change.
    const together = await guarded.run(`${attack} && ${COMMIT}`);
    expect(together.decision.decision, together.output).toBe('allow');
    expect(together.blocked).toMatchObject([{ guarantee: 'hooks', subject: 'pre-commit' }]);
    const later = await guarded.run('git commit -q --allow-empty -m y');
    expect(later.blocked).toMatchObject([{ guarantee: 'hooks', subject: 'pre-commit' }]);
    expect(commits()).toBe(2);
    expect(git('status', '--porcelain')).not.toContain('planted');
    // Without the guard the attack works.
    await using open = terminal({ git: { hooks: 'run' } });
    expect((await open.run('git commit -q --allow-empty -m z')).blocked).toBeUndefined();
    expect(git('status', '--porcelain')).toContain('planted');
  });

  test('when it is new, or of another repository', async () => {
    await using guarded = terminal();
    const planted = await guarded.run(`${byNode('.husky/commit-msg', PLANTED)} && ${COMMIT}`);
    expect(planted.blocked).toMatchObject([{ subject: 'commit-msg' }]);
    spawnSync('git', ['init', '-q', path.join(work, 'other')]);
    put('other/.git/hooks/pre-commit', '#!/bin/sh\ntouch planted\n');
    const other = await guarded.run('cd other && git commit -q --allow-empty -m x');
    expect(other.output).toContain('pre-commit did not run here');
    expect(git('status', '--porcelain')).not.toContain('planted');
  });

  test('unless the host says so: by default none runs', async () => {
    await using guarded = new Terminal({ shell: 'bash', allow: ['git', 'printf'], roots: [work] });
    const result = await guarded.run(COMMIT);
    expect(result.ok).toBe(true);
    expect(result.blocked).toEqual([
      {
        guarantee: 'hooks',
        subject: 'pre-commit',
        message: "'pre-commit' did not run here: hooks of git run only where the host lets them",
        hint: 'Tell the user, who can run it.',
        advice: [{ kind: 'option', name: 'git.hooks', value: 'unchanged' }],
      },
    ]);
    expect((await guarded.run('git commit -q --no-verify --allow-empty -m x')).blocked).toBeUndefined();
    expect((await guarded.run('git status --short')).blocked).toBeUndefined();
  });
});
