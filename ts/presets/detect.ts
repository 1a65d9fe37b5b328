/** Reads from the files of a project what kind it is. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

import { HandrailError } from '../errors.js';
import { PROJECT_KINDS } from './kinds.js';
import type { ProjectKind } from './preset.js';

/** Names of files that show a kind, with `*` for any text. A Makefile shows none: every preset has make. */
const MARKS: readonly (readonly [kind: ProjectKind | undefined, names: string])[] = [
  ['node', 'package.json'],
  ['python', 'pyproject.toml setup.py setup.cfg Pipfile requirements*.txt'],
  ['rust', 'Cargo.toml'],
  ['go', 'go.mod go.work'],
  [undefined, 'Makefile makefile GNUmakefile'],
];

/** Most folders above the workspace that are looked at. */
const MAX_FOLDERS_ABOVE = 32;

/** What kind a project is, and what decided. */
export interface DetectedProject {
  /** In a fixed order. Empty for a project that has only a Makefile. */
  readonly kinds: readonly ProjectKind[];
  /** The files that decided, relative to the workspace, nearest first; of each kind one per folder. */
  readonly decidedBy: readonly string[];
}

/**
 * Looks at the files of a folder, and of the folders above it up to the root of its repository.
 *
 * @param workspace The first root.
 * @param start The folder at which the look begins.
 * @throws HandrailError `ERR_NO_PROJECT` when none of them shows what the project is.
 */
export function detectProject(workspace: string, start = workspace): DetectedProject {
  const found = [start, ...foldersAbove(start)].flatMap((folder) => marksIn(folder, workspace));
  if (found.length === 0) {
    throw new HandrailError(
      'ERR_NO_PROJECT',
      "`project: 'auto'` found no package.json, pyproject.toml, setup.py, requirements.txt, Cargo.toml, go.mod or " +
        `Makefile in the workspace, nor above it in its repository: name the kind, ${PROJECT_KINDS.join(', ')}`,
      { data: { name: 'project' } },
    );
  }
  const kinds = PROJECT_KINDS.filter((kind) => found.some((mark) => mark.kind === kind));
  return Object.freeze({ kinds: Object.freeze(kinds), decidedBy: Object.freeze(found.map(({ file }) => file)) });
}

/** The folders above the workspace up to the root of its repository. Without a repository: none. */
export function foldersAbove(workspace: string): readonly string[] {
  const folders: string[] = [];
  for (let here = workspace; folders.length < MAX_FOLDERS_ABOVE; folders.push(here)) {
    if (existsSync(path.join(here, '.git'))) return folders;
    if (path.dirname(here) === here) return [];
    here = path.dirname(here);
  }
  return [];
}

/** The files in a folder that show a kind, one of each, relative to the workspace. */
export function marksIn(
  folder: string,
  workspace: string,
): { readonly kind: ProjectKind | undefined; readonly file: string }[] {
  const names = namesIn(folder);
  return MARKS.flatMap(([kind, patterns]) => {
    const isNamed = (name: string): boolean => patterns.split(' ').some((pattern) => isLike(pattern, name));
    const mark = names.find((name) => isNamed(name) && isFile(path.join(folder, name)));
    return mark === undefined ? [] : [{ kind, file: path.relative(workspace, path.join(folder, mark)) }];
  });
}

/** The names in a folder; none where this user may not list it, or no text is its name. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

function isLike(pattern: string, name: string): boolean {
  const [start = '', end] = pattern.split('*');
  return end === undefined ? name === pattern : name.startsWith(start) && name.endsWith(end);
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
