import { fstatSync } from 'node:fs';
import { UsageError } from './usage-error.js';

const STDIN = 0;

/** @throws UsageError when the standard input is a directory, which Node would read as empty. */
export function assertInputReadable(): void {
  if (fstatSync(STDIN).isDirectory()) throw new UsageError('the standard input cannot be read (EISDIR)');
}

/**
 * Whether the standard input seems to be meant for the program: a pipe, or a file that is not empty. It is not read,
 * because it may belong to the script that calls handrail.
 */
export function isInputOffered(): boolean {
  const status = fstatSync(STDIN);
  return status.isFIFO() || (status.isFile() && status.size > 0);
}
