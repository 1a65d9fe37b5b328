import { MAX_STARTS_PER_TURN } from './limits.js';

/**
 * Lets `MAX_STARTS_PER_TURN` callers through per turn of the event loop, in the order they came.
 * Starting a command is work on the host's thread; without this a burst of commands would hold it.
 */
export class Admission {
  readonly #waiting: Array<() => void> = [];
  #admitted = 0;
  #scheduled = false;

  /** Undefined: go ahead now. A promise: wait for it first. */
  admit(): Promise<void> | undefined {
    this.#schedule();
    if (this.#admitted < MAX_STARTS_PER_TURN && this.#waiting.length === 0) {
      this.#admitted += 1;
      return undefined;
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#nextTurn();
    });
  }

  #nextTurn(): void {
    this.#scheduled = false;
    const next = this.#waiting.splice(0, MAX_STARTS_PER_TURN);
    this.#admitted = next.length;
    if (next.length > 0) this.#schedule();
    for (const resolve of next) resolve();
  }
}
