import type { AuditRecord } from './record.js';

/** Gets each record. What it throws becomes the rejection of the call, which has happened by then. */
export type AuditListener = (record: AuditRecord) => void;

/** Those who want to know about calls, in the order they came. */
export class AuditListeners {
  readonly #listeners = new Set<AuditListener>();

  add(listener: AuditListener): void {
    this.#listeners.add(listener);
  }

  remove(listener: AuditListener): void {
    this.#listeners.delete(listener);
  }

  /** Tells all of them, also when one throws; then throws what the first one threw. */
  tell(record: AuditRecord): void {
    const errors: unknown[] = [];
    for (const listener of [...this.#listeners]) {
      try {
        listener(record);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
