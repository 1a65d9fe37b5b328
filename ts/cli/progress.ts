/** Smallest file for which progress is shown, in bytes. */
export const MIN_PROGRESS_BYTES = 16 * 2 ** 20;

/** Shortest time between two updates, in milliseconds. */
export const PROGRESS_INTERVAL_MS = 100;

/** Moves the cursor to the start of the line and erases the line. */
const ERASE_LINE = '\r\u001b[K';

/** Shows the progress of reading a large file on one line of a terminal, which is erased at the end. */
export class Progress {
  readonly #total: number;
  readonly #write: (text: string) => void;
  readonly #now: () => number;
  readonly #startedAt: number;
  /** The time of the last update. */
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
    this.#startedAt = now();
    this.#shownAt = this.#startedAt;
  }

  /** Shows that `read` bytes were read, unless the last update was just now. */
  update(readBytes: number): void {
    const now = this.#now();
    if (now - this.#shownAt < PROGRESS_INTERVAL_MS) return;
    this.#shownAt = now;
    this.#isShown = true;
    const percent = Math.min(100, Math.floor((100 * readBytes) / this.#total));
    const speed = readBytes / 1_000 / (now - this.#startedAt);
    this.#write(
      `${ERASE_LINE}${megabytes(readBytes)} of ${megabytes(this.#total)} MB, ${percent}%, ${speed.toFixed(0)} MB/s`,
    );
  }

  /** Erases the line. */
  end(): void {
    if (this.#isShown) this.#write(ERASE_LINE);
    this.#isShown = false;
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(0);
}
