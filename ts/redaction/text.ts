import { checkedOptions, integer, integerOption, invalidArgument, optionsObject } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import type { NativeTextBounds } from '../native/binding.js';
import { jsonOf, read } from '../native/json.js';
import { textBinding } from '../native/text-binding.js';
import { callNative } from '../native/unwrap.js';

/** Largest budget of `truncateOutput` and `boundOutput`, in Unicode characters, bytes or lines. */
export const MAX_OUTPUT_CHARS = 1_000_000_000;

/** Largest budget of an excerpt, in tokens. */
export const MAX_EXCERPT_TOKENS = 100_000;

/** Default budget of an excerpt, in tokens. */
const DEFAULT_EXCERPT_TOKENS = 4_000;

/** Largest `maxLineChars` of `boundOutput`, in Unicode characters. */
const MAX_LINE_CHARS = 1_000_000;

const TOKENS_RANGE = { min: 1, max: MAX_EXCERPT_TOKENS, unit: 'tokens' } as const;
const CHARS_RANGE = { min: 0, max: MAX_OUTPUT_CHARS, unit: 'characters' } as const;

/** The share of a budget for the beginning of a text, unless the caller divides it. The end of an output says more. */
const HEAD_SHARE = 0.3;

/** The options for a budget in each unit: as a whole, or as head and tail. */
const BUDGETS = [
  { unit: 'chars', whole: 'maxChars', head: 'headChars', tail: 'tailChars', range: CHARS_RANGE },
  {
    unit: 'bytes',
    whole: 'maxBytes',
    head: 'headBytes',
    tail: 'tailBytes',
    range: { min: 0, max: MAX_OUTPUT_CHARS, unit: 'bytes' },
  },
  {
    unit: 'lines',
    whole: 'maxLines',
    head: 'headLines',
    tail: 'tailLines',
    range: { min: 0, max: MAX_OUTPUT_CHARS, unit: 'lines' },
  },
] as const;

const BUDGET_NAMES = BUDGETS.flatMap(({ whole, head, tail }) => [whole, head, tail]);

/**
 * How much `boundOutput` keeps. Give one budget in one unit: `maxChars`, `maxBytes` or `maxLines`, of which 30 % are
 * kept from the beginning and 70 % from the end, or a head and a tail. Lines with counts are not part of the budget.
 */
export interface BoundOptions {
  /** Unicode characters kept. Range: 0 to 1,000,000,000. */
  readonly maxChars?: number | undefined;
  /** Unicode characters kept from the beginning, with `tailChars`. Range: 0 to 1,000,000,000. */
  readonly headChars?: number | undefined;
  /** Unicode characters kept from the end, with `headChars`. Range: 0 to 1,000,000,000. */
  readonly tailChars?: number | undefined;
  /** UTF-8 bytes kept. Range: 0 to 1,000,000,000. */
  readonly maxBytes?: number | undefined;
  /** UTF-8 bytes kept from the beginning, with `tailBytes`. Range: 0 to 1,000,000,000. */
  readonly headBytes?: number | undefined;
  /** UTF-8 bytes kept from the end, with `headBytes`. Range: 0 to 1,000,000,000. */
  readonly tailBytes?: number | undefined;
  /** Lines kept. Range: 0 to 1,000,000,000. */
  readonly maxLines?: number | undefined;
  /** Lines kept from the beginning, with `tailLines`. Range: 0 to 1,000,000,000. */
  readonly headLines?: number | undefined;
  /** Lines kept from the end, with `headLines`. Range: 0 to 1,000,000,000. */
  readonly tailLines?: number | undefined;
  /**
   * Unicode characters kept of a line, half of them from its end. The middle of a longer line is left out even when the
   * text fits the budget. Default: 2,000 when the budget is in lines, else no limit. Range: 1 to 1,000,000.
   */
  readonly maxLineChars?: number | undefined;
}

/** The most telling lines of a text or an output. */
export interface Excerpt {
  /**
   * The chosen lines in their order; for a run those of both outputs as they were read. Long lines are shortened. A
   * line such as `[12 lines]` stands for lines that are left out, `[12 lines like this]` or `[12 lines like these]` for
   * lines of the same shape as those above.
   */
  readonly text: string;
  /** Number of lines of the whole text. */
  readonly totalLines: number;
  /** Number of these lines that the excerpt shows, whole or shortened. */
  readonly shownLines: number;
}

/** A text that was cut to its head and tail, with counts of the part between them. */
export interface BoundedText {
  /** Head, a line with the omitted counts, and tail; or the unchanged text. Shortened lines say what they lack. */
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
  return callNative(() => textBinding().stripAnsi(text));
}

/**
 * The text that a person would read on a terminal: without escape sequences, with carriage returns, backspaces and
 * moves between lines applied, and with invalid UTF-8 as U+FFFD. Of a screen that a program repaints, the first frame
 * and the last one stay: after the first move to another row, or the first erasing of the screen, the program can write
 * over the last 60 rows. Of the alternate screen the last state stays.
 *
 * @param bytes The raw output of a program.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` when `bytes` is no `Uint8Array`, `ERR_NATIVE_MISSING`,
 * `ERR_NATIVE_VERSION` or `ERR_NOT_SUPPORTED` when the native part cannot be loaded.
 * @example
 * ```ts
 * import { sanitize } from 'handrail';
 *
 * console.log(sanitize(Buffer.from('10%\r100%\n'))); // 100%
 * ```
 */
export function sanitize(bytes: Uint8Array): string {
  if (!(bytes instanceof Uint8Array)) throw invalidArgument('bytes', 'a Uint8Array', bytes);
  return callNative(() => textBinding().sanitize(bytes));
}

/**
 * The first `maxChars` Unicode characters, and when that cut anything the notice
 * `... (output truncated: N total chars, showing first M)`. Never cuts a character.
 *
 * @param maxChars Unicode characters kept, not counting the notice. Range: 0 to 1,000,000,000.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong type or a number out of range,
 * `ERR_NATIVE_MISSING`, `ERR_NATIVE_VERSION` or `ERR_NOT_SUPPORTED` when the native part cannot be loaded.
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
  return callNative(() => textBinding().truncateOutput(text, maximum));
}

/**
 * Head and tail of a text with the exact omitted counts in a line between them. A text that fits its budget is
 * unchanged. Cuts are at line ends where one is near (within a tenth of the budget), and never inside a grapheme, a CR
 * LF pair or a mask such as `[REDACTED]`. Redact a text before you bound it: the redactor does not find half a secret.
 *
 * @param options One budget is needed; see `BoundOptions`.
 * @returns The text, and the exact counts of the omitted part.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong type, an unknown option, a number out of range, no budget or
 * more than one, `ERR_NATIVE_MISSING`, `ERR_NATIVE_VERSION` or `ERR_NOT_SUPPORTED` when the native part cannot be
 * loaded.
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
  const givenOptions = optionsObject(options, 'options', [...BUDGET_NAMES, 'maxLineChars']);
  const bounds = budgetOf(givenOptions);
  if (givenOptions['maxLineChars'] !== undefined) {
    const range = { min: 1, max: MAX_LINE_CHARS, unit: 'characters' };
    bounds.maxLineChars = integerOption(givenOptions['maxLineChars'], 'maxLineChars', range, MAX_LINE_CHARS);
  }
  const bounded = read(callNative(() => textBinding().boundOutput(text, jsonOf(bounds))));
  return {
    text: bounded.text,
    truncated: bounded.truncated,
    omittedChars: bounded.omittedChars,
    omittedBytes: bounded.omittedBytes,
    omittedLines: bounded.omittedLines,
  };
}

/** How much `excerptOutput` keeps. */
export interface ExcerptOptions {
  /** Budget in tokens, which are estimated to within some 15 %. Default: 4,000. Range: 1 to 100,000. */
  readonly tokens?: number | undefined;
}

/**
 * The most telling lines of a text within a budget of tokens: errors and the lines after them, rare and new lines,
 * headings, beginning and end. Lines such as `[12 lines]` stand for omitted lines. Models read the output of commands
 * in this form. A text that fits is unchanged. Redact a text before: the redactor does not find half a secret.
 *
 * @param options See `ExcerptOptions`.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong type, an unknown option or a number out of range,
 * `ERR_NATIVE_MISSING`, `ERR_NATIVE_VERSION` or `ERR_NOT_SUPPORTED` when the native part cannot be loaded.
 * @example
 * ```ts
 * import { excerptOutput } from 'handrail';
 *
 * const log = `start\n${'compiling\n'.repeat(500)}error: no such type\n${'compiling\n'.repeat(500)}end\n`;
 * const { text, totalLines } = excerptOutput(log, { tokens: 40 });
 * console.log(totalLines, text.includes('error: no such type')); // 1003 true
 * ```
 */
export function excerptOutput(text: string, options: ExcerptOptions = {}): Excerpt {
  assertText(text);
  const { tokens } = checkedOptions(options, 'options', { tokens: integer(TOKENS_RANGE, DEFAULT_EXCERPT_TOKENS) });
  const { truncated, ...excerpt } = read(callNative(() => textBinding().excerptOutput(text, tokens)));
  return truncated ? excerpt : { ...excerpt, text };
}

/** The one budget among the options. */
function budgetOf(given: Record<string, unknown>): NativeTextBounds {
  const names = BUDGET_NAMES.filter((name) => given[name] !== undefined);
  for (const { unit, whole, head, tail, range } of BUDGETS) {
    if (given[whole] !== undefined && names.length === 1) {
      const budget = integerOption(given[whole], whole, range, 0);
      const headUnits = Math.floor(budget * HEAD_SHARE);
      return { unit, head: headUnits, tail: budget - headUnits };
    }
    if (given[head] !== undefined && given[tail] !== undefined && names.length === 2) {
      return {
        unit,
        head: integerOption(given[head], head, range, 0),
        tail: integerOption(given[tail], tail, range, 0),
      };
    }
  }
  const budgets = BUDGETS.map(({ whole, head, tail }) => `\`${whole}\`, \`${head}\` with \`${tail}\``).join(', ');
  throw new HandrailError(
    'ERR_INVALID_ARGUMENT',
    `Expected \`options\` to have one budget (${budgets}), got ${names.length === 0 ? 'none' : names.join(', ')}`,
    { data: { name: 'options' } },
  );
}

function assertText(text: unknown): asserts text is string {
  if (typeof text !== 'string') throw invalidArgument('text', 'a string', text);
}

function requiredChars(value: unknown, name: string): number {
  if (value === undefined) throw invalidArgument(name, 'a whole number of characters', value);
  return integerOption(value, name, CHARS_RANGE, 0);
}
