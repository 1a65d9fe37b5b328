import { MAX_START_MS_PER_TURN, MAX_STARTS_PER_TURN } from './limits.js';

/** The share of a turn's limits up to which starts are counted without noticing the end of the turn. */
const UNSCHEDULED_SHARE = 0.5;

/**
 * Spreads starts over turns of the event loop, in the order they came. Starting a command is work
 * on the host's thread; without this a burst of commands would hold it.
 */
export class Admission {
  readonly #waitingStarts: (() => void)[] = [];
  #startedInTurn = 0;
  #spentInTurnMs = 0;
  #scheduled = false;

  /**
   * Calls `start` now when this turn's limits leave room for it, else in a later turn.
   *
   * @returns What `start` gives, or a promise of it.
   */
  admit<Value>(start: () => Value): Value | Promise<Value> {
    if (this.#waitingStarts.length === 0 && this.#hasRoom()) return this.#measure(start);
    this.#schedule();
    return new Promise<Value>((resolve, reject) => {
      this.#waitingStarts.push(() => {
        try {
          resolve(this.#measure(start));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** @param part The share of the limits that is looked at. */
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
      // Few starts are counted over several turns: scheduling a callback for the end of each turn costs more than that.
      if (!this.#hasRoom(UNSCHEDULED_SHARE)) this.#schedule();
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
      const start = this.#waitingStarts.shift();
      if (start === undefined) return;
      this.#schedule();
      start();
    }
  }
}
