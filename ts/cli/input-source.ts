import { constants, createReadStream, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
import { HandrailError } from '../errors.js';
import { shownPath } from './shown-path.js';

/** An input that is read to its end. */
export interface InputSource {
  readonly stream: Readable;
  /** Its name in messages. */
  readonly name: string;
  /** Whether it is a terminal, on which a person types. */
  readonly isTerminal: boolean;
  /** Size of a file in bytes; undefined where the size is not known. */
  readonly size?: number;
}

/** Explanations of system errors for somebody who wants to read a file. */
const ERROR_EXPLANATIONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
};

/** How many bytes of a file are read at once. */
const READ_BYTES = 256 * 1_024;

/** Largest text that is read into memory as a whole, in bytes. */
export const MAX_WHOLE_BYTES = 256 * 2 ** 20;

const STDIN = 0;
const STDOUT = 1;

/**
 * Opens `file`, or the standard input when it is undefined or `-`.
 *
 * @param mask Masks secrets in the name: a secret may have been given in place of a file.
 * @throws HandrailError `ERR_SYSTEM` when the file cannot be read, or is the file that the output goes to.
 */
export function openSource(file: string | undefined, mask: (text: string) => string): InputSource {
  const isStandard = file === undefined || file === '-';
  const name = isStandard ? 'the standard input' : shownPath(file, mask);
  try {
    if (isStandard) {
      assertInput(fstatSync(STDIN), name);
      return { name, stream: process.stdin, isTerminal: process.stdin.isTTY === true };
    }
    // Opening a named pipe that nobody writes to must not block a thread, which no signal could end.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    return { name, ...openedSource(descriptor, name) };
  } catch (error) {
    throw unreadable(name, error);
  }
}

/**
 * The whole content of `file`, or of the standard input for `-`. Undefined when `stop` has fired.
 *
 * @throws HandrailError `ERR_SYSTEM` when it cannot be read, or is larger than `MAX_WHOLE_BYTES`.
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

/** The whole content of an open regular file. */
export function readDescriptor(descriptor: number, name: string): Buffer {
  const chunks: Buffer[] = [];
  for (let bytes = 0; ; ) {
    const chunk = Buffer.alloc(READ_BYTES);
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
  const reason = Object.hasOwn(ERROR_EXPLANATIONS, code) ? ERROR_EXPLANATIONS[code] : code;
  return new HandrailError('ERR_SYSTEM', `${name} cannot be read: ${reason}`, { cause: error });
}

function openedSource(descriptor: number, name: string): Pick<InputSource, 'stream' | 'isTerminal' | 'size'> {
  const status = fstatSync(descriptor);
  assertInput(status, name);
  if (isatty(descriptor)) return { stream: new ReadStream(descriptor), isTerminal: true };
  if (status.isFIFO()) {
    return { stream: new Socket({ fd: descriptor, readable: true, writable: false }), isTerminal: false };
  }
  const stream = createReadStream('', { fd: descriptor, highWaterMark: READ_BYTES });
  return { stream, isTerminal: false, ...(status.isFile() ? { size: status.size } : {}) };
}

/** Refuses a directory, which Node reads as empty, and the output file, whose end would never come. */
function assertInput(status: Stats, name: string): void {
  if (status.isDirectory()) throw Object.assign(new Error('a directory'), { code: 'EISDIR' });
  const output = fstatSync(STDOUT);
  if (status.isFile() && output.dev === status.dev && output.ino === status.ino) {
    throw new HandrailError('ERR_SYSTEM', `${name} is where the output goes as well: it would be read without end`);
  }
}
