import { MAX_WAITING_UNITS, UNITS_PER_LINE } from './limits.js';

/** A bounded queue of lines that wait until the client has read earlier answers. */
export class WaitingLines {
  #lines: string[] = [];
  #next = 0;
  #size = 0;

  /** Adds a line. False when the queue is full. */
  add(line: string): boolean {
    this.#lines.push(line);
    this.#size += line.length + UNITS_PER_LINE;
    return this.#size <= MAX_WAITING_UNITS;
  }

  /** Removes and returns the oldest line. Undefined when there is none. */
  take(): string | undefined {
    const line = this.#lines[this.#next];
    if (line === undefined) return undefined;
    this.#next += 1;
    this.#size -= line.length + UNITS_PER_LINE;
    if (this.#next === this.#lines.length) {
      this.#lines = [];
      this.#next = 0;
    }
    return line;
  }
}
