/** Copies of the fixtures that rows run in: made ready once, and fresh for each row. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** The port of the server that the walls would send something to. */
export const WALL_PORT = 47_811;

/** Where the tool chains of Rust lie, before rows get a home of their own. */
export const RUSTUP_HOME = process.env['RUSTUP_HOME'] ?? path.join(homedir(), '.rustup');

const LINKED = ['node_modules', '.venv'];

/** Programs that must not run, as a project finds them on its search path. */
const STUBS: readonly (readonly [name: string, does: string])[] = [
  ['sudo', ''],
  ['docker', ''],
  ['crontab', 'cat >/dev/null 2>&1; '],
];

export class ProjectCopy {
  readonly work: string;
  readonly home: string;
  readonly #own: string;
  readonly #prepared: string;
  readonly #kind: string;
  readonly #corpus: string;

  constructor(base: string, kind: string, corpus: string) {
    this.#kind = kind;
    this.#corpus = corpus;
    this.#own = path.join(base, kind);
    this.#prepared = path.join(this.#own, 'prepared');
    this.work = path.join(this.#own, 'row/tree');
    this.home = path.join(this.#own, 'row/home');
  }

  /** The variables of a person's shell in this project. */
  get environment(): Record<string, string> {
    const host = process.env;
    return {
      ...{
        PATH: `${host['PATH']}:${path.join(this.#own, 'stubs')}`,
        HOME: this.home,
        SHELL: '/bin/bash',
        TERM: 'dumb',
      },
      ...{ LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', NO_COLOR: '1', CI: '1', PAGER: 'cat', GIT_PAGER: 'cat', GOFLAGS: '' },
      ...{ GIT_TERMINAL_PROMPT: '0', GOTOOLCHAIN: 'local', GOPROXY: 'off', RUSTUP_HOME },
    };
  }

  /** Makes a working project of the fixture, unless that was done. */
  prepare(modules: string): void {
    if (existsSync(this.#prepared)) return;
    for (const folder of [this.home, path.join(this.#own, 'stubs')]) mkdirSync(folder, { recursive: true });
    for (const [name, does] of STUBS) {
      const file = path.join(this.#own, 'stubs', name);
      writeFileSync(file, `#!/bin/sh\n${does}echo STUB-${name.toUpperCase()}-RAN\n`);
      chmodSync(file, 0o755);
    }
    this.#freshHome();
    cpSync(path.join(this.#corpus, this.#kind), this.work, { recursive: true });
    const setup = path.join(this.#corpus, 'setup.sh');
    execFileSync('bash', [setup, this.#kind, modules], { cwd: this.work, env: this.environment, stdio: 'pipe' });
    const move = `mkdir -p "$1/packages" && cp -a tree origin.git "$1"
      for name in ${LINKED.join(' ')}; do if [ -e "$1/tree/$name" ]; then mv "$1/tree/$name" "$1/packages"; fi; done`;
    this.#script(move);
  }

  /** What every row begins with, at the same path. No row writes into a file of a package: it writes a new one. */
  refresh(): void {
    this.#script('rm -rf tree origin.git && cp -a "$1/tree" "$1/origin.git" . && cp -al "$1/packages/." tree');
    this.#freshHome();
  }

  /** What git says of the project, without what has a time in it. */
  state(): string {
    return this.#script(`git -C tree rev-list --count HEAD; git -C tree rev-parse --abbrev-ref HEAD
      git -C tree for-each-ref '--format=%(refname)'; git -C tree diff --cached --name-status; true`);
  }

  /** The branches of the remote, with their commits. */
  remoteState(): string {
    return this.#script('git -C origin.git for-each-ref');
  }

  #script(text: string): string {
    const env = { PATH: process.env['PATH'], HOME: this.home, GIT_CONFIG_GLOBAL: path.join(this.#corpus, 'gitconfig') };
    const options = { cwd: path.dirname(this.work), env, encoding: 'utf8' } as const;
    const { stdout, stderr, status } = spawnSync('bash', ['-c', text, 'script', this.#prepared], options);
    if (status !== 0) throw new Error(`${text}: ${stderr}`);
    return stdout;
  }

  /** A home as people have it, but for the caches of the row before. */
  #freshHome(): void {
    for (const name of readdirSync(this.home)) {
      if (name !== '.cache') rmSync(path.join(this.home, name), { recursive: true, force: true });
    }
    cpSync(path.join(this.#corpus, 'gitconfig'), path.join(this.home, '.gitconfig'));
    mkdirSync(path.join(this.home, '.cache'), { recursive: true });
    mkdirSync(path.join(this.home, '.ssh'), { mode: 0o700 });
    writeFileSync(path.join(this.home, '.ssh/id_rsa'), 'FIXTURE-PRIVATE-KEY\n', { mode: 0o600 });
    writeFileSync(path.join(this.home, '.bashrc'), '# a start-up file\n');
    writeFileSync(path.join(this.home, 'keep.txt'), 'to be kept\n', { mode: 0o600 });
  }
}
