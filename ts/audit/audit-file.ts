import { closeSync, constants, fchmodSync, fstatSync, openSync, realpathSync, writeSync } from 'node:fs';
import path from 'node:path';
import { HandrailError, isHandrailError } from '../errors.js';
import { isBeneath } from '../terminal/beneath.js';
import type { AuditRecord } from './record.js';

/** Readable by its owner only: commands and paths tell much, even without secrets. */
const FILE_MODE = 0o600;

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

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
    try {
      const resolvedPath = realPlace(file);
      if (roots.some((root) => isBeneath(realpathSync(root), resolvedPath))) {
        throw invalid(`${shownOption} lies where the tools write: choose a file outside of every root`);
      }
      // Links were resolved above. Opening a pipe that nobody reads must not block.
      const flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
      this.#descriptor = openSync(resolvedPath, flags, FILE_MODE);
    } catch (error) {
      throw writeError(error, shownOption);
    }
    try {
      const status = fstatSync(this.#descriptor);
      if (!status.isFile()) throw invalid(`${shownOption} is no regular file`);
      if (status.nlink > 1) throw invalid(`${shownOption} has a second name, which the tools could write to`);
      fchmodSync(this.#descriptor, FILE_MODE);
    } catch (error) {
      closeSync(this.#descriptor);
      throw writeError(error, shownOption);
    }
  }

  /** Adds a record as a whole line, also when several processes write to the file. */
  readonly add = (record: AuditRecord): void => {
    writeSync(this.#descriptor, `${JSON.stringify(record)}\n`);
  };

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

/** The path without links, also of a file that does not exist yet. A link that leads nowhere stays as it is. */
function realPlace(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    const absolutePath = path.resolve(file);
    return path.join(realpathSync(path.dirname(absolutePath)), path.basename(absolutePath));
  }
}

function writeError(error: unknown, shownOption: string): HandrailError {
  if (isHandrailError(error)) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason is known';
  return invalid(`${shownOption} cannot be written (${code})`);
}

function invalid(message: string): HandrailError {
  return new HandrailError('ERR_INVALID_ARGUMENT', message, { data: { name: 'audit' } });
}
