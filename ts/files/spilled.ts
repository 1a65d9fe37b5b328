import path from 'node:path';
import type { NativeFiles } from '../native/binding.js';
import { callNative } from '../native/unwrap.js';

/** Operations on such a file. */
const OPERATIONS: ReadonlySet<string> = new Set(['read', 'grep']);

/**
 * Reads the files that hold outputs which did not fit. They lie outside of every root, and are read like any other file;
 * nothing here writes.
 */
export class SpilledFiles {
  readonly #folders: () => ReadonlySet<string>;
  readonly #open: (folder: string) => NativeFiles;
  /** By folder: there is another after a supervisor was lost. */
  readonly #opened = new Map<string, NativeFiles>();

  /**
   * @param folders Where results said that their rest is.
   * @param open Makes what reads beneath one of these.
   */
  constructor(folders: () => ReadonlySet<string>, open: (folder: string) => NativeFiles) {
    this.#folders = folders;
    this.#open = open;
  }

  /** The answer; undefined when the path is of no such file, or the operation is none for one. */
  call(operation: string, file: string, request: object): Promise<string> | undefined {
    const files = OPERATIONS.has(operation) ? this.#filesOf(file) : undefined;
    return files && callNative(() => files.call(operation, JSON.stringify(request)));
  }

  #filesOf(file: string): NativeFiles | undefined {
    const folder = path.dirname(file);
    // Files of it only: a search takes a folder too.
    if (!this.#folders().has(folder) || path.basename(file) === '.') return;
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
