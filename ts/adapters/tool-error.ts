import { isHandrailError } from '../errors.js';

/**
 * The text for a model when a tool could not answer. Messages of Handrail hold no secret. Messages of other errors may
 * hold one, and are not repeated.
 */
export function toolErrorText(error: unknown): string {
  if (isHandrailError(error)) return `error: ${error.message} (${error.code})`;
  if (isInvalidInput(error)) return 'invalid arguments: they are not valid JSON';
  return 'error: the tool failed';
}

/** Whether an error is the SDK's error for arguments that cannot be parsed. It is recognised by its name. */
function isInvalidInput(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidToolInputError';
}
