const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The error of a line that is too long. */
export class LineTooLong extends Error {
  constructor(maxBytes: number) {
    super(`a line of more than ${maxBytes} bytes`);
  }
}

/** Splits bytes into lines, and refuses a line that is too long. Reads each byte only once. */
export class Lines {
  readonly #maxBytes: number;
  readonly #onTooLong: (() => void) | undefined;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  /** Whether the rest of a line that is too long is being skipped. */
  #isSkipping = false;

  /**
   * @param maxBytes Longest line, without its line end.
   * @param onTooLong Called instead of throwing. The line is then skipped.
   */
  constructor(maxBytes: number, onTooLong?: () => void) {
    this.#maxBytes = maxBytes;
    this.#onTooLong = onTooLong;
  }

  /**
   * The lines that end in `bytes`, without their line ends.
   *
   * @throws LineTooLong The beginning of the line is dropped.
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
    // A copy: the caller may use the bytes again.
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
