import { isThenable } from '../terminal/tap.js';
import type { AuditRecord } from './record.js';

/**
 * Gets a record after each call. An error that the listener throws, or with which its promise rejects, does not change
 * the result of the call: it is a process warning with the code `HANDRAIL_AUDIT`.
 */
export type AuditListener = (record: AuditRecord) => void;

/** The listeners of an event, in the order in which they were added. */
export class Listeners<Event> {
  readonly #listeners = new Set<(event: Event) => void>();
  readonly #onFailure: (error: unknown) => void;

  /** @param onFailure Gets the error of a listener. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  add(listener: (event: Event) => void): void {
    this.#listeners.add(listener);
  }

  remove(listener: (event: Event) => void): void {
    this.#listeners.delete(listener);
  }

  /** Calls every listener, also when one throws. Waits for none. */
  notify(event: Event): void {
    for (const listener of [...this.#listeners]) {
      try {
        const outcome: unknown = listener(event);
        if (isThenable(outcome)) outcome.then(undefined, this.#onFailure);
      } catch (error) {
        this.#onFailure(error);
      }
    }
  }
}
