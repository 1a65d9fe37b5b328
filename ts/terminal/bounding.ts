import { textBinding } from '../native/text-binding.js';
import { callNative } from '../native/unwrap.js';

/** A text within a character budget. */
export interface BoundedChars {
  /** At most the budget, the line with the omitted counts included. */
  readonly text: string;
  /** Whether anything was left out. */
  readonly truncated: boolean;
}

/** What a text lacks already: its middle was left out when it was captured. */
export interface EarlierCut {
  /** Bytes of the text that are output; the rest is the line with the counts. */
  readonly keptBytes: number;
  /** Bytes of output that are not in the text. */
  readonly omittedBytes: number;
  /** Line ends among those. */
  readonly omittedLines: number;
}

/** Of what is kept, the part that comes from the beginning; ends of outputs say more. */
const HEAD_SHARE = 0.3;

/** Below this budget a line with counts would be most of the text: the head alone is kept. */
export const MIN_HEAD_AND_TAIL_CHARS = 80;

/** First guess of what the line with the counts takes; corrected when it takes more. */
const NOTICE_CHARS = 64;

/** Corrections of that guess. Each makes the text shorter by what was too much; two are enough. */
const MAX_CORRECTIONS = 4;

/**
 * Head and tail of `text` within `maxChars` Unicode characters; undefined means no bound.
 *
 * @param earlier When the text was cut before, and that cut falls into what is left out now, the
 * line says what is missing of the whole output.
 */
export function boundToChars(text: string, maxChars: number | undefined, earlier?: EarlierCut): BoundedChars {
  if (maxChars === undefined || text.length <= maxChars || countChars(text) <= maxChars) {
    return { text, truncated: false };
  }
  if (maxChars >= MIN_HEAD_AND_TAIL_CHARS) {
    let kept = maxChars - NOTICE_CHARS;
    for (let attempt = 0; attempt < MAX_CORRECTIONS && kept > 0; attempt += 1) {
      const bounded = headAndTail(text, kept, earlier);
      const excess = countChars(bounded) - maxChars;
      if (excess <= 0) return { text: bounded, truncated: true };
      kept -= excess;
    }
  }
  return { text: firstChars(text, maxChars), truncated: true };
}

function headAndTail(text: string, keptChars: number, earlier: EarlierCut | undefined): string {
  const head = Math.floor(keptChars * HEAD_SHARE);
  const bounds = { unit: 'chars', head, tail: keptChars - head } as const;
  const bounded = callNative(() => textBinding().boundOutput(text, bounds));
  if (earlier === undefined) return bounded.text;

  const earlierNotice = omittedNotice(earlier.omittedBytes, 'bytes', earlier.omittedLines);
  if (!text.includes(earlierNotice) || bounded.text.includes(earlierNotice)) return bounded.text;
  const notice = omittedNotice(bounded.omittedChars, 'characters', bounded.omittedLines);
  // The earlier line, and the line end that was put before it where the head had none, are no output.
  const added = Buffer.byteLength(text) - earlier.keptBytes;
  const addedLines = 1 + (added - earlierNotice.length);
  const whole = omittedNotice(
    bounded.omittedBytes - added + earlier.omittedBytes,
    'bytes',
    bounded.omittedLines - addedLines + earlier.omittedLines,
  );
  return bounded.text.replace(notice, () => whole);
}

/** The line the text core writes where something was left out. */
function omittedNotice(count: number, unit: 'bytes' | 'characters', lines: number): string {
  return `[... ${count} ${unit}, ${lines} lines omitted ...]\n`;
}

/** Unicode characters of `text`; a lone surrogate counts as one. */
export function countChars(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The first `maximum` Unicode characters of `text`. */
export function firstChars(text: string, maximum: number): string {
  let units = 0;
  let count = 0;
  for (const character of text) {
    if (count === maximum) break;
    units += character.length;
    count += 1;
  }
  return text.slice(0, units);
}
