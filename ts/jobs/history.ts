import { TextRedactor } from '../redaction/text-redactor.js';

/** Output is kept in blocks of up to this size, in UTF-16 units: a history of short lines is no list of millions. */
const BLOCK_CHARS = 16_384;

interface Block {
  /** Position of its first byte, counted from the start of the output. */
  readonly start: number;
  text: string;
  bytes: number;
}

/** A part of the output of a job. */
export interface HistoryPart {
  readonly text: string;
  /** Bytes of the part that was asked for that are not kept any more. */
  readonly droppedBytes: number;
}

/**
 * The output of a job so far, masked. The oldest is dropped when it has more bytes than may be kept. A secret that is added
 * while the history exists is masked in all that is read from then on, whatever its place; positions do not change.
 */
export class JobHistory {
  readonly #maxBytes: number;
  readonly #redactor: TextRedactor;
  /** How many secrets had been added when the history was made. */
  readonly #firstSecrets: number;
  /** The blocks, and before the first one that is shown the last one that was dropped: a secret may begin in it. */
  #blocks: Block[] = [];
  #end = 0;

  constructor(maxBytes: number, redactor: TextRedactor) {
    this.#maxBytes = maxBytes;
    this.#redactor = redactor;
    this.#firstSecrets = TextRedactor.addedSecretsOf(redactor);
  }

  /** The position where the output ends, in bytes of UTF-8. */
  get end(): number {
    return this.#end;
  }

  add(text: string): void {
    for (let start = 0; start < text.length; ) {
      let end = Math.min(start + BLOCK_CHARS, text.length);
      if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
      this.#append(text.slice(start, end));
      start = end;
    }
    this.#drop();
  }

  /** The output from a position on, or as much of it as is kept. */
  since(position: number): HistoryPart {
    const from = Math.min(position, this.#end);
    const kept = this.#blocks[this.#firstShown()]?.start ?? this.#end;
    return { text: this.#masked(Math.max(from, kept)), droppedBytes: Math.max(0, kept - from) };
  }

  /** Text of the job, masked with the secrets that were added since the history was made. */
  mask(text: string): string {
    return this.#hasLateSecrets() ? this.#redactor.redact(text) : text;
  }

  #hasLateSecrets(): boolean {
    return TextRedactor.addedSecretsOf(this.#redactor) !== this.#firstSecrets;
  }

  /** The text from a position on. A late secret that the position divides is masked where it goes on. */
  #masked(from: number): string {
    const text = this.#textFrom(from);
    if (!this.#hasLateSecrets()) return text;
    const all = this.#textFrom(this.#blocks[0]?.start ?? from);
    const before = all.slice(0, all.length - text.length);
    const lineStart = before.lastIndexOf('\n') + 1;
    const maskedBefore = this.#redactor.redact(before.slice(lineStart));
    const masked = this.#redactor.redact(all.slice(lineStart));
    let same = 0;
    while (same < maskedBefore.length && maskedBefore[same] === masked[same]) same += 1;
    return masked.slice(same);
  }

  #textFrom(from: number): string {
    const parts = this.#blocks.filter(({ start, bytes }) => start + bytes > from);
    return parts.map((block) => (block.start < from ? textAfter(block.text, from - block.start) : block.text)).join('');
  }

  /** The index of the first block that is shown. */
  #firstShown(): number {
    const from = this.#end - this.#maxBytes;
    const first = this.#blocks.findIndex(({ start }) => start >= from);
    return Math.max(0, first);
  }

  #append(text: string): void {
    const bytes = Buffer.byteLength(text);
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.text.length + text.length <= BLOCK_CHARS) {
      last.text += text;
      last.bytes += bytes;
    } else {
      this.#blocks.push({ start: this.#end, text, bytes });
    }
    this.#end += bytes;
  }

  #drop(): void {
    const first = this.#firstShown();
    if (first > 1) this.#blocks = this.#blocks.slice(first - 1);
  }
}

/** Whether the character goes on after this unit. */
function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

/** The text without its first bytes, and without a character that they end in. */
function textAfter(text: string, bytes: number): string {
  const all = Buffer.from(text);
  let start = bytes;
  while (start < all.length && isContinuation(all[start] ?? 0)) start += 1;
  return all.toString('utf8', start);
}

/** Whether a byte of UTF-8 is not the first one of its character. */
function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}
