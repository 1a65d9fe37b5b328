import { closeSync, openSync, realpathSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { AuditRecord } from '../audit/record.js';
import { readablePath } from './shown-path.js';
import { UsageError } from './usage-error.js';

/** Readable by its owner: commands and paths say much, without a secret too. */
const MODE = 0o600;

/** A file that each audit record is added to, as a line of JSON. */
export class AuditFile implements Disposable {
  readonly #descriptor: number;

  /**
   * @param roots Where commands can write, and the file may not lie; absolute.
   * @throws UsageError when it lies there or cannot be opened.
   */
  constructor(file: string, roots: readonly string[]) {
    const shown = `--audit ${readablePath(file)}`;
    const real = roots.map((root) => realpathSync(root));
    const refuseWithin = (place: string): void => {
      if (!real.some((root) => isBeneath(place, root))) return;
      throw new UsageError(`${shown} lies where the tools write: choose a file outside of every --root`);
    };
    try {
      refuseWithin(realpathSync(path.dirname(path.resolve(file))));
      this.#descriptor = openSync(file, 'a', MODE);
      // Of the file itself once it is there: it may be a link.
      refuseWithin(realpathSync(file));
    } catch (error) {
      if (error instanceof UsageError) throw error;
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason is known';
      throw new UsageError(`${shown} cannot be written (${code})`);
    }
  }

  /** Adds a record: whole lines, also where several processes add to one file. */
  readonly add = (record: AuditRecord): void => {
    writeSync(this.#descriptor, `${JSON.stringify(record)}\n`);
  };

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

function isBeneath(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '..' && !relative.startsWith('../');
}
