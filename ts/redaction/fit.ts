import { jsonOf, read } from '../native/json.js';
import { textBinding } from '../native/text-binding.js';
import { callNative } from '../native/unwrap.js';

/** What a text lacks, and where it says so. */
export interface TextCut {
  /** What the line in the text counts first: bytes, or Unicode characters. */
  readonly unit: 'bytes' | 'chars' | 'lines';
  /** UTF-8 bytes left out. */
  readonly bytes: number;
  /** Unicode characters left out. */
  readonly chars: number;
  /** Line ends left out. */
  readonly lines: number;
  /** Where the line that says so stands in the text, from and to; empty, at the end, when there was no room for one. */
  readonly notice: readonly [start: number, end: number];
}

/** A text within what its reader takes. */
export interface Fitted {
  /** At most the budget, the line with the omitted counts included. */
  readonly text: string;
  /** What it lacks; absent when nothing was left out. */
  readonly cut?: TextCut;
  /** How many masks are in it. */
  readonly masks: number;
}

/**
 * Head and tail of `text` within `maxChars` Unicode characters; the head alone where that is less than 80.
 *
 * @param cut What the text lacks already. It then gets one line, which counts what is missing of the whole.
 */
export function fitWithin(text: string, maxChars: number, cut?: TextCut): Fitted {
  const reading = { text, maxChars: Math.max(0, maxChars), ...(cut === undefined ? {} : { cut }) };
  return { text, ...read(callNative(() => textBinding().fitOutput(jsonOf(reading)))) };
}

/** The text of that, of a text that lacks nothing. */
export function fitText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : fitWithin(text, maxChars).text;
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
