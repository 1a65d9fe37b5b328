import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { Terminal, type TerminalOptions } from '../../ts/index.js';

/** In the temporary folder of the tests, whose parents a root may have. */
const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-hooks-')));
let work: string;
let count = 0;

const git = (...args: string[]) => spawnSync('git', ['-C', work, ...args], { encoding: 'utf8' }).stdout.trim();
/** The files of the work tree that are new. */
const created = () => git('status', '--porcelain', '-uall');
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
  test.each(['listed', 'any'] as const)('runs where only roots are read, with exec %s', async (exec) => {
    await using guarded = terminal({ confine: { exec, reads: 'roots' } });
    const refused = await guarded.run('printf "debugger\\n" > bad.txt && git add bad.txt && git commit -m wip');
    expect(refused.output).toContain('refused');
    await using another = terminal({ confine: { exec, reads: 'roots' }, git: { hooks: 'note' } });
    expect((await another.run('git commit -q -m wip')).exitCode).toBe(0);
  });

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
    expect(created()).not.toContain('planted');
    // Without the guard the attack works.
    await using open = terminal({ git: { hooks: 'run' } });
    expect((await open.run('git commit -q --allow-empty -m z')).blocked).toBeUndefined();
    expect(created()).toContain('planted');
  });

  test('when it is new, or of another repository', async () => {
    spawnSync('git', ['init', '-q', path.join(work, 'other')]);
    put('other/.git/hooks/pre-commit', '#!/bin/sh\ntouch planted\n');
    const commands = ['git -C other commit -q --allow-empty -m x', 'cd other && git commit -q --allow-empty -m x'];
    for (const hooks of ['unchanged', 'note'] as const) {
      await using guarded = terminal({ git: { hooks } });
      for (const command of commands) {
        expect((await guarded.run(command)).blocked).toMatchObject([{ guarantee: 'hooks', subject: 'pre-commit' }]);
      }
    }
    await using guarded = terminal();
    const planted = await guarded.run(`${byNode('.husky/commit-msg', PLANTED)} && ${COMMIT}`);
    expect(planted.blocked).toMatchObject([{ subject: 'commit-msg' }]);
    expect(created()).not.toContain('planted');
    expect(git('-C', 'other', 'status', '--porcelain')).toBe('');
    // Without the guard they run.
    await using open = terminal({ git: { hooks: 'run' } });
    for (const command of commands) await open.run(command);
    expect(git('-C', 'other', 'status', '--porcelain')).toContain('planted');
  });

  const words: [string, string, string][] = [
    ['a variable', 'ROOT=$(git rev-parse --show-toplevel)\nsh "$ROOT/scripts/named.sh"', 'scripts/named.sh'],
    ['a substitution', 'sh $(git rev-parse --show-toplevel)/scripts/named.sh', 'scripts/named.sh'],
    ['another directory', '(cd scripts && sh ./named.sh)', 'scripts/named.sh'],
    ['another directory and one word', '(cd scripts && sh named.sh)', 'scripts/named.sh'],
    ['a pattern', 'for one in scripts/n*; do sh "$one"; done', 'scripts/named.sh'],
    ['a folder', 'for one in $(find scripts -name "n*"); do sh "$one"; done', 'scripts/named.sh'],
    ['one word', 'sh named', 'named'],
    ['a module without its extension', `node -e 'require("./scripts/named")'`, 'scripts/named.js'],
    ['a script that comes later', '[ ! -f scripts/named.sh ] || sh scripts/named.sh', 'scripts/named.sh'],
  ];
  test.each(words)('when a script changed that it names by %s', async (what, hook, script) => {
    put('.husky/pre-commit', `#!/bin/sh\n${hook}\n`);
    if (what !== 'a script that comes later') put(script, '\n', 0o644);
    await using guarded = terminal({ allow: ['git', 'node', 'sh', 'find', 'printf'] });
    expect((await guarded.run(COMMIT)).blocked).toBeUndefined();
    const code = script.endsWith('.js') ? `require('fs').writeFileSync('planted', '')` : ': > planted';
    put(script, `${code}\n`, 0o644);
    const changed = await guarded.run('git commit -q --allow-empty -m y');
    expect(changed.blocked).toMatchObject([{ guarantee: 'hooks', subject: 'pre-commit' }]);
    expect(created()).not.toContain('planted');
    await using open = terminal({ git: { hooks: 'run' } });
    await open.run('git commit -q --allow-empty -m z');
    expect(created()).toContain('planted');
  });

  test('unless the host says so: by default none runs', async () => {
    await using guarded = new Terminal({ shell: 'bash', allow: ['git', 'printf'], roots: [work] });
    const result = await guarded.run(COMMIT);
    expect(result.ok).toBe(true);
    expect(result.output).toBe(
      '[handrail] pre-commit did not run here: hooks of git run only where the host lets them\n',
    );
    expect(result.blocked).toEqual([
      {
        guarantee: 'hooks',
        subject: 'pre-commit',
        message: "'pre-commit' did not run here: hooks of git run only where the host lets them",
        hint: 'Tell the user, who can run it.',
        advice: [{ kind: 'option', name: 'git.hooks', value: 'unchanged' }],
      },
    ]);
  });

  test('where git would have started it, however the command is written', async () => {
    put('.husky/post-rewrite', '#!/bin/sh\n');
    put('.husky/reference-transaction', '#!/bin/sh\n');
    put('.husky/commit-msg', '#!/bin/sh\n', 0o644);
    await using guarded = new Terminal({ shell: 'bash', allow: ['git', 'printf'], roots: [work] });
    const named = async (command: string) => (await guarded.run(command)).blocked?.map(({ subject }) => subject);
    await guarded.run(COMMIT);
    const transaction = ['reference-transaction'];
    const spellings = ['git \\\ncommit', 'g\\it commit', 'git "commit"'];
    for (const git of spellings) {
      expect(await named(`${git} -q --allow-empty -m "not -n"`), git).toEqual(['pre-commit', ...transaction]);
    }
    expect(await named('git commit -q --amend --allow-empty -m x')).toEqual([
      'pre-commit',
      'post-rewrite',
      ...transaction,
    ]);
    expect(await named('git commit -q --no-verify --allow-empty -m x')).toEqual(transaction);
    for (const command of ['git log --grep commit', 'git show commit; git status --short']) {
      expect(await named(command), command).toBeUndefined();
    }
  });

  test('in a worktree, by a program that starts git, and by the variables of git', async () => {
    await using guarded = terminal({ git: {} });
    await guarded.run(`git add . && ${COMMIT}`);
    const starts = (options: string) =>
      `node -e 'require("child_process").spawnSync("git", ["commit", "-q", "--allow-empty", "-m", "x"], { stdio: "inherit", ${options} })'`;
    const variables = `env: { ...process.env, GIT_DIR: "${work}/.git", GIT_WORK_TREE: "${work}" }, cwd: "/"`;
    const commands = [
      starts(''),
      starts(variables),
      'git worktree add -q tree && cd tree && git commit -q --allow-empty -m x',
    ];
    put(
      'release.mjs',
      'import { execFileSync } from "node:child_process";\nexecFileSync("g" + "it", ["commit", "-q", "--allow-empty", "-m", "x"], { stdio: "inherit" });\n',
    );
    for (const command of ['node release.mjs', ...commands]) {
      expect((await guarded.run(command)).blocked, command).toMatchObject([{ subject: 'pre-commit' }]);
    }
  });

  test('in another work tree, whose scripts nobody has compared', async () => {
    put('scripts/check.sh', 'echo compared\n');
    // A relative folder would be another one in another work tree.
    git('config', 'core.hooksPath', path.join(work, '.husky'));
    git('add', '.');
    git('-c', 'core.hooksPath=/dev/null', 'commit', '-q', '-m', 'x');
    const elsewhere = [
      'git worktree add -q DIR; echo "echo changed" > DIR/scripts/check.sh; cd DIR; git commit -q --allow-empty -m x',
      'mkdir -p DIR/scripts; echo "echo changed" > DIR/scripts/check.sh; git --work-tree=DIR commit -q --allow-empty -m x',
    ];
    for (const hooks of ['unchanged', 'run'] as const) {
      await using one = terminal({ allow: ['git', 'mkdir', 'sh', 'echo'], confine: { exec: 'any' }, git: { hooks } });
      expect((await one.run('git commit -q --allow-empty -m x')).output).toContain('compared');
      for (const [index, command] of elsewhere.entries()) {
        const { output, blocked } = await one.run(command.replaceAll('DIR', `${hooks}-${index}`));
        expect(output.includes('changed\n') && blocked === undefined, output).toBe(hooks === 'run');
      }
    }
  });

  test('when the plan does not let its interpreter start, and the commit goes on', async () => {
    put('.husky/pre-commit', '#!/usr/bin/env perl\nprint "ran\\n";\n');
    put('.husky/commit-msg', ': > planted\n');
    const listed = { allow: ['git'], trustInterpreters: [], confine: { exec: 'listed' } } as const;
    for (const hooks of ['unchanged', 'run'] as const) {
      await using guarded = terminal({ ...listed, git: { hooks } });
      const { exitCode, output, blocked } = await guarded.run('git commit -q --allow-empty -m x');
      expect(exitCode, output).toBe(0);
      expect(output).not.toContain('ran\n');
      expect(blocked, output).toMatchObject([
        { subject: 'pre-commit', advice: [{ name: 'confine.exec', value: 'any' }] },
      ]);
      // One without a first line is a script of `sh`, as it is for git.
      expect(created()).toContain('planted');
      rmSync(path.join(work, 'planted'));
    }
    await using open = terminal({ ...listed, confine: { exec: 'any' }, git: { hooks: 'run' } });
    expect((await open.run('git commit -q --allow-empty -m x')).output).toContain('ran\n');
  });

  test('where another user owns the folder of the wrappers, and a torn wrapper is written anew', async () => {
    const cache = path.join(base, `cache-${count}`);
    vi.stubEnv('XDG_CACHE_HOME', cache);
    mkdirSync(path.join(cache, 'handrail'), { recursive: true });
    mkdirSync(path.join(cache, 'handrail/hooks'));
    chmodSync(path.join(cache, 'handrail/hooks'), 0o777);
    await using shared = terminal();
    expect((await shared.run(COMMIT)).exitCode).toBe(0);
    expect(readdirSync(path.join(cache, 'handrail/hooks'))).toEqual([]);
    chmodSync(path.join(cache, 'handrail/hooks'), 0o700);
    const runs = async (): Promise<readonly unknown[]> => {
      await using guarded = terminal();
      const { exitCode, blocked } = await guarded.run('printf "debugger\\n" > bad && git add bad && git commit -m x');
      return [exitCode, blocked];
    };
    expect(await runs()).toEqual([1, undefined]);
    const [digest = ''] = readdirSync(path.join(cache, 'handrail/hooks'));
    writeFileSync(path.join(cache, 'handrail/hooks', digest, 'hook'), '');
    expect(await runs()).toEqual([1, undefined]);
    vi.stubEnv('XDG_CACHE_HOME', path.join(base, 'cache'));
  });

  test('where commands may start no shell', async () => {
    await using guarded = new Terminal({ allow: ['git'], roots: [work] });
    expect(guarded.explain('bash -c true').decision).toBe('deny');
    const commit = ['commit', '-q', '--allow-empty', '-m', 'x'];
    expect((await guarded.run(['git', ...commit])).blocked).toMatchObject([{ subject: 'pre-commit' }]);
    expect((await guarded.run(['git', 'log', '--oneline'])).blocked).toBeUndefined();
    // The same words of another repository, which has no hook, and a hook that gets words of git.
    put('.husky/commit-msg', '#!/bin/sh\n');
    await using later = new Terminal({ allow: ['git'], roots: [work] });
    const both = await later.run(['git', ...commit]);
    expect(both.blocked?.map(({ subject }) => subject)).toEqual(['pre-commit', 'commit-msg']);
    expect(commits()).toBe(2);
  });
});

describe('the hooks of', () => {
  const EDIT = 'printf "x\\n" > src/index.ts && printf "{}\\n" > package.json && git add . && git commit -q -m x';

  beforeEach(() => {
    put('src/index.ts', '\n', 0o644);
    put('src/index.js', '\n', 0o644);
    put('package.json', '{"scripts":{}}\n', 0o644);
  });

  /** A program of a project that says its name. */
  const say = (name: string) => put(name, `#!/bin/sh\necho ran "\${0##*/}" "$1"\n`);

  test('husky run in a project that changes', async () => {
    git('config', 'core.hooksPath', '.husky/_');
    for (const name of ['pre-commit', 'commit-msg'])
      put(`.husky/_/${name}`, '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n');
    const run = 'export PATH="node_modules/.bin:$PATH"\nsh -e "$s" "$@"\n';
    put(
      '.husky/_/h',
      `#!/usr/bin/env sh\nn=\${0##*/}\ns="$(dirname "$(dirname "$0")")/$n"\n[ ! -f "$s" ] && exit 0\n${run}`,
    );
    put('.husky/_/.gitignore', '*\n', 0o644);
    put('.husky/pre-commit', 'lint-staged --cwd src "src/**/*.ts" package.json\n', 0o644);
    say('node_modules/.bin/lint-staged');
    await using guarded = terminal({ allow: ['git', 'sh', 'printf', 'dirname', './node_modules/.bin/*'] });
    const result = await guarded.run(EDIT);
    expect([result.output, result.blocked]).toEqual(['ran lint-staged --cwd\n', undefined]);
    // What the hooks run is above their folder.
    put('.husky/pre-commit', 'touch planted\n', 0o644);
    put('.husky/commit-msg', 'touch planted\n', 0o644);
    const names = ['pre-commit', 'commit-msg'].map((subject) => ({ subject }));
    expect((await guarded.run('git commit -q --allow-empty -m y')).blocked).toMatchObject(names);
  });

  test('lefthook and pre-commit run in a project that changes', async () => {
    const found =
      'elif test -f "$dir/node_modules/lefthook/bin/index.js"\n  then "$dir/node_modules/lefthook/bin/index.js" "$@"';
    const call = `call() {\n  dir="$(git rev-parse --show-toplevel)"\n  if lefthook-none -h >/dev/null 2>&1\n  then :\n  ${found}\n  fi\n}`;
    put('.husky/pre-commit', `#!/bin/sh\n${call}\ncall run "pre-commit" "$@"\n`);
    say('node_modules/lefthook/bin/index.js');
    const here =
      'HERE="$(cd "$(dirname "$0")" && pwd)"\nARGS=(hook-impl --config=.pre-commit-config.yaml --hook-type=commit-msg)';
    const start =
      'ARGS+=(--hook-dir "$HERE" -- "$@")\nif [ -x "$INSTALL_PYTHON" ]; then exec "$INSTALL_PYTHON" -mpre_commit "$ARGS"; fi';
    put('.husky/commit-msg', `#!/usr/bin/env bash\nINSTALL_PYTHON=${work}/.venv/bin/python\n${here}\n${start}\n`);
    say('.venv/bin/python');
    put('.pre-commit-config.yaml', 'repos: []\n', 0o644);
    const allow = ['git', 'sh', 'printf', 'dirname', './node_modules/**', '.venv/bin/*'];
    await using guarded = terminal({ allow });
    const result = await guarded.run(EDIT);
    expect([result.output, result.blocked]).toEqual(['ran index.js run\nran python -mpre_commit\n', undefined]);
  });
});
