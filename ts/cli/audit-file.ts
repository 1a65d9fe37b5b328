import { closeSync, constants, fchmodSync, fstatSync, openSync, realpathSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { AuditRecord } from '../audit/record.js';
import { isBeneath } from '../terminal/beneath.js';
import { readablePath } from './shown-path.js';
import { UsageError } from './usage-error.js';

/** Readable by its owner: commands and paths say much, without a secret too. */
const MODE = 0o600;

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/** A file that each audit record is added to, as a line of JSON. */
export class AuditFile implements Disposable {
  readonly #descriptor: number;

  /**
   * @param roots Folders where commands can write, and the file may not lie.
   * @throws UsageError when it lies there, is no regular file with one name, or cannot be opened. Nothing was created then.
   */
  constructor(file: string, roots: readonly string[]) {
    const shown = `--audit ${readablePath(file)}`;
    try {
      const place = realPlace(file);
      if (roots.some((root) => isBeneath(realpathSync(root), place))) {
        throw new UsageError(`${shown} lies where the tools write: choose a file outside of every --root`);
      }
      // Its links were followed above. A pipe that nobody reads must not keep us waiting.
      const flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
      this.#descriptor = openSync(place, flags, MODE);
    } catch (error) {
      throw notWritable(error, shown);
    }
    try {
      const status = fstatSync(this.#descriptor);
      if (!status.isFile()) throw new UsageError(`${shown} is no regular file`);
      if (status.nlink > 1) throw new UsageError(`${shown} has a second name, which the tools could write to`);
      fchmodSync(this.#descriptor, MODE);
    } catch (error) {
      closeSync(this.#descriptor);
      throw notWritable(error, shown);
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

/** Where the file is, or would be made: without links, but for one that leads nowhere. */
function realPlace(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    const whole = path.resolve(file);
    return path.join(realpathSync(path.dirname(whole)), path.basename(whole));
  }
}

function notWritable(error: unknown, shown: string): UsageError {
  if (error instanceof UsageError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason is known';
  return new UsageError(`${shown} cannot be written (${code})`);
}
