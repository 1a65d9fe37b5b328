import { LINE_COST, MAX_WAITING } from './limits.js';

/** Lines that wait until the client has read what was answered: taken in the order they came, and bounded. */
export class WaitingLines {
  #lines: string[] = [];
  #next = 0;
  #size = 0;

  /** Adds a line. False when that is more than may wait. */
  add(line: string): boolean {
    this.#lines.push(line);
    this.#size += line.length + LINE_COST;
    return this.#size <= MAX_WAITING;
  }

  /** The line that came first, which does not wait any more. Undefined when there is none. */
  take(): string | undefined {
    const line = this.#lines[this.#next];
    if (line === undefined) return undefined;
    this.#next += 1;
    this.#size -= line.length + LINE_COST;
    if (this.#next === this.#lines.length) {
      this.#lines = [];
      this.#next = 0;
    }
    return line;
  }
}
