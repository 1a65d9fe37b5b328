import path from 'node:path';

import { type Environment, hostHome } from '../config/host-environment.js';
import type { Blocked } from '../report/blocked.js';
import { findProgram } from './git-program.js';
import { type HookName, type HookSnapshot, hookFolder, hooksIn, isUnchanged } from './hook-snapshot.js';
import { CHANGED_HOOK, type RepositoryHooks, writeWrappers } from './hook-wrappers.js';

/** What happens with the hooks of git. */
export const HOOK_CHOICES = ['run', 'note', 'unchanged'] as const;

/** What is done with git. */
export interface GitOptions {
  /**
   * The hooks of a repository (`core.hooksPath`, `.git/hooks`), which run whatever their authors wrote. `'note'`: none
   * runs, and the result of a command names those that did not. `'unchanged'`: a hook runs, under the plan of the
   * command, while it and the scripts beneath the work tree that it names are what they were when the terminal was
   * made; another does not run, and is named. `'run'`: git runs them as they are. Default: `'note'`.
   */
  readonly hooks?: (typeof HOOK_CHOICES)[number] | undefined;
}

/** The subcommands of git with the hooks that they run. */
const HOOKS_OF: Readonly<Record<string, readonly HookName[]>> = {
  commit: ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'],
  merge: ['pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'post-merge'],
  pull: ['pre-merge-commit', 'post-merge'],
  rebase: ['pre-rebase', 'post-rewrite'],
  'cherry-pick': ['prepare-commit-msg', 'post-commit'],
  revert: ['prepare-commit-msg', 'commit-msg', 'post-commit'],
  am: ['applypatch-msg', 'pre-applypatch', 'post-applypatch'],
  checkout: ['post-checkout'],
  switch: ['post-checkout'],
  push: ['pre-push'],
};

/** A call of git in a command: up to the end of its part of the script. */
const GIT_CALL = /\bgit\b[^;&|\n]*/g;

/** What decides about the hooks of a runner. */
export interface HookQuestion {
  readonly choice: (typeof HOOK_CHOICES)[number];
  /** The folders in which repositories are looked for. */
  readonly folders: readonly string[];
  /** Folders of programs that no command may write to. */
  readonly programs: readonly string[];
  /** The directories that commands may write to. */
  readonly writable: readonly string[];
  readonly host: Environment;
}

/** The hooks of the repositories of a runner. */
export class GitHooks {
  /** The value of `core.hooksPath` for every command that names git. Undefined: that of the repository. */
  readonly path: string | undefined;
  /** Programs beside those of the lists that the plan has to let be executed. */
  readonly files: readonly string[];
  readonly #choice: HookQuestion['choice'];
  readonly #git: string | undefined;
  /** The hooks that run, by their paths. */
  readonly #known: ReadonlyMap<string, HookSnapshot>;

  constructor({ choice, folders, programs, writable, host }: HookQuestion) {
    this.#choice = choice;
    this.#git = choice === 'run' ? undefined : findProgram('git', programs, writable);
    const repositories = choice === 'unchanged' ? this.#repositories(folders) : [];
    const wrappers = this.#wrappers(repositories, { programs, writable, host });
    this.files = wrappers?.files ?? [];
    this.path = choice === 'run' ? undefined : (wrappers?.folder ?? '/dev/null');
    const known = wrappers === undefined ? [] : repositories.flatMap(({ hooks }) => hooks);
    this.#known = new Map(known.map((hook) => [hook.file, hook]));
  }

  /** The hooks that did not run although the command, which has ended, would have had git run them. */
  notRun(command: string | readonly string[], cwd: string): Blocked[] {
    if (this.#git === undefined) return [];
    const names = hooksOf(typeof command === 'string' ? command : command.join(' '));
    const place = names.size === 0 ? undefined : hookFolder(this.#git, cwd);
    if (place === undefined) return [];
    const missed = hooksIn(place).filter(({ name, file }) => {
      const known = this.#known.get(file);
      return names.has(name) && (known === undefined || !isUnchanged(known));
    });
    return missed.map(({ name }) => this.#note(name));
  }

  #note(name: HookName): Blocked {
    const because = this.#choice === 'note' ? 'hooks of git run only where the host lets them' : CHANGED_HOOK;
    return {
      guarantee: 'hooks',
      subject: name,
      message: `'${name}' did not run here: ${because}`,
      hint: 'Tell the user, who can run it.',
      advice: [{ kind: 'option', name: 'git.hooks', value: this.#choice === 'note' ? 'unchanged' : 'run' }],
    };
  }

  #repositories(folders: readonly string[]): readonly RepositoryHooks[] {
    const git = this.#git;
    if (git === undefined) return [];
    const places = folders.flatMap((folder) => hookFolder(git, folder) ?? []);
    const unique = new Map(places.map((place) => [place.common, place]));
    return [...unique.values()].map((place) => ({ place, hooks: hooksIn(place) }));
  }

  #wrappers(
    repositories: readonly RepositoryHooks[],
    { programs, writable, host }: Pick<HookQuestion, 'programs' | 'writable' | 'host'>,
  ) {
    const bash = findProgram('bash', programs, writable);
    const home = hostHome();
    const cache = host['XDG_CACHE_HOME'] ?? (home === undefined ? undefined : path.join(home, '.cache'));
    const hasHooks = repositories.some(({ hooks }) => hooks.length > 0);
    if (!hasHooks || this.#git === undefined || bash === undefined || cache === undefined) return;
    return writeWrappers(repositories, { git: this.#git, bash }, path.join(cache, 'handrail/hooks'), writable);
  }
}

/** The hooks that the calls of git in a command run. */
function hooksOf(command: string): Set<HookName> {
  const names = new Set<HookName>();
  for (const [call] of command.matchAll(GIT_CALL)) {
    const words = call.split(/\s+/);
    const subcommand = words.find((word) => Object.hasOwn(HOOKS_OF, word));
    if (subcommand === undefined) continue;
    const skips = words.includes('--no-verify') || (subcommand === 'commit' && words.includes('-n'));
    for (const name of HOOKS_OF[subcommand] ?? []) {
      if (!skips || !(name === 'pre-commit' || name === 'commit-msg' || name === 'pre-push')) names.add(name);
    }
  }
  return names;
}
