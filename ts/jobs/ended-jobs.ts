import type { Engine } from '../terminal/engine.js';
import type { Job } from './job.js';
import { MAX_QUEUED_JOBS } from './limits.js';

/** A loop over the jobs that end. */
export class EndedJobs implements AsyncIterableIterator<Job> {
  readonly #engine: Engine;
  readonly #onLeft: () => void;
  readonly #queue: Job[] = [];
  readonly #waiting: (() => void)[] = [];
  #isOver = false;

  /** @param onLeft Called when the loop was left. */
  constructor(engine: Engine, onLeft: () => void) {
    this.#engine = engine;
    this.#onLeft = onLeft;
  }

  add(job: Job): void {
    this.#queue.push(job);
    if (this.#queue.length > MAX_QUEUED_JOBS) this.#queue.shift();
    this.#waiting.shift()?.();
  }

  /** No further job ends. */
  end(): void {
    this.#isOver = true;
    this.#onLeft();
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async next(): Promise<IteratorResult<Job, undefined>> {
    const release = this.#engine.keepAlive();
    try {
      while (true) {
        const job = this.#queue.shift();
        if (job !== undefined) return { done: false, value: job };
        if (this.#isOver) return { done: true, value: undefined };
        await new Promise<void>((resolve) => {
          this.#waiting.push(resolve);
        });
      }
    } finally {
      release();
    }
  }

  return(): Promise<IteratorResult<Job, undefined>> {
    this.#queue.length = 0;
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
