import { constants, createReadStream, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { HandrailError } from '../errors.js';
import { shownPath } from './shown-path.js';

/** Something to read to its end. */
export interface InputSource {
  readonly stream: Readable;
  /** As it stands in messages. */
  readonly name: string;
  /** Whether a person types it. */
  readonly isTerminal: boolean;
  /** Bytes of a file; undefined where nobody knows how many will come. */
  readonly size?: number;
}

/** What a system error means for somebody who wants to read. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
};

/** Bytes of a file that are read at once. */
const PIECE_BYTES = 256 * 1_024;

/** Most bytes of a text that has to be held whole. */
export const MAX_WHOLE_BYTES = 256 * 2 ** 20;

const STDIN = 0;
const STDOUT = 1;

/**
 * Opens `file`, or the standard input when it is undefined or `-`.
 *
 * @param mask Masks secrets in a name: one may stand where a file was meant.
 * @throws HandrailError `ERR_SYSTEM` when it cannot be read, or is what the output goes to.
 */
export function openSource(file: string | undefined, mask: (text: string) => string): InputSource {
  const isStandard = file === undefined || file === '-';
  const name = isStandard ? 'the standard input' : shownPath(file, mask);
  try {
    if (isStandard) {
      assertInput(fstatSync(STDIN), name);
      return { name, stream: process.stdin, isTerminal: process.stdin.isTTY === true };
    }
    // A named pipe that nobody writes to yet must not hold a thread: it could not be ended by a signal.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    return { name, ...opened(descriptor, name) };
  } catch (error) {
    throw unreadable(name, error);
  }
}

/**
 * Everything `file` holds, or the standard input for `-`. Undefined when `stop` has fired.
 *
 * @throws HandrailError `ERR_SYSTEM` when it cannot be read, or is more than can be held.
 */
export async function readAll(
  file: string,
  mask: (text: string) => string,
  stop: AbortSignal,
): Promise<Uint8Array | undefined> {
  const { name, stream } = openSource(file, mask);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of addAbortSignal(stop, stream) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > MAX_WHOLE_BYTES) throw tooLarge(name);
      chunks.push(chunk);
    }
  } catch (error) {
    if (stop.aborted) return undefined;
    throw unreadable(name, error);
  }
  return Buffer.concat(chunks, bytes);
}

/** The same of a regular file that is open. */
export function readDescriptor(descriptor: number, name: string): Buffer {
  const chunks: Buffer[] = [];
  for (let bytes = 0; ; ) {
    const chunk = Buffer.alloc(PIECE_BYTES);
    const count = readSync(descriptor, chunk);
    if (count === 0) return Buffer.concat(chunks, bytes);
    bytes += count;
    if (bytes > MAX_WHOLE_BYTES) throw tooLarge(name);
    chunks.push(chunk.subarray(0, count));
  }
}

function tooLarge(name: string): HandrailError {
  return new HandrailError('ERR_SYSTEM', `${name} has more than ${MAX_WHOLE_BYTES} bytes, the most that is read whole`);
}

/** The error for a source that could not be opened or read. */
export function unreadable(name: string, error: unknown): HandrailError {
  if (error instanceof HandrailError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason is known';
  const reason = Object.hasOwn(REASONS, code) ? REASONS[code] : code;
  return new HandrailError('ERR_SYSTEM', `${name} cannot be read: ${reason}`, { cause: error });
}

function opened(descriptor: number, name: string): Pick<InputSource, 'stream' | 'isTerminal' | 'size'> {
  const status = fstatSync(descriptor);
  assertInput(status, name);
  if (isatty(descriptor)) return { stream: new ReadStream(descriptor), isTerminal: true };
  if (status.isFIFO()) {
    return { stream: new Socket({ fd: descriptor, readable: true, writable: false }), isTerminal: false };
  }
  const stream = createReadStream('', { fd: descriptor, highWaterMark: PIECE_BYTES });
  return { stream, isTerminal: false, ...(status.isFile() ? { size: status.size } : {}) };
}

/** What Node takes for an empty input, or would never come to the end of. */
function assertInput(status: Stats, name: string): void {
  if (status.isDirectory()) throw Object.assign(new Error('a directory'), { code: 'EISDIR' });
  const output = fstatSync(STDOUT);
  if (status.isFile() && output.dev === status.dev && output.ino === status.ino) {
    throw new HandrailError('ERR_SYSTEM', `${name} is where the output goes as well: it would be read without end`);
  }
}
