import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { NativeSpillFolder } from '../native/binding.js';

/** The folder of callers without a name. */
const USUAL_FOLDER = 'spill';

/** Bytes of the random part of a folder's name. */
const NAME_BYTES = 16;

/** Callers whose commands see their spill files: each has workers of its own. The file tools of further callers see theirs too. */
export const MAX_SHOWN_SPILL_FOLDERS = 64;

/**
 * Where outputs are kept that do not fit results. Each caller has a folder of its own, whose name no other can guess, and sees
 * no other.
 */
export class SpillFolders {
  readonly #ofCallers = new Map<string, NativeSpillFolder>();
  /** The paths of the folders that results have named. Each supervisor has its own; one that replaces it adds some. */
  readonly #named = new Set<string>();

  /** The folder of a caller. Undefined for the usual one. */
  of(caller: string | undefined): NativeSpillFolder | undefined {
    if (caller === undefined || caller === '') return undefined;
    const known = this.#ofCallers.get(caller);
    if (known !== undefined) return known;
    const name = `${USUAL_FOLDER}-${randomBytes(NAME_BYTES).toString('hex')}`;
    const folder = { name, shown: this.#ofCallers.size < MAX_SHOWN_SPILL_FOLDERS };
    this.#ofCallers.set(caller, folder);
    return folder;
  }

  /** A result has named this file. */
  add(file: string): void {
    this.#named.add(path.dirname(file));
  }

  /** Whether a caller may read the files of this folder; undefined is the host, who may read all. */
  has(folder: string, caller: string | undefined): boolean {
    if (!this.#named.has(folder)) return false;
    return caller === undefined || path.basename(folder) === (this.of(caller)?.name ?? USUAL_FOLDER);
  }
}
