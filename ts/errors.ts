/**
 * Every code a `HandrailError` can carry. Codes are stable; messages are not.
 *
 * | code | thrown when | `data` |
 * | --- | --- | --- |
 * | `ERR_INVALID_ARGUMENT` | an argument or option has the wrong type, is out of range or is unknown | `name` when one
 * option is at fault |
 * | `ERR_INVALID_PATTERN` | a redaction pattern does not compile; the message says which and where | none |
 * | `ERR_INVALID_RULE_FILE` | a rule file cannot be read or used; the message says which, where and in which rule |
 * none |
 * | `ERR_INVALID_CONFIG` | an environment variable or a settings file holds something that cannot be used | `variable`,
 * of a variable |
 * | `ERR_NATIVE_MISSING` | the native binding or the supervisor executable is not where it belongs, or cannot be loaded
 * or executed | `looked` (paths); `package` and `platform` when a package is missing |
 * | `ERR_NATIVE_VERSION` | the native binding is of another release than this package | `expected`, `found` |
 * | `ERR_SUPERVISOR` | the supervisor could not be started, or ended while it was needed | none |
 * | `ERR_SYSTEM` | the system refused what the engine needs: descriptors, a thread, a temporary folder | none |
 * | `ERR_CLOSED` | the object was used after `close()`; the question that `sendSecret()` answers is over | none |
 * | `ERR_NOT_SUPPORTED` | the platform, or an option's value, is known but not available yet | `name` or `platform` |
 * | `ERR_GUARANTEE_UNAVAILABLE` | `require` names a guarantee that this machine cannot enforce, or it has no layer for a
 * transaction | `guarantee`, of `require` |
 * | `ERR_BUSY` | a stated limit on things going on at once was reached | `limit` |
 * | `ERR_UNKNOWN_TOOL` | a toolkit was asked for a tool it does not publish | `name` of the option |
 * | `ERR_DUPLICATE_TOOL` | two tools of a toolkit would have one name | `name` of the option |
 * | `ERR_TOOL` | a call of `FilesystemTool` or `TerminalTool` was refused or failed | `reason`: the code or rule of a
 * refusal; `stdout` and `stderr` of a late command |
 * | `ERR_NO_PROJECT` | `project: 'auto'` found no file that shows what kind of project there is | `name` of the option |
 * | `ERR_PEER_MISSING` | a package that only this needs is not installed; the message has the command to install it |
 * `package`, `command` |
 * | `ERR_BUS` | a bus cannot be reached, has refused, or does not know where to read on | `reason`, see `Bus`; `oldest`
 * for a lost cursor, `id` of a message whose fate is unknown, `limit` of a sender, `retryAfterMs` of its rate |
 * | `ERR_INTERNAL` | a bug in Handrail, not in the caller | none |
 */
export type HandrailErrorCode =
  | 'ERR_INVALID_ARGUMENT'
  | 'ERR_INVALID_PATTERN'
  | 'ERR_INVALID_RULE_FILE'
  | 'ERR_INVALID_CONFIG'
  | 'ERR_NATIVE_MISSING'
  | 'ERR_NATIVE_VERSION'
  | 'ERR_SUPERVISOR'
  | 'ERR_SYSTEM'
  | 'ERR_CLOSED'
  | 'ERR_NOT_SUPPORTED'
  | 'ERR_GUARANTEE_UNAVAILABLE'
  | 'ERR_BUSY'
  | 'ERR_UNKNOWN_TOOL'
  | 'ERR_DUPLICATE_TOOL'
  | 'ERR_TOOL'
  | 'ERR_NO_PROJECT'
  | 'ERR_PEER_MISSING'
  | 'ERR_BUS'
  | 'ERR_INTERNAL';

/** Facts about an error for programs. They hold no secret, and no text that was refused. */
export type HandrailErrorData = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** The options of a `HandrailError` beside its code and message. */
export interface HandrailErrorOptions {
  /** Facts for programs. The table at `HandrailErrorCode` says which codes have them. */
  readonly data?: HandrailErrorData | undefined;
  /** The error that led to this one. */
  readonly cause?: unknown | undefined;
}

/** A symbol of the global registry, so that two copies of this package in one process recognise each other's errors. */
const ERROR_BRAND: unique symbol = Symbol.for('handrail.error');

/**
 * The one error class of Handrail. It reports a mistake of the caller or of the installation. The outcome of a command
 * (exit code, timeout, denial) is a result instead.
 *
 * A message never holds a secret: it shows the type of a refused value, and the value itself only for numbers, booleans
 * and names of an enumeration.
 *
 * @example
 * ```ts
 * import { HandrailError, Redactor } from 'handrail';
 *
 * try {
 *   new Redactor({ patterns: ['('] });
 * } catch (error) {
 *   if (error instanceof HandrailError) console.log(error.code); // 'ERR_INVALID_PATTERN'
 * }
 * ```
 */
export class HandrailError extends Error {
  /** The stable code, see `HandrailErrorCode`. */
  readonly code: HandrailErrorCode;
  /** Facts for programs. Undefined for codes that carry none. */
  readonly data: HandrailErrorData | undefined;

  /**
   * Creates an error. It accepts any arguments, because an exception here would hide the actual error.
   *
   * @param code The stable code.
   * @param message The message for people, free of secrets.
   * @param options `data` and `cause`.
   */
  constructor(code: HandrailErrorCode, message: string, options?: HandrailErrorOptions) {
    super(String(message), options?.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options?.data === undefined ? undefined : Object.freeze({ ...options.data });
  }
}

Object.defineProperty(HandrailError.prototype, 'name', {
  value: 'HandrailError',
  configurable: true,
  writable: true,
});
Object.defineProperty(HandrailError.prototype, ERROR_BRAND, { value: true });

/**
 * Whether `value` is a `HandrailError`. This is also true for one of another copy of this package, for which
 * `instanceof` is false.
 *
 * @example
 * ```ts
 * import { isHandrailError, Terminal } from 'handrail';
 *
 * try {
 *   new Terminal({ timeoutMs: 0 });
 * } catch (error) {
 *   if (isHandrailError(error)) console.log(error.code); // 'ERR_INVALID_ARGUMENT'
 * }
 * ```
 */
export function isHandrailError(value: unknown): value is HandrailError {
  return value instanceof Error && (value as { [ERROR_BRAND]?: unknown })[ERROR_BRAND] === true;
}

/**
 * Whether `error` says that there are no native files for this machine, or none that it can load. Redacting and judging
 * then use the WASM module.
 *
 * @internal
 */
export function isWithoutNative(error: unknown): error is HandrailError {
  return isHandrailError(error) && (error.code === 'ERR_NATIVE_MISSING' || error.code === 'ERR_NOT_SUPPORTED');
}
