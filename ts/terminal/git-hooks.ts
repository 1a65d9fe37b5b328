import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';

import { type Environment, hostHome } from '../config/host-environment.js';
import type { NativeResult } from '../native/binding.js';
import type { Blocked } from '../report/blocked.js';
import { findProgram } from './git-program.js';
import type { HookFolder } from './hook-scripts.js';
import { HOOK_NAMES, hookFolder, hookNames, hooksIn, wrapperNames } from './hook-snapshot.js';
import { type Wrappers, wrappersByBash, wrappersByPrintf, writeWrappers } from './hook-wrappers.js';

/** What happens with the hooks of git. */
export const HOOK_CHOICES = ['run', 'note', 'unchanged'] as const;

/** What is done with git. */
export interface GitOptions {
  /**
   * The hooks of a repository (`core.hooksPath`, `.git/hooks`), which run whatever their authors wrote. `'note'`: none
   * runs, and the result of a command names those that git would have started. `'unchanged'`: a hook runs, under the plan of the
   * command, while it and the scripts beneath the work tree that it names are what they were when the terminal was
   * made; another does not run, and is named. `'run'`: git runs them as they are. Default: `'note'`.
   */
  readonly hooks?: (typeof HOOK_CHOICES)[number] | undefined;
}

/** Why a hook does not run, as its wrapper says. */
const REASONS = {
  note: 'hooks of git run only where the host lets them',
  unchanged:
    'it is new, it or a script that it names has changed since this terminal was made, or it names more than is compared',
} as const;

/** What a wrapper says. */
const NOT_RUN = /^\[handrail\] ([a-z0-9-]+) did not run here: /;

/** What decides about the hooks of a runner. */
export interface HookQuestion {
  readonly choice: (typeof HOOK_CHOICES)[number];
  /** Whether a command may start git. */
  readonly startsGit: boolean;
  /** Whether commands may start bash in any case. */
  readonly startsBash: boolean;
  /** The folders in which repositories are looked for. */
  readonly folders: readonly string[];
  /** Folders of programs that no command may write to. */
  readonly programs: readonly string[];
  /** The directories that commands may write to. */
  readonly writable: readonly string[];
  readonly host: Environment;
}

/** The hooks of git for the commands of a runner. */
export class GitHooks {
  /** The value of `core.hooksPath` for every command that names git. Undefined: that of the repository. */
  readonly path: string | undefined;
  /** Programs beside those of the lists that the plan has to let be executed. */
  readonly files: readonly string[];
  readonly #choice: HookQuestion['choice'];

  constructor(question: HookQuestion) {
    this.#choice = question.choice;
    const wrappers = wrappersFor(question);
    const folder = cacheFolder(question.host);
    const written =
      wrappers === undefined || folder === undefined ? undefined : writeWrappers(wrappers, folder, question.writable);
    this.files = written?.files ?? [];
    this.path = question.choice === 'run' ? undefined : (written?.folder ?? '/dev/null');
  }

  /** The hooks that did not run, as their wrappers wrote into the output of a command. */
  notRun({ stdout, stderr, output }: NativeResult): Blocked[] {
    const choice = this.#choice;
    if (choice === 'run') return [];
    const lines = (stderr === '' && stdout === '' ? output : stderr).split('\n');
    const names = new Set(lines.map((line) => NOT_RUN.exec(line)?.[1] ?? ''));
    return HOOK_NAMES.filter((name) => names.has(name)).map((name) => ({
      guarantee: 'hooks',
      subject: name,
      message: `'${name}' did not run here: ${REASONS[choice]}`,
      hint: 'Tell the user, who can run it.',
      advice: [{ kind: 'option', name: 'git.hooks', value: choice === 'note' ? 'unchanged' : 'run' }],
    }));
  }
}

function wrappersFor({
  choice,
  startsGit,
  startsBash,
  folders,
  programs,
  writable,
}: HookQuestion): Wrappers | undefined {
  const git = choice === 'run' || !startsGit ? undefined : findProgram('git', programs, writable);
  if (choice === 'run' || git === undefined) return undefined;
  const places = repositories(git, folders);
  const present = [...new Set(places.flatMap(hookNames))];
  const bash = choice === 'unchanged' || startsBash ? findProgram('bash', programs, writable) : undefined;
  if (bash !== undefined) {
    const known = choice === 'note' ? [] : places.map((place) => ({ place, hooks: hooksIn(git, place) }));
    return wrappersByBash(wrapperNames(present), known, { git, bash }, REASONS[choice]);
  }
  const printf = findProgram('printf', programs, writable);
  // Who may execute one name of a program with several may execute all.
  const isAlone = printf !== undefined && realpathSync(printf).endsWith('/printf') && statSync(printf).nlink === 1;
  return isAlone ? wrappersByPrintf(present, printf, REASONS[choice]) : undefined;
}

function repositories(git: string, folders: readonly string[]): HookFolder[] {
  const places = [...new Set(folders)].flatMap((folder) => hookFolder(git, folder) ?? []);
  return [...new Map(places.map((place) => [place.common, place])).values()];
}

/** The folder that folders of wrappers lie in. */
function cacheFolder(host: Environment): string | undefined {
  const home = hostHome();
  const cache = host['XDG_CACHE_HOME'] ?? (home === undefined ? undefined : path.join(home, '.cache'));
  return cache === undefined ? undefined : path.join(cache, 'handrail/hooks');
}
