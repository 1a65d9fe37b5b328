import { readOwnFile } from '../config/own-file.js';
import { isHandrailError } from '../errors.js';
import { UsageError } from './usage-error.js';

/** Largest file that decides what may run, in bytes. */
export const MAX_OWN_FILE_BYTES = 64 * 1_024;

/**
 * The content of a file that decides what may run.
 *
 * @param name Its name in messages.
 * @throws UsageError when it cannot be read, or when another user could have written it.
 */
export function readFileOfThisUser(file: string, name: string): string {
  try {
    return readOwnFile(file, name, MAX_OWN_FILE_BYTES);
  } catch (error) {
    throw isHandrailError(error) ? configError(error.message) : error;
  }
}

/** The error for a configuration that cannot be used. */
export function configError(message: string): UsageError {
  return new UsageError(message, 'ERR_INVALID_CONFIG');
}
