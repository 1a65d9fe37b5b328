import { HandrailError, type HandrailErrorCode, isHandrailError } from '../errors.js';

/** Codes the binding throws with messages made for the caller. */
const NATIVE_CODES: ReadonlySet<string> = new Set<HandrailErrorCode>([
  'ERR_INVALID_ARGUMENT',
  'ERR_INVALID_PATTERN',
  'ERR_INVALID_RULE_FILE',
  'ERR_SUPERVISOR',
  'ERR_SYSTEM',
  'ERR_CLOSED',
  'ERR_NOT_SUPPORTED',
  'ERR_GUARANTEE_UNAVAILABLE',
  'ERR_BUSY',
]);

/**
 * Calls into the binding. The one place where an error of the binding becomes a `HandrailError`:
 * outside this folder no other error of it can be seen.
 */
export function callNative<Value>(operation: () => Value): Value {
  try {
    return operation();
  } catch (error) {
    throw fromNativeError(error);
  }
}

/** The `HandrailError` for whatever the binding threw. Anything unforeseen is `ERR_INTERNAL`. */
export function fromNativeError(error: unknown): HandrailError {
  if (isHandrailError(error)) return error;
  if (error instanceof Error) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && NATIVE_CODES.has(code)) {
      return new HandrailError(code as HandrailErrorCode, error.message, { cause: error });
    }
  }
  // The original message may hold the argument it could not convert: it stays in `cause` only.
  return new HandrailError(
    'ERR_INTERNAL',
    'The native part of handrail failed in an unforeseen way; this is a bug in handrail',
    { cause: error },
  );
}
