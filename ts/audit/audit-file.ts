import { closeSync, constants, writeSync } from 'node:fs';
import { openPrivateFile } from '../terminal/private-file.js';
import type { AuditRecord } from './record.js';

/** A file to which each audit record is added as a line of JSON. */
export class AuditFile implements Disposable {
  readonly #descriptor: number;

  /**
   * @param roots Folders that commands can write to. The file may not lie in them.
   * @param shownOption The option in messages.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` when it does, is no regular file with a single name, or cannot be
   * opened. Nothing is created then.
   */
  constructor(file: string, roots: readonly string[], shownOption: string) {
    this.#descriptor = openPrivateFile({ file, roots, flag: constants.O_APPEND, option: 'audit', shownOption });
  }

  /** Adds a record as a whole line, also when several processes write to the file. */
  readonly add = (record: AuditRecord): void => {
    writeSync(this.#descriptor, `${JSON.stringify(record)}\n`);
  };

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}
