import { jsonOf, read } from '../native/json.js';
import { textBinding } from '../native/text-binding.js';
import { callNative } from '../native/unwrap.js';

/** What was cut out of a text, and where the text says so. */
export interface TextCut {
  /** The unit that the notice in the text counts first. */
  readonly unit: 'bytes' | 'chars' | 'lines';
  /** UTF-8 bytes left out. */
  readonly bytes: number;
  /** Unicode characters left out. */
  readonly chars: number;
  /** Line ends left out. */
  readonly lines: number;
  /** Start and end of the notice in the text. An empty range at the end of the text when there was no room for a notice. */
  readonly notice: readonly [start: number, end: number];
}

/** A text that was fitted into a budget. */
export interface Fitted {
  /** The text, within the budget including the line with the omitted counts. */
  readonly text: string;
  /** What was cut; absent when nothing was. */
  readonly cut?: TextCut;
  /** How many masks the text has. */
  readonly masks: number;
}

/**
 * Head and tail of `text` within `maxChars` Unicode characters; the head alone where that is less than 80.
 *
 * @param cut What was cut from the text already. The text then gets one notice for both cuts.
 */
export function fitWithin(text: string, maxChars: number, cut?: TextCut): Fitted {
  const reading = { text, maxChars: Math.max(0, maxChars), ...(cut === undefined ? {} : { cut }) };
  return { text, ...read(callNative(() => textBinding().fitOutput(jsonOf(reading)))) };
}

/** The text within `maxChars` Unicode characters. */
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
