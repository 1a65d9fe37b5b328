import { fstatSync } from 'node:fs';
import { UsageError } from './usage-error.js';

const STDIN = 0;

/** @throws UsageError when the standard input is a directory: Node takes it for an empty one. */
export function assertInputReadable(): void {
  if (fstatSync(STDIN).isDirectory()) throw new UsageError('the standard input cannot be read (EISDIR)');
}

/**
 * Whether somebody seems to have meant the standard input for the program: it is a shell's pipe, or a
 * file with something in it. It is looked at, not read: it may belong to the script around us.
 */
export function isInputOffered(): boolean {
  const status = fstatSync(STDIN);
  return status.isFIFO() || (status.isFile() && status.size > 0);
}
