/** Pieces of output are joined up to this size, so that a history of short lines is no list of millions. In UTF-16 units. */
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

/** The output of a job so far. The oldest is dropped when it has more bytes than may be kept. */
export class JobHistory {
  readonly #maxBytes: number;
  #blocks: Block[] = [];
  #end = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The position where the output ends, in bytes of UTF-8. */
  get end(): number {
    return this.#end;
  }

  add(text: string): void {
    const bytes = Buffer.byteLength(text);
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.text.length + text.length <= BLOCK_CHARS) {
      last.text += text;
      last.bytes += bytes;
    } else {
      this.#blocks.push({ start: this.#end, text, bytes });
    }
    this.#end += bytes;
    this.#drop();
  }

  /** The output from a position on, or as much of it as is kept. */
  since(position: number): HistoryPart {
    const from = Math.min(position, this.#end);
    const kept = this.#blocks[0]?.start ?? this.#end;
    const parts = this.#blocks.filter(({ start, bytes }) => start + bytes > from);
    const text = parts.map((block) => (block.start < from ? textAfter(block.text, from - block.start) : block.text));
    return { text: text.join(''), droppedBytes: Math.max(0, kept - from) };
  }

  #drop(): void {
    let kept = this.#end - (this.#blocks[0]?.start ?? this.#end);
    const first = this.#blocks.findIndex(({ bytes }) => {
      if (kept <= this.#maxBytes) return true;
      kept -= bytes;
      return false;
    });
    if (first > 0) this.#blocks = this.#blocks.slice(first);
    if (first >= 0 || this.#blocks.length === 0) return;
    // One piece alone has more than may be kept.
    const [{ text }] = this.#blocks.slice(-1) as [Block];
    const rest = textAfter(text, Buffer.byteLength(text) - this.#maxBytes);
    const bytes = Buffer.byteLength(rest);
    this.#blocks = [{ start: this.#end - bytes, text: rest, bytes }];
  }
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
