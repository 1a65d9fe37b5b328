import { setTimeout as pause } from 'node:timers/promises';
import type { Subscription } from './bus.js';
import type { GroupLog, HeldEntry } from './group-log.js';
import { handlingMessage } from './hops.js';
import { deadLetter, type LetterReason, letterContent } from './letter.js';
import { CLOSE_WAIT_MS } from './limits.js';
import { type CheckedSubscription, errorClass } from './options.js';

/** The first pause before a message is delivered again, or a bus asked again. Each further pause is twice as long. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/** How often a lease is renewed within its time, so that one lost renewal does no harm. */
const RENEWALS_PER_LEASE = 3;

/** The arguments of `subscribe`, and the bound of the bus on the age of a message. 0: any age. */
export interface ConsumerOptions extends CheckedSubscription {
  readonly maxAgeMs: number;
}

/** Takes messages of a group and passes them to a handler, for every kind of bus. */
export class Consumer implements Subscription {
  readonly #log: GroupLog;
  readonly #options: ConsumerOptions;
  readonly #end = new AbortController();
  readonly #work = new Set<Promise<void>>();
  readonly #running: Promise<void>;
  readonly #onClosed: () => void;
  #closed: Promise<void> | undefined;

  /** @param onClosed Called when the consumer has ended. */
  constructor(log: GroupLog, options: ConsumerOptions, onClosed: (consumer: Consumer) => void) {
    this.#log = log;
    this.#options = options;
    this.#onClosed = () => onClosed(this);
    this.#running = this.#run();
  }

  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #shutDown(): Promise<void> {
    this.#end.abort();
    this.#log.stop();
    const waitTimer = new AbortController();
    const timeout = pause(CLOSE_WAIT_MS, undefined, { signal: waitTimer.signal }).catch(() => undefined);
    await Promise.race([this.#running, timeout]);
    waitTimer.abort();
    try {
      await this.#log.leave();
    } catch {
      // The bus cannot be reached: the lease runs out by itself.
    }
    this.#onClosed();
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#end.signal.aborted; ) {
      const freeSlots = this.#options.concurrency - this.#work.size;
      if (freeSlots <= 0) {
        await Promise.race(this.#work);
        continue;
      }
      try {
        const entries = await this.#log.take(freeSlots);
        failures = 0;
        // Messages that were taken while this was closed are given back, not handled.
        if (!this.#end.signal.aborted) for (const entry of entries) this.#start(entry);
      } catch (error) {
        failures += 1;
        // Only the first failure of an outage is reported.
        if (failures === 1) this.#report(error);
        await this.#pause(failures);
      }
    }
    await Promise.all(this.#work);
  }

  #start(entry: HeldEntry): void {
    const work = this.#handle(entry).finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  async #handle(entry: HeldEntry): Promise<void> {
    const renewal = setInterval(() => {
      this.#log.renew(entry.key).catch(() => undefined);
    }, this.#options.leaseMs / RENEWALS_PER_LEASE);
    renewal.unref();
    try {
      await this.#deliver(entry);
    } finally {
      clearInterval(renewal);
    }
  }

  async #deliver(entry: HeldEntry): Promise<void> {
    const { message } = entry;
    if (message === undefined) {
      return await this.#storeDeadLetter(entry, entry.deliveries, 'unreadable', letterContent(entry.text));
    }
    const { handler, maxDeliveries, maxAgeMs } = this.#options;
    if (maxAgeMs > 0 && Date.now() - entry.storedAt >= maxAgeMs) {
      return await this.#storeDeadLetter(entry, entry.deliveries - 1, 'expired', letterContent(entry.text));
    }
    let deliveries = entry.deliveries;
    let error = 'lost';
    while (deliveries <= maxDeliveries) {
      try {
        const delivery = { deliveries, signal: this.#end.signal };
        await handlingMessage(message.payload, () => handler({ ...message }, delivery));
        return await this.#retry(() => this.#log.done(entry.key));
      } catch (thrown) {
        // A handler that throws while this is closed has not failed.
        if (this.#end.signal.aborted) return;
        error = errorClass(thrown);
        this.#report(thrown);
      }
      if (deliveries === maxDeliveries) break;
      await this.#pause(deliveries);
      if (this.#end.signal.aborted) return;
      const countedDeliveries = await this.#retry(() => this.#log.retake(entry.key));
      if (countedDeliveries === undefined) return;
      deliveries = countedDeliveries;
    }
    await this.#storeDeadLetter(entry, Math.min(deliveries, maxDeliveries), 'handler_failed', {
      error,
      payload: message.payload,
    });
  }

  async #storeDeadLetter(
    entry: HeldEntry,
    deliveries: number,
    reason: LetterReason,
    furtherFields: object,
  ): Promise<void> {
    const { topic, group } = this.#options;
    const letter = deadLetter({ id: entry.id, topic, group, deliveries }, reason, furtherFields);
    await this.#retry(() => this.#log.storeDeadLetter(entry.key, letter));
  }

  /** Repeats a write until it succeeds, however long the bus is away: otherwise the message would be delivered again. */
  async #retry<Value>(write: () => Promise<Value>): Promise<Value | undefined> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await write();
      } catch (error) {
        if (failures === 1) this.#report(error);
        if (this.#end.signal.aborted) return undefined;
        await this.#pause(failures);
      }
    }
  }

  async #pause(count: number): Promise<void> {
    const milliseconds = Math.min(FIRST_PAUSE_MS * 2 ** (count - 1), MAX_PAUSE_MS);
    await pause(milliseconds, undefined, { signal: this.#end.signal }).catch(() => undefined);
  }

  #report(error: unknown): void {
    if (this.#end.signal.aborted) return;
    try {
      this.#options.onError(error);
    } catch {
      // A listener that fails must not end the subscription.
    }
  }
}
