import type { Failure } from '../report/end.js';
import { CIRCUIT_FAILURES, CIRCUIT_MS, FIRST_BACKOFF_MS, MAX_BACKOFF_MS } from './limits.js';

/** Failures of one server in a row: how long it is left alone before it is tried again. */
export class Failures {
  #count = 0;
  #reason = '';
  #failure: Failure | undefined;
  #retryAt = 0;

  /** What went wrong last, as a sentence without its end. */
  get reason(): string {
    return this.#reason;
  }

  /** The same where it was not the server's doing. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Whether it failed too often to be tried again soon. */
  get isCircuitOpen(): boolean {
    return this.#count >= CIRCUIT_FAILURES && this.waitMs > 0;
  }

  /** Milliseconds until it may be tried again. */
  get waitMs(): number {
    return Math.max(0, this.#retryAt - performance.now());
  }

  /** The first one costs no pause: what ran well for a day is started again at once. */
  add(reason: string, failure: Failure | undefined): void {
    this.#count += 1;
    this.#reason = reason;
    this.#failure = failure;
    this.#retryAt = performance.now() + pauseAfter(this.#count);
  }

  /** It did what it was asked. */
  clear(): void {
    this.#count = 0;
    this.#retryAt = 0;
  }
}

function pauseAfter(count: number): number {
  if (count >= CIRCUIT_FAILURES) return CIRCUIT_MS;
  return count <= 1 ? 0 : Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (count - 2));
}
