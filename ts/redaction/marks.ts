import type { NativeRedactor } from '../native/binding.js';

/** A secret that was found in a text: its position and the rule that found it. It never contains the secret itself. */
export interface Finding {
  /** The id of the built-in rule or of the rule from a file, or `known-value`, `substring` or `pattern`. */
  readonly rule: string;
  /** The offset of the first masked UTF-16 unit. */
  readonly start: number;
  /** The offset after the last masked UTF-16 unit. */
  readonly end: number;
}

/** Masked ranges as triples of start, end and code, in order. Offsets count UTF-16 units of the whole text. */
export type Marks = Uint32Array;

/** Numbers per mark: start, end and code. */
const NUMBERS_PER_MARK = 3;
/** A bit of the code that says that the mark belongs to the same secret as the mark before it. */
const CONTINUES_BIT = 1;
/** Most parts that are kept before they are joined. */
const MAX_UNJOINED_PARTS = 8192;

/** Builds the masked text from slices of the original text. Nothing is decoded, so lone surrogates stay. */
export class MaskedText {
  readonly #text: string;
  readonly #native: NativeRedactor;
  readonly #masks = new Map<number, string>();
  readonly #joined: string[] = [];
  #parts: string[] = [];
  #position = 0;
  #secrets = 0;

  constructor(text: string, native: NativeRedactor) {
    this.#text = text;
    this.#native = native;
  }

  add(marks: Marks): void {
    for (let index = 0; index < marks.length; index += NUMBERS_PER_MARK) {
      const [start, end, code] = markAt(marks, index);
      if ((code & CONTINUES_BIT) === 0) this.#secrets += 1;
      this.#parts.push(this.#text.slice(this.#position, start), this.#mask(code));
      this.#position = end;
      if (this.#parts.length >= MAX_UNJOINED_PARTS) this.#join();
    }
  }

  /** How many secrets were masked so far. */
  get secrets(): number {
    return this.#secrets;
  }

  finish(): string {
    this.#parts.push(this.#text.slice(this.#position));
    this.#join();
    return this.#joined.length === 1 ? (this.#joined[0] ?? '') : this.#joined.join('');
  }

  /** Joins the parts into a new string, which does not keep the original text in memory. */
  #join(): void {
    this.#joined.push(this.#parts.join(''));
    this.#parts = [];
  }

  #mask(code: number): string {
    let mask = this.#masks.get(code);
    if (mask === undefined) {
      mask = this.#native.mask(code);
      this.#masks.set(code, mask);
    }
    return mask;
  }
}

/**
 * Gives the marks of each part of a text, whose parts are asked for in order. A secret that goes on in the next part is marked in
 * both.
 */
export class MarksOfParts {
  readonly #marks: Marks;
  #index = 0;

  constructor(lists: readonly Marks[]) {
    this.#marks = Uint32Array.from(lists.flatMap((list) => [...list]));
  }

  /** The marks between two offsets, counted from the first of them. */
  between(start: number, end: number): Marks {
    const numbers: number[] = [];
    for (; this.#index < this.#marks.length; this.#index += NUMBERS_PER_MARK) {
      const [from, to, code] = markAt(this.#marks, this.#index);
      if (from < end && to > start) numbers.push(Math.max(from, start) - start, Math.min(to, end) - start, code);
      if (to > end) break;
    }
    return Uint32Array.from(numbers);
  }
}

/** The findings that marks stand for. Marks of one secret are united. */
export function findingsOf(markLists: readonly Marks[], native: NativeRedactor): Finding[] {
  const findings: { rule: string; start: number; end: number }[] = [];
  const rules = new Map<number, string>();
  for (const marks of markLists) {
    for (let index = 0; index < marks.length; index += NUMBERS_PER_MARK) {
      const [start, end, code] = markAt(marks, index);
      const last = findings.at(-1);
      if ((code & CONTINUES_BIT) !== 0 && last !== undefined) {
        last.end = end;
        continue;
      }
      const rule = rules.get(code) ?? native.rule(code);
      rules.set(code, rule);
      findings.push({ rule, start, end });
    }
  }
  return findings;
}

function markAt(marks: Marks, index: number): [start: number, end: number, code: number] {
  return [marks[index] ?? 0, marks[index + 1] ?? 0, marks[index + 2] ?? 0];
}
