import type { Failure } from '../report/end.js';
import { CIRCUIT_FAILURES, CIRCUIT_MS, FIRST_BACKOFF_MS, MAX_BACKOFF_MS } from './limits.js';

/** Counts failures of a server in a row, and says when it may be started again. */
export class FailureCount {
  #count = 0;
  #reason = '';
  #failure: Failure | undefined;
  #retryAt = 0;

  /** The reason of the last failure, as a sentence without its full stop. */
  get reason(): string {
    return this.#reason;
  }

  /** The last failure, where it was not the server's own fault. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Whether the server failed so often that it is not started again for a while. */
  get isCircuitOpen(): boolean {
    return this.#count >= CIRCUIT_FAILURES && this.waitMs > 0;
  }

  /** Milliseconds until the server may be started again. */
  get waitMs(): number {
    return Math.max(0, this.#retryAt - performance.now());
  }

  /** Counts a failure. After the first one in a row, the server may be started again at once. */
  add(reason: string, failure: Failure | undefined): void {
    this.#count += 1;
    this.#reason = reason;
    this.#failure = failure;
    this.#retryAt = performance.now() + pauseAfter(this.#count);
  }

  /** Forgets all failures, after the server has answered. */
  clear(): void {
    this.#count = 0;
    this.#retryAt = 0;
  }
}

function pauseAfter(count: number): number {
  if (count >= CIRCUIT_FAILURES) return CIRCUIT_MS;
  return count <= 1 ? 0 : Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (count - 2));
}
