import { HandrailError, type HandrailErrorData } from '../errors.js';
import { firstChars } from '../redaction/fit.js';
import { TextRedactor } from '../redaction/text-redactor.js';

/** Longest message about options, in characters: names and paths in it may be of any length. */
export const MAX_ERROR_CHARS = 1_000;

/**
 * Returns the result of `check`, and masks secrets in an error that it throws: the error names a key, a variable or a
 * folder, which may hold a secret that the redactor knows.
 */
export function withMaskedErrors<Value>(redactor: TextRedactor | undefined, check: () => Value): Value {
  try {
    return check();
  } catch (error) {
    throw error instanceof HandrailError && redactor !== undefined ? maskedError(error, redactor) : error;
  }
}

/** The error with masked texts, or the very error where nothing was masked. */
function maskedError(error: HandrailError, redactor: TextRedactor): HandrailError {
  const message = firstChars(redactor.redact(error.message), MAX_ERROR_CHARS);
  const data = error.data === undefined ? undefined : maskedData(error.data, redactor);
  if (message === error.message && JSON.stringify(data) === JSON.stringify(error.data)) return error;
  return new HandrailError(error.code, message, {
    ...(data === undefined ? {} : { data }),
  });
}

function maskedData(data: HandrailErrorData, redactor: TextRedactor): HandrailErrorData {
  const maskText = (text: string): string => firstChars(redactor.redact(text), MAX_ERROR_CHARS);
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      if (typeof value === 'string') return [name, maskText(value)];
      return [name, Array.isArray(value) ? value.map(maskText) : value];
    }),
  );
}

/** The redactor among options that were not checked yet. */
export function givenRedactor(options: unknown): TextRedactor | undefined {
  const redactor = typeof options === 'object' && options !== null && 'redactor' in options && options.redactor;
  return TextRedactor.isRedactor(redactor) ? redactor : undefined;
}
