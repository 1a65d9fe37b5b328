import { isThenable } from '../terminal/tap.js';
import type { AuditRecord } from './record.js';

/**
 * Gets each record. The call has happened by then, so what it throws, or what a promise it returns
 * rejects with, does not change the result: it is reported as a process warning with the code
 * `HANDRAIL_AUDIT`.
 */
export type AuditListener = (record: AuditRecord) => void;

/** Those who want to know about something, in the order they came. */
export class Listeners<Event> {
  readonly #listeners = new Set<(event: Event) => void>();
  readonly #onFailure: (error: unknown) => void;

  /** @param onFailure Gets what a listener threw. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  add(listener: (event: Event) => void): void {
    this.#listeners.add(listener);
  }

  remove(listener: (event: Event) => void): void {
    this.#listeners.delete(listener);
  }

  /** Tells all of them, also when one throws. Waits for none. */
  tell(event: Event): void {
    for (const listener of [...this.#listeners]) {
      try {
        const told: unknown = listener(event);
        if (isThenable(told)) told.then(undefined, this.#onFailure);
      } catch (error) {
        this.#onFailure(error);
      }
    }
  }
}
