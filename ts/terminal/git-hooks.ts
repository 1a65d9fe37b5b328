import { realpathSync, statSync } from 'node:fs';

import type { Environment } from '../config/host-environment.js';
import type { NativeResult } from '../native/binding.js';
import type { OptionAdvice } from '../report/advice.js';
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
   * made; another does not run, and is named. `'run'`: they run as they are, whoever changed them. Default: `'note'`.
   */
  readonly hooks?: (typeof HOOK_CHOICES)[number] | undefined;
}

/** Why a hook does not run, as its wrapper says. */
const REASONS = {
  note: 'hooks of git run only where the host lets them',
  unchanged:
    'it is new, it or a script that it names has changed since this terminal was made, or it names more than is compared',
  program: 'what runs it is not on the list of allowed programs',
} as const;

const REASON_NAMES = Object.keys(REASONS) as (keyof typeof REASONS)[];

/** What lifts each. */
const LIFTED_BY: Readonly<Record<keyof typeof REASONS, OptionAdvice>> = {
  note: { kind: 'option', name: 'git.hooks', value: 'unchanged' },
  unchanged: { kind: 'option', name: 'git.hooks', value: 'run' },
  program: { kind: 'option', name: 'confine.exec', value: 'any' },
};

/** What a wrapper says. */
const NOT_RUN = /^\[handrail\] ([a-z0-9-]+) did not run here: (.*)$/;

/** What decides about the hooks of a runner. */
export interface HookQuestion {
  readonly choice: (typeof HOOK_CHOICES)[number];
  /** Whether a command may start git. */
  readonly startsGit: boolean;
  /** Whether the kernel may hold commands to a list of programs, so that git cannot start a hook itself. */
  readonly mayBeListed: boolean;
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

  constructor(question: HookQuestion) {
    const wrappers = wrappersFor(question);
    const written = wrappers === undefined ? undefined : writeWrappers(wrappers, question.host, question.writable);
    this.files = written?.files ?? [];
    this.path = written?.folder ?? (question.choice === 'run' ? undefined : '/dev/null');
  }

  /** The hooks that did not run, as their wrappers wrote into the output of a command. */
  notRun({ stdout, stderr, output }: NativeResult): Blocked[] {
    const lines = (stderr === '' && stdout === '' ? output : stderr).split('\n');
    const said = new Map(lines.map((line) => NOT_RUN.exec(line)?.slice(1) ?? []).map(([name, why]) => [name, why]));
    return HOOK_NAMES.flatMap((name) => {
      const reason = REASON_NAMES.find((one) => REASONS[one] === said.get(name));
      if (reason === undefined) return [];
      return {
        guarantee: 'hooks',
        subject: name,
        message: `'${name}' did not run here: ${REASONS[reason]}`,
        hint: 'Tell the user, who can run it.',
        advice: [LIFTED_BY[reason]],
      };
    });
  }
}

function wrappersFor(question: HookQuestion): Wrappers | undefined {
  const { choice, startsGit, mayBeListed, startsBash, folders, programs, writable } = question;
  if (!startsGit || (choice === 'run' && !mayBeListed)) return undefined;
  const git = findProgram('git', programs, writable);
  if (git === undefined) return undefined;
  const places = repositories(git, folders);
  const present = [...new Set(places.flatMap(hookNames))];
  const bash = choice !== 'note' || startsBash ? findProgram('bash', programs, writable) : undefined;
  if (bash !== undefined) {
    const known = choice === 'unchanged' ? places.map((place) => ({ place, hooks: hooksIn(git, place) })) : [];
    const reasons = { unknown: choice === 'run' ? REASONS.program : REASONS[choice], program: REASONS.program };
    return wrappersByBash(wrapperNames(present), choice === 'run' ? 'all' : known, { git, bash }, reasons);
  }
  return choice === 'run' ? undefined : wrappersWithoutBash(present, question, REASONS[choice]);
}

function wrappersWithoutBash(
  names: readonly string[],
  { programs, writable }: HookQuestion,
  reason: string,
): Wrappers | undefined {
  const printf = findProgram('printf', programs, writable);
  // Who may execute one name of a program with several may execute all.
  const isAlone = printf !== undefined && realpathSync(printf).endsWith('/printf') && statSync(printf).nlink === 1;
  return isAlone ? wrappersByPrintf(names, printf, reason) : undefined;
}

function repositories(git: string, folders: readonly string[]): HookFolder[] {
  const places = [...new Set(folders)].flatMap((folder) => hookFolder(git, folder) ?? []);
  return [...new Map(places.map((place) => [place.common, place])).values()];
}
