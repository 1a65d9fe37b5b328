import { loadNative } from '../native/loader.js';
import { callNative } from '../native/unwrap.js';

/** A text within a character budget. */
export interface BoundedChars {
  /** At most the budget, the line with the omitted counts included. */
  readonly text: string;
  /** Whether anything was left out. */
  readonly truncated: boolean;
}

/** Of what is kept, the part that comes from the beginning; ends of outputs say more. */
const HEAD_SHARE = 0.3;

/** Below this budget a line with counts would be most of the text: the head alone is kept. */
export const MIN_HEAD_AND_TAIL_CHARS = 80;

/** First guess of what the line with the counts takes; corrected when it takes more. */
const NOTICE_CHARS = 64;

/** Corrections of that guess. Each makes the text shorter, two are enough. */
const MAX_CORRECTIONS = 4;

/**
 * Head and tail of `text` within `maxChars` Unicode characters; undefined means no bound.
 */
export function boundToChars(text: string, maxChars: number | undefined): BoundedChars {
  if (maxChars === undefined || text.length <= maxChars || countChars(text) <= maxChars) {
    return { text, truncated: false };
  }
  if (maxChars >= MIN_HEAD_AND_TAIL_CHARS) {
    let kept = maxChars - NOTICE_CHARS;
    for (let attempt = 0; attempt < MAX_CORRECTIONS && kept > 0; attempt += 1) {
      const head = Math.floor(kept * HEAD_SHARE);
      const bounded = callNative(() => loadNative().binding.boundOutput(text, head, kept - head));
      const excess = countChars(bounded.text) - maxChars;
      if (excess <= 0) return { text: bounded.text, truncated: true };
      kept -= excess;
    }
  }
  return { text: firstChars(text, maxChars), truncated: true };
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
