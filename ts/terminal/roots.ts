import type { NativeRoots } from '../native/binding.js';
import { loadNative } from '../native/loader.js';
import { callNative } from '../native/unwrap.js';
import type { CheckedRoot } from './options.js';

/** Roots that are held open. */
export type OpenRoots = NativeRoots;

/**
 * Opens roots, to be held by everything that works beneath them; undefined stands for no restriction.
 *
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for one that is missing, no directory, or `/` unasked.
 */
export function openRoots(roots: readonly CheckedRoot[] | undefined): OpenRoots {
  const { binding } = loadNative();
  return callNative(() => new binding.NativeRoots(roots?.map((root) => ({ ...root })) ?? null));
}

/** What `use` makes of freshly opened roots; what it made holds them from then on. */
export function withRoots<Value>(roots: readonly CheckedRoot[] | undefined, use: (opened: OpenRoots) => Value): Value {
  const opened = openRoots(roots);
  try {
    return use(opened);
  } finally {
    opened.close();
  }
}
