import { HandrailError } from '../errors.js';

/** Lets a bounded number of calls run at the same time, and a bounded number wait for their turn. */
export class Slots {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #waitingCalls = new Set<() => void>();
  #running = 0;

  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Runs `work` as soon as a slot is free.
   *
   * @returns The result of `work`; undefined when `signal` fired before its turn.
   * @throws HandrailError `ERR_BUSY` when too many wait.
   */
  async run<Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value | undefined> {
    if (signal?.aborted === true) return undefined;
    if (this.#running < this.#maxRunning) this.#running += 1;
    else if (!(await this.#waitForTurn(signal))) return undefined;
    try {
      return await work();
    } finally {
      const [next] = this.#waitingCalls;
      // The slot passes directly to the next call, so that nobody else can take it.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #waitForTurn(signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#waitingCalls.size >= this.#maxWaiting) {
      throw new HandrailError(
        'ERR_BUSY',
        `The server has ${this.#maxRunning} calls and ${this.#maxWaiting} that wait: try again later`,
        { data: { limit: this.#maxRunning + this.#maxWaiting } },
      );
    }
    return new Promise((resolve) => {
      const settle = (isTurn: boolean): void => {
        this.#waitingCalls.delete(start);
        signal?.removeEventListener('abort', cancel);
        resolve(isTurn);
      };
      const start = (): void => settle(true);
      const cancel = (): void => settle(false);
      this.#waitingCalls.add(start);
      signal?.addEventListener('abort', cancel);
    });
  }
}
