import path from 'node:path';
import type { NativeFiles } from '../native/binding.js';
import { callNative } from '../native/unwrap.js';
import type { SpillFolders } from '../terminal/spill-folders.js';

/** Operations that a file with spilled output can be used for. */
const SPILL_OPERATIONS: ReadonlySet<string> = new Set(['read', 'grep']);

/**
 * Reads spilled output: the files with output that did not fit a result. They lie outside of every root and are read like
 * any other file; nothing here writes.
 */
export class SpilledFiles {
  readonly #folders: Pick<SpillFolders, 'has'>;
  readonly #open: (folder: string) => NativeFiles;
  /** Engines by the folder they read; there is a second folder after a supervisor was lost. */
  readonly #opened = new Map<string, NativeFiles>();

  /**
   * @param folders The folders with spilled output that results have named.
   * @param open Makes an engine that reads below one of these folders.
   */
  constructor(folders: Pick<SpillFolders, 'has'>, open: (folder: string) => NativeFiles) {
    this.#folders = folders;
    this.#open = open;
  }

  /** The answer of the call. Undefined when the path is no spilled output of the caller, or the operation does not apply to it. */
  call(operation: string, file: string, request: string, caller: string | undefined): Promise<string> | undefined {
    const files = SPILL_OPERATIONS.has(operation) ? this.#filesOf(file, caller) : undefined;
    return files && callNative(() => files.call(operation, request));
  }

  #filesOf(file: string, caller: string | undefined): NativeFiles | undefined {
    const folder = path.dirname(file);
    // Only the files in the folder are read, though a search could take the folder itself.
    if (!this.#folders.has(folder, caller) || path.basename(file) === '.') return;
    let files = this.#opened.get(folder);
    if (files === undefined) {
      files = this.#open(folder);
      this.#opened.set(folder, files);
    }
    return files;
  }

  close(): void {
    for (const files of this.#opened.values()) {
      callNative(() => {
        files.close();
      });
    }
    this.#opened.clear();
  }
}
