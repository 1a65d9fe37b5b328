import type { RefusedFile, ReplacedPlace } from './results.js';

/** What became of one file of a patch. */
export interface PatchedFile {
  /** Where it is now, relative to the root where it lies in one, else absolute; secrets masked. */
  readonly path: string;
  /** Absolute path, links resolved; secrets masked. */
  readonly absolute: string;
  /** Whether it is new, was changed in part, is gone, or has another name (and perhaps was changed in part as well). */
  readonly operation: 'add' | 'update' | 'delete' | 'move';
  /** Where a file that was moved lay before. Absent for every other. */
  readonly from?: string;
  /** Its size now; 0 when it is gone. */
  readonly bytes: number;
  /** Lines that were not there before. */
  readonly added: number;
  /** Lines that are no longer there. */
  readonly removed: number;
  /** How many places were replaced. */
  readonly places: number;
  /**
   * The first of them, in the order of the file; `edit` is the index of the hunk. A patch names a hundred in all
   * its files, of which the first ten have a `snippet`.
   */
  readonly edits: readonly ReplacedPlace[];
  /** Masks that were turned back into the secrets they stood for. */
  readonly restoredMasks: number;
  /** Changes when the content does. Absent when the file is gone, or the patch was only tried. */
  readonly version?: string;
}

/** Files that were patched: all of a patch, or none. */
export interface PatchedFiles {
  /** Says which of the results this is. */
  readonly kind: 'file_patch';
  /** The patch was applied, or would be. */
  readonly ok: true;
  /** Each file, in the order of the patch. */
  readonly files: readonly PatchedFile[];
  /** Whether it was only tried: then nothing was written. */
  readonly dryRun: boolean;
}

/** What patching gives. Of a refusal `path` is what the patch names, as far as it can be read. */
export type FilePatchData = PatchedFiles | RefusedFile<'file_patch'>;

const NAMED = /^(?:\*\*\* (?:Add File|Update File|Delete File|Move to):|\+\+\+|rename to) +([^\r\n]+)/gm;

/** The paths that a patch is about, for messages: nothing is opened by them. */
export function pathsOfPatch(patch: string): string {
  return [...patch.matchAll(NAMED)].map(([, path = '']) => path).join(', ');
}
