import { fstatSync } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import { MAX_STDIN_BYTES } from '../terminal/limits.js';
import { UsageError } from './usage-error.js';

const STDIN = 0;

/**
 * Everything that `input` holds. Undefined when `signal` fired before its end.
 *
 * @throws UsageError when it cannot be read, or is more than a program can be given.
 */
export async function readInput(input: Readable, signal: AbortSignal): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of addAbortSignal(signal, input) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > MAX_STDIN_BYTES) break;
      chunks.push(chunk);
    }
  } catch (error) {
    if (signal.aborted) return undefined;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason is known';
    throw new UsageError(`the standard input cannot be read (${code})`);
  }
  if (bytes > MAX_STDIN_BYTES) {
    throw new UsageError(`the standard input has more than ${MAX_STDIN_BYTES} bytes, the most a program can be given`);
  }
  return Buffer.concat(chunks);
}

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
