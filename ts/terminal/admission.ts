import { MAX_START_MS_PER_TURN, MAX_STARTS_PER_TURN } from './limits.js';

/** Of what a turn has room for, the part that may be used before the end of the turn is waited for. */
const UNNOTICED = 0.5;

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

  /** @param part Of the room of a turn. */
  #hasRoom(part = 1): boolean {
    return this.#startedInTurn < part * MAX_STARTS_PER_TURN && this.#spentInTurnMs < part * MAX_START_MS_PER_TURN;
  }

  #measure<Value>(start: () => Value): Value {
    this.#startedInTurn += 1;
    const begun = performance.now();
    try {
      return start();
    } finally {
      this.#spentInTurnMs += performance.now() - begun;
      // The first starts are counted over several turns: asking for the end of each costs more than it tells.
      if (!this.#hasRoom(UNNOTICED)) this.#schedule();
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
