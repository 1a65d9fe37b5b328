/** Finds the packages below and above a workspace whose programs belong to the same project. */
import { type Dirent, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { foldersAbove, marksIn } from './detect.js';
import type { ProjectKind } from './preset.js';

/** A folder below the first root that has a file of a kind, such as a `package.json`. */
export interface ProjectPackage {
  /** Relative to the first root. */
  readonly folder: string;
  /** The kinds of the project that it is of. */
  readonly kinds: readonly ProjectKind[];
}

/** Most packages whose programs may run. The rules of each are looked at in each run. */
const MAX_PACKAGES = 64;
/** How many folders deep packages are looked for. */
const MAX_DEPTH = 3;
/** Most folders that are looked at. */
const MAX_FOLDERS = 2_000;
/** Folders that hold what was installed or built. Their packages are other people's. */
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', 'target', 'vendor', 'venv', 'dist', 'build']);
/** Names that a rule for a place can have. */
const PLAIN_NAME = /^[\w@+,=~ -][\w@+,=~ .-]*$/;

/**
 * The packages of these kinds below a workspace: those nearest to it first, then by name. Links are not followed, and
 * folders whose name begins with a dot are passed over.
 */
export function packagesBelow(workspace: string, kinds: readonly ProjectKind[]): readonly ProjectPackage[] {
  const packages: ProjectPackage[] = [];
  let level = [''];
  let looked = 0;
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const below = level.flatMap((folder) => subfolders(workspace, folder)).slice(0, MAX_FOLDERS - looked);
    looked += below.length;
    for (const folder of below) {
      const marks = marksIn(path.join(workspace, folder), workspace);
      const own = kinds.filter((kind) => marks.some((mark) => mark.kind === kind));
      if (own.length > 0) packages.push(Object.freeze({ folder, kinds: Object.freeze(own) }));
      if (packages.length === MAX_PACKAGES) return packages;
    }
    level = below;
  }
  return packages;
}

/**
 * The folders above a workspace, up to the root of its repository, that have one of these folders of programs: what a
 * monorepo installs for all of its packages.
 */
export function installedAbove(workspace: string, programFolders: readonly string[]): readonly string[] {
  return foldersAbove(workspace).filter((above) =>
    programFolders.some((folder) => existsSync(path.join(above, folder))),
  );
}

function subfolders(workspace: string, folder: string): string[] {
  return entriesOf(path.join(workspace, folder))
    .filter((entry) => entry.isDirectory() && PLAIN_NAME.test(entry.name) && !PASSED_OVER.has(entry.name))
    .map((entry) => path.join(folder, entry.name))
    .sort();
}

/** The entries of a folder; none where this user may not list it. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}
