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
