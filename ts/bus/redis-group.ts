import type { GroupLog, HeldEntry } from './group-log.js';
import { DEDUPE_MS, MAX_BUS_CONCURRENCY, MAX_DEAD_LETTERS, MAX_LEASE_MS } from './limits.js';
import type { CheckedSubscription } from './options.js';
import type { EncodedMessage } from './payload.js';
import { bookKey, bookLifeMs } from './redis-book.js';
import { isGroupMissing, RedisCalls } from './redis-calls.js';
import { entriesOf, entriesOfStream, type StoredEntry, storedAtOf } from './redis-entries.js';
import type { RedisLink } from './redis-link.js';
import { DEAD_LETTER_SCRIPT, JOIN_SCRIPT, LEAVE_SCRIPT, RENEW_SCRIPT } from './redis-scripts.js';

/** Longest wait of one `take`. Then entries of ended consumers are looked for. */
const MAX_WAIT_MS = 1_000;

/** How often in each lease entries of ended consumers are looked for. */
const TAKEOVERS_PER_LEASE = 2;

const BEGINNING = '0-0';
const MS_PER_SECOND = 1_000;

/** The arguments of `subscribe`, and after how long a group that nobody reads is removed. */
export interface RedisGroupOptions extends CheckedSubscription {
  readonly groupIdleMs: number;
}

/** One consumer of a group in Redis. It waits on its own connection and writes on the shared one. */
export class RedisGroup implements GroupLog {
  readonly #calls: RedisCalls;
  readonly #waitingCalls: RedisCalls;
  readonly #options: RedisGroupOptions;
  readonly #consumer = `handrail-${crypto.randomUUID()}`;
  readonly #heldKeys = new Set<string>();
  /** Whether an answer was lost, so that entries were delivered to this consumer which it has not seen. */
  #hasLostAnswer = false;
  #lastTakeoverAt = performance.now();
  #takeoverCursor = BEGINNING;

  constructor(calls: RedisCalls, link: RedisLink, timeoutMs: number, options: RedisGroupOptions) {
    this.#calls = calls;
    this.#waitingCalls = new RedisCalls(link, timeoutMs);
    this.#options = options;
  }

  async join(): Promise<void> {
    const { topic, group, groupIdleMs } = this.#options;
    await this.#calls.run(JOIN_SCRIPT, [topic, bookKey(topic)], [group, DEDUPE_MS, bookLifeMs(groupIdleMs)]);
  }

  async take(limit: number): Promise<readonly HeldEntry[]> {
    try {
      const entries = await this.#nextEntries(limit);
      for (const { key } of entries) this.#heldKeys.add(key);
      return entries;
    } catch (error) {
      this.#hasLostAnswer = true;
      if (!isGroupMissing(error)) throw error;
      await this.join();
      return [];
    }
  }

  async retake(key: string): Promise<number | undefined> {
    const deliveries = Number(await this.#hold(key, 1));
    if (deliveries > 0) return deliveries;
    this.#heldKeys.delete(key);
    return undefined;
  }

  async renew(key: string): Promise<void> {
    await this.#hold(key, 0);
  }

  async done(key: string): Promise<void> {
    const { topic, group } = this.#options;
    await this.#calls.repeat((link, end) => link.call((client) => client.xack(topic, group, key), end));
    this.#heldKeys.delete(key);
  }

  async storeDeadLetter(key: string, { id, text }: EncodedMessage): Promise<void> {
    const { topic, group, deadLetterTopic } = this.#options;
    await this.#calls.run(DEAD_LETTER_SCRIPT, [topic, deadLetterTopic], [group, key, id, text, MAX_DEAD_LETTERS]);
    this.#heldKeys.delete(key);
  }

  stop(): void {
    this.#waitingCalls.link.close();
  }

  async leave(): Promise<void> {
    const { topic, group, groupIdleMs } = this.#options;
    const args = [group, this.#consumer, MAX_LEASE_MS * 2, MAX_BUS_CONCURRENCY * 2, bookLifeMs(groupIdleMs)];
    await this.#calls.run(LEAVE_SCRIPT, [topic, bookKey(topic)], args);
  }

  async #nextEntries(limit: number): Promise<readonly HeldEntry[]> {
    const { leaseMs } = this.#options;
    if (this.#hasLostAnswer) {
      const lostEntries = await this.#lostEntries();
      if (lostEntries.length > 0) return lostEntries.slice(0, limit);
      this.#hasLostAnswer = false;
    }
    if (performance.now() - this.#lastTakeoverAt >= leaseMs / TAKEOVERS_PER_LEASE) {
      const abandoned = await this.#takeOver(limit);
      if (abandoned.length > 0) return abandoned;
    }
    return await this.#newEntries(limit, Math.min(MAX_WAIT_MS, leaseMs / TAKEOVERS_PER_LEASE));
  }

  async #newEntries(limit: number, waitMs: number): Promise<readonly HeldEntry[]> {
    const { topic, group } = this.#options;
    const answer = await this.#waitingCalls.repeat((link, end) => {
      // A lost answer may have delivered entries. A second attempt must not hide them.
      if (this.#hasLostAnswer) return Promise.resolve(null);
      this.#hasLostAnswer = true;
      return link
        .call(
          (client) =>
            client.xreadgroup(
              ...(['GROUP', group, this.#consumer, 'COUNT', limit, 'BLOCK', Math.ceil(waitMs)] as const),
              ...(['STREAMS', topic, '>'] as const),
            ),
          end,
        )
        .then((entries) => {
          this.#hasLostAnswer = false;
          return entries;
        });
    }, waitMs);
    return entriesOfStream(answer).map((entry) => this.#heldEntry(entry, 1));
  }

  /** The entries of lost answers. */
  async #lostEntries(): Promise<readonly HeldEntry[]> {
    const { topic, group } = this.#options;
    const count = this.#heldKeys.size + MAX_BUS_CONCURRENCY;
    const answer = await this.#waitingCalls.repeat((link, end) =>
      link.call(
        (client) => client.xreadgroup('GROUP', group, this.#consumer, 'COUNT', count, 'STREAMS', topic, BEGINNING),
        end,
      ),
    );
    return await this.#withDeliveries(
      entriesOfStream(answer).filter(({ streamId: place }) => !this.#heldKeys.has(place)),
    );
  }

  /** Takes over entries of consumers that have not renewed their leases. */
  async #takeOver(limit: number): Promise<readonly HeldEntry[]> {
    const { topic, group, leaseMs } = this.#options;
    const answer = (await this.#calls.repeat((link, end) =>
      link.call(
        (client) => client.xautoclaim(topic, group, this.#consumer, leaseMs, this.#takeoverCursor, 'COUNT', limit),
        end,
      ),
    )) as unknown as readonly [next: string, entries: unknown, trimmed?: readonly string[]];
    const [next, entries, trimmed = []] = answer;
    this.#takeoverCursor = next;
    if (next === BEGINNING) this.#lastTakeoverAt = performance.now();
    if (trimmed.length > 0) this.#warnOfTrimmed(trimmed.length);
    return await this.#withDeliveries(entriesOf(entries).filter(({ streamId: place }) => !this.#heldKeys.has(place)));
  }

  /** The entries with the number of their deliveries, which Redis keeps with the group. */
  async #withDeliveries(entries: readonly StoredEntry[]): Promise<readonly HeldEntry[]> {
    const { topic, group } = this.#options;
    return await Promise.all(
      entries.map(async (entry) => {
        const { streamId: place } = entry;
        const pending = (await this.#calls.repeat((link, end) =>
          link.call((client) => client.xpending(topic, group, place, place, 1), end),
        )) as readonly (readonly [place: string, consumer: string, idle: number, deliveries: number])[];
        return this.#heldEntry(entry, Math.max(1, pending[0]?.[3] ?? 1));
      }),
    );
  }

  #heldEntry({ streamId: place, id, text, payload }: StoredEntry, deliveries: number): HeldEntry {
    const message = payload === undefined ? undefined : { topic: this.#options.topic, payload, id };
    return { key: place, id, text, storedAt: storedAtOf(place), deliveries, message };
  }

  async #hold(key: string, addedDeliveries: 0 | 1): Promise<unknown> {
    const { topic, group } = this.#options;
    return await this.#calls.run(RENEW_SCRIPT, [topic], [group, this.#consumer, key, addedDeliveries]);
  }

  #warnOfTrimmed(count: number): void {
    process.emitWarning(
      `${count} messages of a topic were trimmed away before a group of it had handled them ` +
        `(in the last ${Math.ceil(this.#options.leaseMs / MS_PER_SECOND)} s)`,
      { type: 'HandrailWarning', code: 'HANDRAIL_BUS' },
    );
  }
}
