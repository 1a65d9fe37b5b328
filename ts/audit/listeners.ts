import { isThenable } from '../terminal/tap.js';
import type { AuditRecord } from './record.js';

/**
 * Gets each record. The call has happened by then, so what it throws, or what a promise it returns
 * rejects with, does not change the result: it is reported as a process warning with the code
 * `HANDRAIL_AUDIT`.
 */
export type AuditListener = (record: AuditRecord) => void;

/** Those who want to know about calls, in the order they came. */
export class AuditListeners {
  readonly #listeners = new Set<AuditListener>();
  readonly #onFailure: (error: unknown) => void;

  /** @param onFailure Gets what a listener threw. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  add(listener: AuditListener): void {
    this.#listeners.add(listener);
  }

  remove(listener: AuditListener): void {
    this.#listeners.delete(listener);
  }

  /** Tells all of them, also when one throws. Waits for none. */
  tell(record: AuditRecord): void {
    for (const listener of [...this.#listeners]) {
      try {
        const told: unknown = listener(record);
        if (isThenable(told)) told.then(undefined, this.#onFailure);
      } catch (error) {
        this.#onFailure(error);
      }
    }
  }
}
