import { isHandrailError } from '../errors.js';

/**
 * What a model reads when a tool could not answer. Our own messages hold no secret; nothing is
 * known about those of others, so these are not repeated.
 */
export function toolErrorText(error: unknown): string {
  if (isHandrailError(error)) return `error: ${error.message} (${error.code})`;
  if (isInvalidInput(error)) return 'invalid arguments: they are not valid JSON';
  return 'error: the tool failed';
}

/** The runner's error for arguments that do not parse; recognised by name, so that no class has to be shared. */
function isInvalidInput(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidToolInputError';
}
