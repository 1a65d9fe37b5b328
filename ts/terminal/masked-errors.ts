import { HandrailError, type HandrailErrorData } from '../errors.js';
import { firstChars } from '../redaction/fit.js';
import { TextRedactor } from '../redaction/text-redactor.js';

/** Characters of a message about options: names and paths in it may be of any length. */
export const MAX_ERROR_CHARS = 1_000;

/**
 * What `check` gives. An error about options names the option, which may itself hold what the
 * redactor knows to be a secret: as a key, a variable's name or a folder.
 */
export function withMaskedErrors<Value>(redactor: TextRedactor | undefined, check: () => Value): Value {
  try {
    return check();
  } catch (error) {
    throw error instanceof HandrailError && redactor !== undefined ? masked(error, redactor) : error;
  }
}

/** The same error where there is nothing to mask. */
function masked(error: HandrailError, redactor: TextRedactor): HandrailError {
  const message = firstChars(redactor.redact(error.message), MAX_ERROR_CHARS);
  const data = error.data === undefined ? undefined : maskedData(error.data, redactor);
  if (message === error.message && JSON.stringify(data) === JSON.stringify(error.data)) return error;
  return new HandrailError(error.code, message, {
    ...(data === undefined ? {} : { data }),
  });
}

function maskedData(data: HandrailErrorData, redactor: TextRedactor): HandrailErrorData {
  const shown = (text: string): string => firstChars(redactor.redact(text), MAX_ERROR_CHARS);
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      if (typeof value === 'string') return [name, shown(value)];
      return [name, Array.isArray(value) ? value.map(shown) : value];
    }),
  );
}

/** The redactor among options of which nothing else is known. */
export function givenRedactor(options: unknown): TextRedactor | undefined {
  const redactor = typeof options === 'object' && options !== null && 'redactor' in options && options.redactor;
  return TextRedactor.isRedactor(redactor) ? redactor : undefined;
}
