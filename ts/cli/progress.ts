/** Least bytes of a file whose reading is worth showing. */
export const MIN_PROGRESS_BYTES = 16 * 2 ** 20;

/** Least time between two updates, in milliseconds. */
export const PROGRESS_INTERVAL_MS = 100;

/** Back to the start of the line, and nothing on it. */
const ERASE = '\r\u001b[K';

/** How far a large file was read, on one line of a terminal that is erased at the end. */
export class Progress {
  readonly #total: number;
  readonly #write: (text: string) => void;
  readonly #now: () => number;
  readonly #begun: number;
  /** When the line was written last. */
  #shownAt: number;
  #isShown = false;

  /**
   * @param total Bytes of the file.
   * @param write Writes to the terminal.
   * @param now A clock in milliseconds.
   */
  constructor(total: number, write: (text: string) => void, now: () => number = () => performance.now()) {
    this.#total = total;
    this.#write = write;
    this.#now = now;
    this.#begun = now();
    this.#shownAt = this.#begun;
  }

  /** Shows that `read` bytes were read, unless it was shown just now. */
  update(read: number): void {
    const now = this.#now();
    if (now - this.#shownAt < PROGRESS_INTERVAL_MS) return;
    this.#shownAt = now;
    this.#isShown = true;
    const percent = Math.min(100, Math.floor((100 * read) / this.#total));
    const speed = read / 1_000 / (now - this.#begun);
    this.#write(`${ERASE}${megabytes(read)} of ${megabytes(this.#total)} MB, ${percent}%, ${speed.toFixed(0)} MB/s`);
  }

  /** Erases the line. */
  end(): void {
    if (this.#isShown) this.#write(ERASE);
    this.#isShown = false;
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(0);
}
