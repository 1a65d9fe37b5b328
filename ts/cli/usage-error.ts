import type { HandrailErrorCode } from '../errors.js';

/** A mistake on the command line, in one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** For programs; the same as the library's for the same mistake. */
  readonly code: HandrailErrorCode;

  constructor(message: string, code: HandrailErrorCode = 'ERR_INVALID_ARGUMENT') {
    super(message);
    this.code = code;
  }
}
