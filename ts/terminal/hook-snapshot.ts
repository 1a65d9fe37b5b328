import { createHash } from 'node:crypto';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { isBeneath } from './beneath.js';
import { askGit } from './git-program.js';

/** The hooks of git that commands on this machine run. Those of a server are not among them. */
export const HOOK_NAMES = [
  ...['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'pre-merge-commit', 'post-merge'],
  ...['pre-rebase', 'post-rewrite', 'post-checkout', 'applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-push'],
] as const;

/** A hook of git by its name. */
export type HookName = (typeof HOOK_NAMES)[number];

/** Where the hooks of a repository lie; absolute. */
export interface HookFolder {
  /** The work tree. */
  readonly top: string;
  /** The folder that all work trees of the repository share. */
  readonly common: string;
  /** The folder of the hooks, as `core.hooksPath` says. */
  readonly folder: string;
}

/** A hook as it was when it was looked at. */
export interface HookSnapshot {
  readonly name: HookName;
  readonly file: string;
  /** The first line of the file without `#!`; empty for a file that is no script. */
  readonly interpreter: string;
  /** The names that git gives the content of the hook and of the scripts that it names, by their paths. */
  readonly digests: ReadonlyMap<string, string>;
}

/** Most scripts of one hook that are followed. One more is not looked at, and the hook counts as changed. */
const MAX_SCRIPTS = 64;

/** Most bytes of a script. */
const MAX_SCRIPT_BYTES = 1_048_576;

/** What stands between the words of a script. */
const BETWEEN_WORDS = /[\s'"`;|&()<>=${}]+/;

/** The hooks of the repository that a folder lies in. Undefined where there is none that git takes for safe. */
export function hookFolder(git: string, folder: string): HookFolder | undefined {
  const args = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-common-dir', '--git-path', 'hooks'];
  const [top, common, hooks] = askGit(git, folder, args).split('\n');
  return top && common && hooks ? { top, common, folder: path.resolve(hooks) } : undefined;
}

/** The hooks that git would run of this folder, as they are now. */
export function hooksIn(place: HookFolder): readonly HookSnapshot[] {
  return HOOK_NAMES.flatMap((name) => {
    const file = path.join(place.folder, name);
    const text = isExecutable(file) ? readScript(file) : undefined;
    if (text === undefined) return [];
    const digests = new Map<string, string>();
    follow(file, text, place, digests);
    // husky keeps what a hook does above the folder of the hooks, and finds it when it runs.
    const above = path.join(path.dirname(place.folder), name);
    const outer = readScript(above);
    if (outer !== undefined) follow(above, outer, place, digests);
    const [firstLine = ''] = text.toString('latin1').split('\n', 1);
    const interpreter = firstLine.startsWith('#!') ? firstLine.slice(2).trim() : '';
    return digests.size > MAX_SCRIPTS ? [] : [{ name, file, interpreter, digests }];
  });
}

/** Whether a hook and the scripts that it names are what they were. */
export function isUnchanged({ digests }: HookSnapshot): boolean {
  return [...digests].every(([file, digest]) => {
    const content = readScript(file);
    return content !== undefined && digestOf(content) === digest;
  });
}

/** Adds the digest of a script, and those of the files that its words name. */
function follow(file: string, content: Buffer, place: HookFolder, digests: Map<string, string>): void {
  if (digests.has(file) || digests.size > MAX_SCRIPTS) return;
  digests.set(file, digestOf(content));
  for (const named of content.includes(0) ? [] : namedFiles(file, content.toString('utf8'), place)) {
    const text = readScript(named);
    if (text !== undefined) follow(named, text, place, digests);
  }
}

/** The files beneath the work tree, or beside the hooks, that the words of a script may name. */
function namedFiles(file: string, text: string, { top, folder }: HookFolder): string[] {
  const here = path.dirname(file);
  // A word of one part may be any word; as a file beside the hook it is named with a folder, as in `$(dirname "$0")/h`.
  const words = new Set(text.split(BETWEEN_WORDS).filter((word) => word.includes('/') || word.includes('.')));
  const files = [...words].flatMap((word) => {
    if (!word.startsWith('/')) return [path.resolve(top, word), path.resolve(here, word)];
    return [word, path.join(here, word), path.join(path.dirname(here), word)];
  });
  return files.filter((named) => isBeneath(top, named) || isBeneath(folder, named));
}

/** The name that git gives a file of this content. */
function digestOf(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

function readScript(file: string): Buffer | undefined {
  try {
    const status = statSync(file);
    return status.isFile() && status.size <= MAX_SCRIPT_BYTES ? readFileSync(file) : undefined;
  } catch {
    return undefined; // There is none, or this user may not read it.
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // git passes it over.
  }
}
