import { integerOption, invalidArgument, optionsObject } from '../config/validate.js';
import { loadNative } from '../native/loader.js';
import { callNative } from '../native/unwrap.js';

/** Highest character budget of `truncateOutput` and `boundOutput`, in Unicode characters. */
export const MAX_OUTPUT_CHARS = 1_000_000_000;

const CHARS = { min: 0, max: MAX_OUTPUT_CHARS, unit: 'characters' } as const;

/** How much `boundOutput` keeps, in Unicode characters. */
export interface BoundOptions {
  /** Characters kept from the beginning. Range: 0 to 1,000,000,000. */
  readonly headChars: number;
  /** Characters kept from the end. Range: 0 to 1,000,000,000. */
  readonly tailChars: number;
}

/** A text that was cut to its head and tail, and what is missing between them. */
export interface BoundedText {
  /** Head, a line with the omitted counts, tail; or the text as it was. */
  readonly text: string;
  /** Whether anything was left out. */
  readonly truncated: boolean;
  /** Unicode characters left out. */
  readonly omittedChars: number;
  /** UTF-8 bytes left out. */
  readonly omittedBytes: number;
  /** Line ends left out. */
  readonly omittedLines: number;
}

/**
 * The text without terminal escape sequences. Carriage returns, backspaces and tabs stay;
 * `sanitize` resolves those too.
 *
 * @throws HandrailError `ERR_INVALID_ARGUMENT` when `text` is no string, `ERR_NATIVE_MISSING` and its
 * neighbours when the native part cannot be loaded.
 * @example
 * ```ts
 * import { stripAnsi } from 'handrail';
 *
 * console.log(stripAnsi('\u001b[31mred\u001b[0m')); // red
 * ```
 */
export function stripAnsi(text: string): string {
  assertText(text);
  return callNative(() => loadNative().binding.stripAnsi(text));
}

/**
 * What a person would read on a terminal: escape sequences gone, carriage returns and backspaces
 * applied, invalid UTF-8 as U+FFFD.
 *
 * @param bytes An output as a program wrote it.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` when `bytes` is no `Uint8Array`, `ERR_NATIVE_MISSING`
 * and its neighbours when the native part cannot be loaded.
 * @example
 * ```ts
 * import { sanitize } from 'handrail';
 *
 * console.log(sanitize(Buffer.from('10%\r100%\n'))); // 100%
 * ```
 */
export function sanitize(bytes: Uint8Array): string {
  if (!(bytes instanceof Uint8Array)) throw invalidArgument('bytes', 'a Uint8Array', bytes);
  return callNative(() => loadNative().binding.sanitize(bytes));
}

/**
 * The first `maxChars` Unicode characters, and when that cut anything the notice
 * `... (output truncated: N total chars, showing first M)`. Never cuts a character.
 *
 * @param maxChars Unicode characters kept, not counting the notice. Range: 0 to 1,000,000,000.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong type or a number out of range,
 * `ERR_NATIVE_MISSING` and its neighbours when the native part cannot be loaded.
 * @example
 * ```ts
 * import { truncateOutput } from 'handrail';
 *
 * console.log(truncateOutput('short', 100)); // short
 * ```
 */
export function truncateOutput(text: string, maxChars: number): string {
  assertText(text);
  const maximum = requiredChars(maxChars, 'maxChars');
  return callNative(() => loadNative().binding.truncateOutput(text, maximum));
}

/**
 * Head and tail of a text with the exact omitted counts in a line between them, on line borders
 * where one is near.
 *
 * @param options Both are needed; see `BoundOptions`.
 * @returns The text, and the exact counts of what is missing in it.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong type, an unknown option or a number out
 * of range, `ERR_NATIVE_MISSING` and its neighbours when the native part cannot be loaded.
 * @example
 * ```ts
 * import { boundOutput } from 'handrail';
 *
 * const bounded = boundOutput('line\n'.repeat(1000), { headChars: 30, tailChars: 70 });
 * console.log(bounded.truncated, bounded.omittedChars > 0); // true true
 * ```
 */
export function boundOutput(text: string, options: BoundOptions): BoundedText {
  assertText(text);
  const given = optionsObject(options, 'options', ['headChars', 'tailChars']);
  const head = requiredChars(given['headChars'], 'headChars');
  const tail = requiredChars(given['tailChars'], 'tailChars');
  const bounded = callNative(() => loadNative().binding.boundOutput(text, head, tail));
  return {
    text: bounded.text,
    truncated: bounded.truncated,
    omittedChars: bounded.omittedChars,
    omittedBytes: bounded.omittedBytes,
    omittedLines: bounded.omittedLines,
  };
}

function assertText(text: unknown): asserts text is string {
  if (typeof text !== 'string') throw invalidArgument('text', 'a string', text);
}

function requiredChars(value: unknown, name: string): number {
  if (value === undefined) throw invalidArgument(name, 'a whole number of characters', value);
  return integerOption(value, name, CHARS, 0);
}
