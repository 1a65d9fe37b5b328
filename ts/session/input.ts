import { invalidArgument } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import { MAX_SESSION_INPUT_BYTES } from './limits.js';

/** Checks what is sent. */
export function textOf(input: unknown): string {
  if (typeof input !== 'string') throw invalidArgument('input', 'a string', input);
  return input;
}

/** The bytes of an input, of which there are not too many. */
export function inputBytes(input: string): Buffer {
  const bytes = Buffer.from(input);
  if (bytes.length <= MAX_SESSION_INPUT_BYTES) return bytes;
  throw new HandrailError(
    'ERR_INVALID_ARGUMENT',
    `Expected \`input\` to have at most ${MAX_SESSION_INPUT_BYTES} bytes, got ${bytes.length}`,
    { data: { name: 'input' } },
  );
}

/** The error about input that was not written. */
export function unwritten(reason = 'the lists do not let it be sent'): HandrailError {
  return new HandrailError('ERR_INVALID_ARGUMENT', `Nothing was written: ${reason}`, { data: { name: 'input' } });
}

/**
 * How many of the next lines `read` may take in place of a judged shell. The judge lets a `read` take a line only where its
 * name is written out, at the end of what is typed. One line is taken whole or not at all; the first of several lines could
 * be taken, and the others be run.
 */
export class ExpectedReads {
  #count = 0;

  /** @throws HandrailError `ERR_INVALID_ARGUMENT` for several lines of which the first may be taken. */
  assertGoesTogether(input: string): void {
    if (this.#count === 0 || !input.trimEnd().includes('\n')) return;
    throw new HandrailError(
      'ERR_INVALID_ARGUMENT',
      'Nothing was sent: `read` may take the first of these lines, and the shell would run the others alone. Send one line ' +
        'first, such as `:`',
      { data: { name: 'input' } },
    );
  }

  /** Notes what was sent: an earlier `read` may have taken it, and each one in it may take a line. */
  sent(input: string): void {
    const reads = input.replaceAll('\\\n', '').split('read').length - 1;
    this.#count = Math.max(0, this.#count - 1) + reads;
  }
}
