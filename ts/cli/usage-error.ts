import type { HandrailErrorCode } from '../errors.js';

/** A mistake on the command line, in one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The code that the library has for the same mistake. */
  readonly code: HandrailErrorCode;

  constructor(message: string, code: HandrailErrorCode = 'ERR_INVALID_ARGUMENT') {
    super(message);
    this.code = code;
  }
}
