/** Files that the host writes about what its programs do. */
import { closeSync, constants, fchmodSync, fstatSync, openSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { HandrailError, isHandrailError } from '../errors.js';
import { isBeneath } from './beneath.js';

/** Readable by its owner only: commands and paths tell much, even without secrets. */
const FILE_MODE = 0o600;

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/** A file that the host names. */
export interface PrivateFile {
  readonly file: string;
  /** Folders that commands can write to. The file may not lie in them. */
  readonly roots: readonly string[];
  /** `O_WRONLY` or `O_RDWR`, with `O_APPEND` or `O_EXCL`. */
  readonly flag: number;
  /** The option, for programs. */
  readonly option: string;
  /** The option in messages. */
  readonly shownOption: string;
}

/**
 * Opens a file for writing, and creates it where it does not exist. Gives the descriptor.
 *
 * @throws HandrailError `ERR_INVALID_ARGUMENT` when it lies in a root, is no regular file with a single name, or cannot be
 * opened. Nothing is created then.
 */
export function openPrivateFile({ file, roots, flag, option, shownOption }: PrivateFile): number {
  const invalid = (message: string): HandrailError =>
    new HandrailError('ERR_INVALID_ARGUMENT', message, { data: { name: option } });
  const writeError = (error: unknown): HandrailError => {
    if (isHandrailError(error)) return error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason is known';
    return invalid(`${shownOption} cannot be written (${code})`);
  };
  let descriptor: number;
  try {
    const resolvedPath = realPlace(file);
    if (roots.some((root) => isBeneath(realpathSync(root), resolvedPath))) {
      throw invalid(`${shownOption} lies where the tools write: choose a file outside of every root`);
    }
    // Links were resolved above. Opening a pipe that nobody reads must not block.
    const flags = O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | flag;
    descriptor = openSync(resolvedPath, flags, FILE_MODE);
  } catch (error) {
    throw writeError(error);
  }
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw invalid(`${shownOption} is no regular file`);
    if (status.nlink > 1) throw invalid(`${shownOption} has a second name, which the tools could write to`);
    fchmodSync(descriptor, FILE_MODE);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw writeError(error);
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
