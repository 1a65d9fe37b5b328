import { existsSync, realpathSync } from 'node:fs';

import type { NativeRoots } from '../native/binding.js';
import { loadNative } from '../native/loader.js';
import { callNative } from '../native/unwrap.js';
import type { CheckedRoot } from './options.js';

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
