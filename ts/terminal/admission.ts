import { MAX_START_MS_PER_TURN, MAX_STARTS_PER_TURN } from './limits.js';

/** Starts that may come before the end of the turn is waited for. */
const UNNOTICED_STARTS = 4;

/**
 * Spreads starts over turns of the event loop, in the order they came. Starting a command is work
 * on the host's thread; without this a burst of commands would hold it.
 */
export class Admission {
  readonly #waiting: (() => void)[] = [];
  #startedInTurn = 0;
  #spentInTurnMs = 0;
  #scheduled = false;

  /**
   * Does `start` now when this turn has room for it, else in a later turn.
   *
   * @returns What `start` gives, or a promise of it.
   */
  admit<Value>(start: () => Value): Value | Promise<Value> {
    if (this.#waiting.length === 0 && this.#hasRoom()) return this.#measure(start);
    this.#schedule();
    return new Promise<Value>((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(this.#measure(start));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  #hasRoom(): boolean {
    return this.#startedInTurn < MAX_STARTS_PER_TURN && this.#spentInTurnMs < MAX_START_MS_PER_TURN;
  }

  #measure<Value>(start: () => Value): Value {
    this.#startedInTurn += 1;
    // A few starts are counted over several turns: asking for the end of each costs more than it tells.
    if (this.#startedInTurn >= UNNOTICED_STARTS) this.#schedule();
    const begun = performance.now();
    try {
      return start();
    } finally {
      this.#spentInTurnMs += performance.now() - begun;
    }
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
    this.#startedInTurn = 0;
    this.#spentInTurnMs = 0;
    while (this.#hasRoom()) {
      const start = this.#waiting.shift();
      if (start === undefined) return;
      this.#schedule();
      start();
    }
  }
}
