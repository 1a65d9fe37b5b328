import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

import type { NativeRoots } from '../native/binding.js';
import { loadNative } from '../native/loader.js';
import { callNative } from '../native/unwrap.js';
import type { Engine } from './engine.js';
import type { CheckedRoot, Root } from './options.js';
import { SHOWN_AS, secondPathOf } from './second-path.js';

/** Roots whose directories are held open. */
export type OpenRoots = NativeRoots;

/**
 * Opens the directories of roots. Undefined: no restriction to roots.
 *
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for a root that is missing or no directory, and for `/` unless it is
 * allowed.
 */
export function openRoots(roots: readonly CheckedRoot[] | undefined): OpenRoots {
  const { binding } = loadNative();
  return callNative(() => new binding.NativeRoots(roots?.map((root) => ({ ...root })) ?? null));
}

/** Opens roots for `use` and closes them after it. What `use` created keeps its own hold of the directories. */
export function withRoots<Value>(
  roots: readonly CheckedRoot[] | undefined,
  use: (openedRoots: OpenRoots) => Value,
): Value {
  const openedRoots = openRoots(roots);
  try {
    return use(openedRoots);
  } finally {
    openedRoots.close();
  }
}

/** The directories that commands may write to, resolved. One that cannot be resolved is refused when it is opened. */
export function writableRoots(roots: readonly CheckedRoot[] = []): string[] {
  return roots
    .filter(({ writable }) => writable)
    .map((root) => (existsSync(root.path) ? realpathSync(root.path) : root.path));
}

/** The roots without their second paths where the commands of an engine will have no view. */
export function rootsOfViews(roots: readonly Root[], engine: Engine): readonly Root[] {
  if (roots.every((root) => secondPathOf(root) === undefined) || engine.hasViews()) return roots;
  return roots.map((root) => (typeof root === 'string' ? root : { ...root, [SHOWN_AS]: undefined }));
}

/** The path by which commands know an absolute path: beneath a root that has a second path, that one. */
export function shownPath(roots: readonly CheckedRoot[], place: string): string {
  for (const { path: root, shownAs } of roots) {
    if (shownAs === undefined) continue;
    if (place === root) return shownAs;
    if (place.startsWith(`${root}/`)) return path.join(shownAs, place.slice(root.length));
  }
  return place;
}
