const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A line was longer than one may be. */
export class LineTooLong extends Error {
  constructor(maxBytes: number) {
    super(`a line of more than ${maxBytes} bytes`);
  }
}

/** Splits bytes into lines without reading any byte twice, and refuses a line that is too long. */
export class Lines {
  readonly #maxBytes: number;
  readonly #onTooLong: (() => void) | undefined;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  /** Whether the rest of a line that is too long is passed over. */
  #isSkipping = false;

  /**
   * @param maxBytes Longest line, its line end not counted.
   * @param onTooLong Called in the place of throwing; that line is passed over to its end.
   */
  constructor(maxBytes: number, onTooLong?: () => void) {
    this.#maxBytes = maxBytes;
    this.#onTooLong = onTooLong;
  }

  /**
   * The lines that end in `bytes`, without their ends.
   *
   * @throws LineTooLong What was kept of it is dropped.
   */
  *take(bytes: Uint8Array): Generator<string> {
    let start = 0;
    while (start < bytes.length) {
      const end = bytes.indexOf(LINE_FEED, start);
      if (!this.#isSkipping) this.#keep(bytes.subarray(start, end === -1 ? bytes.length : end));
      if (end === -1) return;
      if (!this.#isSkipping) yield this.#line();
      this.#isSkipping = false;
      start = end + 1;
    }
  }

  #keep(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) {
      this.#reset();
      if (this.#onTooLong === undefined) throw new LineTooLong(this.#maxBytes);
      this.#isSkipping = true;
      this.#onTooLong();
      return;
    }
    // A copy: whoever lent the bytes may use them again.
    if (piece.length > 0) this.#pieces.push(Uint8Array.from(piece));
  }

  #line(): string {
    const line = Buffer.concat(this.#pieces, this.#bytes);
    this.#reset();
    return line.toString('utf8', 0, line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length);
  }

  #reset(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }
}
