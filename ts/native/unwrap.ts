import { HandrailError, type HandrailErrorCode, isHandrailError } from '../errors.js';

/** The error codes of the binding whose messages are made for the caller. */
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
 * Calls the binding. This is the one place where an error of the binding becomes a `HandrailError`, so code outside this folder
 * sees no other error of it.
 */
export function callNative<Value>(operation: () => Value): Value {
  try {
    return operation();
  } catch (error) {
    throw fromNativeError(error);
  }
}

/** The `HandrailError` for an error of the binding. An error without a known code becomes `ERR_INTERNAL`. */
export function fromNativeError(error: unknown): HandrailError {
  if (isHandrailError(error)) return error;
  if (error instanceof Error) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && NATIVE_CODES.has(code)) {
      return new HandrailError(code as HandrailErrorCode, error.message, { cause: error });
    }
  }
  // The original message may quote the argument that could not be converted, so it is in `cause` only.
  return new HandrailError(
    'ERR_INTERNAL',
    'The native part of handrail failed in an unforeseen way; this is a bug in handrail',
    { cause: error },
  );
}
