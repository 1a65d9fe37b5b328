import path from 'node:path';

import { isExecutable } from '../config/bounded-file.js';
import { askGit } from './git-program.js';
import { type HookFolder, HookScripts, type NamedScripts } from './hook-scripts.js';

/**
 * The hooks that git runs where it is started. Those of a server are not among them: a push to this machine clears the
 * settings first.
 */
const COMMON_HOOKS = [
  ...['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'pre-merge-commit', 'post-merge', 'pre-push'],
  ...['pre-rebase', 'post-rewrite', 'post-checkout', 'applypatch-msg', 'pre-applypatch', 'post-applypatch'],
  ...['pre-auto-gc', 'sendemail-validate'],
  ...['p4-changelist', 'p4-prepare-changelist', 'p4-post-changelist', 'p4-pre-submit'],
];

/** Hooks that git starts so often that a wrapper costs too much where no repository has one. */
const FREQUENT_HOOKS = ['reference-transaction', 'post-index-change'];

export const HOOK_NAMES: readonly string[] = [...COMMON_HOOKS, ...FREQUENT_HOOKS];

/** A hook as it was when it was looked at. */
export interface HookSnapshot extends NamedScripts {
  readonly name: string;
  readonly file: string;
}

/** The hooks of the repository that a folder lies in. Undefined where there is none that git takes for safe. */
export function hookFolder(git: string, folder: string): HookFolder | undefined {
  const args = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-common-dir', '--git-path', 'hooks'];
  const [top, common, hooks] = (askGit(git, folder, args) ?? '').split('\n');
  return top && common && hooks ? { top, common, folder: path.resolve(hooks) } : undefined;
}

/** The names of the hooks that git would run of this folder. */
export function hookNames({ folder }: HookFolder): string[] {
  return HOOK_NAMES.filter((name) => isExecutable(path.join(folder, name)));
}

/** The names of the wrappers that are needed where these hooks are. */
export function wrapperNames(present: readonly string[]): string[] {
  return [...COMMON_HOOKS, ...FREQUENT_HOOKS.filter((name) => present.includes(name))];
}

/** The hooks of a repository, as they are now. One of which not everything that it names can be looked at is left out. */
export function hooksIn(git: string, place: HookFolder): readonly HookSnapshot[] {
  const names = hookNames(place);
  if (names.length === 0) return [];
  const scripts = new HookScripts(git, place);
  return names.flatMap((name) => {
    const file = path.join(place.folder, name);
    // husky keeps what a hook does above the folder of the hooks, and finds it when it runs.
    const named = scripts.follow(file, path.join(path.dirname(place.folder), name));
    return named === undefined ? [] : [{ name, file, ...named }];
  });
}
