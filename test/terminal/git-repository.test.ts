import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { Terminal } from '../../ts/index.js';

/** Git without any guard, to prepare and to prove that an attack works. */
const AUTHOR = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
  GIT_CONFIG_NOSYSTEM: '1',
};

let folder = '';
let repository = '';
let evil = '';

const proof = (): string => path.join(folder, 'ran');

function unguarded(program: string, ...args: string[]): void {
  try {
    execFileSync(program, args, {
      cwd: repository,
      env: { PATH: process.env['PATH'], HOME: folder, ...AUTHOR },
      stdio: 'ignore',
    });
  } catch (error) {
    // Some attacks run first and fail then; a program that does not start proves nothing.
    if ((error as { status?: number | null }).status == null) throw error;
  }
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-repository-'));
  repository = path.join(folder, 'work');
  evil = path.join(folder, 'evil');
  mkdirSync(repository);
  writeFileSync(evil, `#!/bin/sh\necho ran >> '${folder}/ran'\n`, { mode: 0o755 });
  unguarded('git', 'init', '--quiet', '--initial-branch=main');
  writeFileSync(path.join(repository, 'a.txt'), 'a\n');
  unguarded('git', 'add', 'a.txt');
  unguarded('git', 'commit', '--quiet', '-m', 'first');
});

afterEach(() => rmSync(folder, { recursive: true }));

function terminal(set: Record<string, string> = {}): Terminal {
  return new Terminal({
    allow: ['git', 'tar', 'find', 'awk', 'sed', 'env', 'bash', 'ls'],
    cwd: repository,
    // What holds here are the settings that git gets, not the plan.
    confine: { exec: 'any' },
    env: { set: { ...AUTHOR, ...set } },
  });
}

describe('a repository whose settings name programs', () => {
  const TRAPS: readonly [name: string, set: () => void, args: readonly string[]][] = [
    ['core.fsmonitor', () => unguarded('git', 'config', 'core.fsmonitor', evil), ['status']],
    ['a hook', () => hook('post-commit'), ['commit', '--allow-empty', '-m', 'second']],
    [
      'core.hooksPath',
      () => {
        mkdirSync(path.join(folder, 'hooks'));
        writeFileSync(path.join(folder, 'hooks', 'post-commit'), `#!/bin/sh\nexec '${evil}'\n`, { mode: 0o755 });
        unguarded('git', 'config', 'core.hooksPath', path.join(folder, 'hooks'));
      },
      ['commit', '--allow-empty', '-m', 'second'],
    ],
    [
      'an address that is a program',
      () => {
        unguarded('git', 'config', 'protocol.ext.allow', 'always');
        unguarded('git', 'config', 'remote.origin.url', `ext::${evil}`);
      },
      ['fetch', 'origin'],
    ],
  ];

  function hook(name: string): void {
    writeFileSync(path.join(repository, '.git', 'hooks', name), `#!/bin/sh\nexec '${evil}'\n`, { mode: 0o755 });
  }

  test.each(TRAPS)('%s runs without the guard and not with it', async (_, set, args) => {
    set();
    unguarded('git', ...args);
    expect(existsSync(proof())).toBe(true);
    rmSync(proof());
    await using guarded = terminal();
    expect((await guarded.run(['git', ...args])).status).toBe('exited');
    expect(existsSync(proof())).toBe(false);
  });

  test('that is a folder of plain files is none', async () => {
    const plain = path.join(repository, 'plain');
    mkdirSync(path.join(plain, 'objects'), { recursive: true });
    mkdirSync(path.join(plain, 'refs'));
    writeFileSync(path.join(plain, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(
      path.join(plain, 'config'),
      `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = ${evil}\n\tworktree = ${repository}\n`,
    );
    unguarded('git', '-C', 'plain', 'status');
    expect(existsSync(proof())).toBe(true);
    rmSync(proof());
    await using guarded = terminal();
    const result = await guarded.run(['git', '-C', 'plain', 'status']);
    expect(result.ok).toBe(false);
    expect(result.output).toContain('safe.bareRepository');
    expect(existsSync(proof())).toBe(false);
  });

  test('runs its hooks again when the host says so', async () => {
    hook('post-commit');
    await using guarded = terminal({
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.hooksPath',
      GIT_CONFIG_VALUE_0: path.join(repository, '.git', 'hooks'),
    });
    await guarded.run(['git', 'commit', '--allow-empty', '-m', 'second']);
    expect(existsSync(proof())).toBe(true);
  });

  test('works as before where they do not', async () => {
    await using guarded = terminal();
    writeFileSync(path.join(repository, 'b.txt'), 'b\n');
    for (const args of [
      ['status'],
      ['add', 'b.txt'],
      ['commit', '-m', 'second'],
      ['log', '--oneline'],
      ['clone', `file://${repository}`, path.join(repository, 'copy')],
      ['-C', 'copy', 'fetch', 'origin'],
      ['worktree', 'add', path.join(folder, 'tree'), '-b', 'other'],
      ['stash', 'list'],
      ['checkout', '-b', 'third'],
    ]) {
      expect((await guarded.run(['git', ...args])).ok, args.join(' ')).toBe(true);
    }
  });
});

/** Each runs `evil`, or puts it where a later command runs it. */
describe('an argument that runs a program', () => {
  const settings = (): string => path.join(repository, '.git', 'config');
  const monitor = (): string => `[core]%nrepositoryformatversion=0%nfsmonitor=${evil}`;
  const ATTACKS: readonly [name: string, commands: () => readonly (readonly string[])[]][] = [
    ['tar behind `--`', () => [['tar', 'cf', '--', '--checkpoint=1', `--checkpoint-action=exec=${evil}`, 'a.txt']]],
    ['tar with a filter behind `--`', () => [['tar', 'cf', '--', `-I${evil};cat`, 'a.txt']]],
    ['tar with two values', () => [['tar', 'cbf', '1', '--', `-I${evil};cat`, 'a.txt']]],
    ['tar by an abbreviation', () => [['tar', 'cf', 'x', 'a.txt', '--checkpoint=1', `--checkpoint-act=exec=${evil}`]]],
    ['clone with a cluster', () => [['git', 'clone', `-qccore.sshCommand=sh -c '${evil}' -`, 'ssh://x/y', 'copy']]],
    [
      'log with an output file',
      () => [
        ['git', 'log', '-1', '--output=.git/config', `--format=${monitor()}`],
        ['git', 'status'],
      ],
    ],
    [
      'mv onto the settings',
      () => {
        appendFileSync(
          path.join(repository, 'b.txt'),
          `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${evil}\n`,
        );
        unguarded('git', 'add', 'b.txt');
        return [
          ['git', 'mv', '-f', 'b.txt', '.git/config'],
          ['git', 'status'],
        ];
      },
    ],
    [
      'merge-file onto the settings',
      () => {
        writeFileSync(path.join(repository, 'b.txt'), `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${evil}\n`);
        return [
          ['git', 'merge-file', '--theirs', settings(), settings(), 'b.txt'],
          ['git', 'status'],
        ];
      },
    ],
    [
      'a work tree in the repository',
      () => {
        writeFileSync(
          path.join(repository, 'config'),
          `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${evil}\n`,
        );
        unguarded('git', 'add', 'config');
        unguarded('git', 'commit', '-m', 'second');
        return [
          ['git', '--work-tree=.git', 'checkout', 'main', 'config'],
          ['git', 'status'],
        ];
      },
    ],
    [
      'a section that changes its name',
      () => [
        ['git', 'config', 'color.x.fsmonitor', evil],
        ['git', 'config', '--rename-sec', 'color.x', 'core'],
        ['git', 'status'],
      ],
    ],
    [
      'an option in front that takes a word',
      () => [['git', '--shallow-file', 'status', '-c', `core.fsmonitor=${evil}`, 'status']],
    ],
    [
      'a push into a folder',
      () => {
        unguarded('git', 'init', '--quiet', '--bare', 'other');
        writeFileSync(path.join(repository, 'other', 'hooks', 'post-receive'), `#!/bin/sh\nexec '${evil}'\n`, {
          mode: 0o755,
        });
        return [['git', 'push', './other', 'main']];
      },
    ],
    [
      'apply onto the settings',
      () => {
        const lines = [
          '--- a/.git/config',
          '+++ b/.git/config',
          '@@ -1,1 +1,2 @@',
          ' [core]',
          `+\tfsmonitor = ${evil}`,
          '',
        ];
        writeFileSync(path.join(repository, 'x.patch'), lines.join('\n'));
        return [
          ['git', 'apply', '--unidiff-zero', '--unsafe-paths', 'x.patch'],
          ['git', 'status'],
        ];
      },
    ],
    ['bash with one dash for two', () => [['bash', '-norc', evil, 'ls']]],
    ['tar with a filter for its first value', () => [['tar', 'cIf', `${evil};cat`, 'x', 'a.txt']]],
    ['awk text from find', () => [['find', `BEGIN{system("${evil}")}`, '-exec', 'awk', '{}', ';']]],
    ['sed text behind POSIXLY_CORRECT', () => [['env', 'POSIXLY_CORRECT=1', 'sed', `1e ${evil}`, '-e', 'p', 'a.txt']]],
  ];

  test.each(ATTACKS)('%s', async (name, commands) => {
    const attack = commands();
    await using guarded = terminal();
    const answers = attack.map((argv) => guarded.explain([...argv]).decision);
    expect(answers.some((answer) => answer !== 'allow')).toBe(true);
    // As `find` prints a file of that name, there must be one.
    if (name === 'awk text from find') {
      const file = path.join(repository, attack[0]?.[1] ?? '');
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, '');
    }
    for (const [program = '', ...args] of attack) unguarded(program, ...args);
    expect(existsSync(proof())).toBe(true);
  });
});

describe('a command that would open an editor', () => {
  test('keeps the text that is there instead, and what names no git sees none of this', async () => {
    await using guarded = terminal();
    unguarded('git', 'checkout', '--quiet', '-b', 'side');
    unguarded('git', 'commit', '--quiet', '--allow-empty', '-m', 'on the side');
    const amended = await guarded.run(['git', 'commit', '--amend', '--allow-empty']);
    expect(amended).toMatchObject({ ok: true });
    const { stdout } = await guarded.run(['git', 'log', '-1', '--format=%s']);
    expect(stdout).toBe('on the side\n');
    await using plain = new Terminal({ allow: ['printenv'], cwd: repository });
    expect((await plain.run(['printenv', 'GIT_CONFIG_COUNT', 'GIT_EDITOR'])).stdout).toBe('');
    // Its argument names git.
    expect((await plain.run(['printenv', 'GIT_EDITOR', 'git'])).stdout).toBe(':\n');
  });
});

test('who commits is found in the repository, else in the settings of the user, unless the host hands nothing over', async () => {
  writeFileSync(path.join(folder, '.gitconfig'), '[user]\n\tname = Of The Home\n\temail = home@example.com\n');
  const home = process.env['HOME'];
  const names = async (identity?: boolean): Promise<string> => {
    process.env['HOME'] = folder;
    try {
      await using commands = new Terminal({ allow: ['git'], cwd: repository, env: { identity } });
      return (await commands.run('git config user.name')).stdout;
    } finally {
      process.env['HOME'] = home;
    }
  };
  expect(await names(false)).toBe('');
  expect(await names()).toBe('Of The Home\n');
  unguarded('git', 'config', 'user.name', 'Of The Repository');
  expect(await names()).toBe('Of The Repository\n');
});

test('a commit without a message opens no editor, and fails', async () => {
  writeFileSync(path.join(repository, 'a.txt'), 'b\n');
  await using commands = terminal();
  expect(await commands.run('git commit -a')).toMatchObject({
    ok: false,
    stderr: expect.stringContaining('empty commit'),
  });
  expect(await commands.run('git commit -a -m second')).toMatchObject({ ok: true });
});
