import { setTimeout as pause } from 'node:timers/promises';
import type { Subscription } from './bus.js';
import type { GroupLog, HeldEntry } from './group-log.js';
import { deadLetter, type LetterReason, letterContent } from './letter.js';
import { CLOSE_WAIT_MS } from './limits.js';
import { type CheckedSubscription, kindOf } from './options.js';

/** The first wait before a message is delivered again, or a bus asked again; each further one is twice as long. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/** A lease is renewed so often that one lost renewal does no harm. */
const RENEWALS_PER_LEASE = 3;

/** Takes messages of a group and hands them to a handler: the same for every bus. */
export class Consumer implements Subscription {
  readonly #log: GroupLog;
  readonly #options: CheckedSubscription;
  readonly #end = new AbortController();
  readonly #work = new Set<Promise<void>>();
  readonly #running: Promise<void>;
  readonly #onClosed: () => void;
  #closed: Promise<void> | undefined;

  /** @param onClosed Called when nothing of it is left. */
  constructor(log: GroupLog, options: CheckedSubscription, onClosed: (consumer: Consumer) => void) {
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
    const patience = new AbortController();
    const late = pause(CLOSE_WAIT_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([this.#running, late]);
    patience.abort();
    try {
      await this.#log.leave();
    } catch {
      // Who is away cannot be told: the lease runs out by itself.
    }
    this.#onClosed();
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#end.signal.aborted; ) {
      const free = this.#options.concurrency - this.#work.size;
      if (free <= 0) {
        await Promise.race(this.#work);
        continue;
      }
      try {
        const entries = await this.#log.take(free);
        failures = 0;
        // What was taken while this was closed is given back, not begun.
        if (!this.#end.signal.aborted) for (const entry of entries) this.#start(entry);
      } catch (error) {
        failures += 1;
        // Of an outage one is told once.
        if (failures === 1) this.#tell(error);
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
      return await this.#bury(entry, entry.deliveries, 'unreadable', letterContent(entry.text));
    }
    const { handler, maxDeliveries } = this.#options;
    let deliveries = entry.deliveries;
    let error = 'lost';
    while (deliveries <= maxDeliveries) {
      try {
        await handler({ ...message }, { deliveries, signal: this.#end.signal });
        return await this.#insist(() => this.#log.done(entry.key));
      } catch (thrown) {
        // Whoever was told to end has not failed.
        if (this.#end.signal.aborted) return;
        error = kindOf(thrown);
        this.#tell(thrown);
      }
      if (deliveries === maxDeliveries) break;
      await this.#pause(deliveries);
      if (this.#end.signal.aborted) return;
      const counted = await this.#insist(() => this.#log.retake(entry.key));
      if (counted === undefined) return;
      deliveries = counted;
    }
    await this.#bury(entry, Math.min(deliveries, maxDeliveries), 'handler_failed', { error, payload: message.payload });
  }

  async #bury(entry: HeldEntry, deliveries: number, reason: LetterReason, more: object): Promise<void> {
    const { topic, group } = this.#options;
    const letter = deadLetter({ id: entry.id, topic, group, deliveries }, reason, more);
    await this.#insist(() => this.#log.bury(entry.key, letter));
  }

  /** What was handled is written down, however long the bus is away: else the message would come again. */
  async #insist<Value>(write: () => Promise<Value>): Promise<Value | undefined> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await write();
      } catch (error) {
        if (failures === 1) this.#tell(error);
        if (this.#end.signal.aborted) return undefined;
        await this.#pause(failures);
      }
    }
  }

  async #pause(count: number): Promise<void> {
    const milliseconds = Math.min(FIRST_PAUSE_MS * 2 ** (count - 1), MAX_PAUSE_MS);
    await pause(milliseconds, undefined, { signal: this.#end.signal }).catch(() => undefined);
  }

  #tell(error: unknown): void {
    if (this.#end.signal.aborted) return;
    try {
      this.#options.onError(error);
    } catch {
      // A listener that fails must not end what it listens to.
    }
  }
}
