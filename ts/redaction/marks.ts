import type { NativeRedactor } from '../native/binding.js';

/** One masked part of a text. It says where that is and which rule found it, and never contains the secret itself. */
export interface Finding {
  /** The id of the built-in rule or of the rule from a file, or `known-value`, `substring` or `pattern`. */
  readonly rule: string;
  /** The offset of the first masked UTF-16 unit. */
  readonly start: number;
  /** The offset after the last masked UTF-16 unit. */
  readonly end: number;
}

/** Start, end and code of each mark, in order; offsets in UTF-16 units of the whole text. */
export type Marks = Uint32Array;

const FIELDS = 3;
/** Bit of a code: the mark belongs to the secret before it. */
const CONTINUES = 1;
/** Parts joined at once. */
const MAX_PARTS = 8192;

/** Builds the masked text from pieces of the one it masks: nothing of it is decoded, lone surrogates stay. */
export class Masked {
  readonly #text: string;
  readonly #native: NativeRedactor;
  readonly #masks = new Map<number, string>();
  readonly #done: string[] = [];
  #parts: string[] = [];
  #at = 0;
  #secrets = 0;

  constructor(text: string, native: NativeRedactor) {
    this.#text = text;
    this.#native = native;
  }

  add(marks: Marks): void {
    for (let index = 0; index < marks.length; index += FIELDS) {
      const [start, end, code] = markAt(marks, index);
      if ((code & CONTINUES) === 0) this.#secrets += 1;
      this.#parts.push(this.#text.slice(this.#at, start), this.#mask(code));
      this.#at = end;
      if (this.#parts.length >= MAX_PARTS) this.#join();
    }
  }

  /** Secrets so far. */
  get secrets(): number {
    return this.#secrets;
  }

  finish(): string {
    this.#parts.push(this.#text.slice(this.#at));
    this.#join();
    return this.#done.length === 1 ? (this.#done[0] ?? '') : this.#done.join('');
  }

  /** Joined parts are a text of their own: they hold nothing of the one with the secrets. */
  #join(): void {
    this.#done.push(this.#parts.join(''));
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

/** Marks as findings, those of one secret united. */
export function findingsOf(found: readonly Marks[], native: NativeRedactor): Finding[] {
  const findings: { rule: string; start: number; end: number }[] = [];
  const rules = new Map<number, string>();
  for (const marks of found) {
    for (let index = 0; index < marks.length; index += FIELDS) {
      const [start, end, code] = markAt(marks, index);
      const last = findings.at(-1);
      if ((code & CONTINUES) !== 0 && last !== undefined) {
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
