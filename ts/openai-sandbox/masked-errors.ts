import type { Redactor } from '../redaction/redactor.js';

type Method = (...args: unknown[]) => unknown;

/** What masks texts. */
type Masking = Pick<Redactor, 'redact'>;

/**
 * Masks every error that leaves a method of a class: those of the SDK repeat paths and names as they were given.
 *
 * @param prototype The prototype of the class.
 * @param redactorOf Gives the redactor of an instance.
 */
export function maskErrorsOf<Instance extends object>(
  prototype: Instance,
  redactorOf: (instance: Instance) => Masking,
): void {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const method = property.value as unknown;
    if (name === 'constructor' || typeof method !== 'function') continue;
    const value = function (this: Instance, ...args: unknown[]): unknown {
      const rethrow = (error: unknown): never => {
        throw masked(error, redactorOf(this));
      };
      try {
        const result = (method as Method).apply(this, args);
        return result instanceof Promise ? result.catch(rethrow) : result;
      } catch (error) {
        return rethrow(error);
      }
    };
    Object.defineProperty(prototype, name, { ...property, value });
  }
}

/** The same error, because the SDK asks for its class and code, with masked texts and without its cause. */
export function masked(error: unknown, redactor: Masking): unknown {
  if (!(error instanceof Error)) return error;
  const found = error as Error & { details?: unknown };
  found.message = redactor.redact(found.message);
  found.stack = redactor.redact(found.stack ?? '');
  // Those of the system have paths.
  for (const [name, value] of Object.entries(found)) {
    if (typeof value === 'string') Object.assign(found, { [name]: redactor.redact(value) });
  }
  const maskText = (_: string, value: unknown) => (typeof value === 'string' ? redactor.redact(value) : value);
  if (found.details !== undefined) found.details = JSON.parse(JSON.stringify(found.details), maskText);
  if (found.cause !== undefined) delete found.cause;
  return found;
}
