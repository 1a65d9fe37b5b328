import { type Checked, checkedOptions, integer } from '../config/validate.js';
import type {
  Bus,
  BusHandler,
  BusMessage,
  BusReadBlockingOptions,
  BusReadOptions,
  Published,
  PublishOptions,
  SubscribeOptions,
  Subscription,
} from './bus.js';
import { Consumer } from './consumer.js';
import { busBusy, busClosed } from './errors.js';
import { deadLetter, groupNotice, letterContent } from './letter.js';
import {
  DEFAULT_GROUP_IDLE_MS,
  DEFAULT_MEMORY_BYTES,
  DEFAULT_REMEMBERED_IDS,
  DEFAULT_TOPIC_MESSAGES,
  GROUP_IDLE_RANGE,
  MAX_AGE_RANGE,
  MAX_BUS_READERS,
  MAX_DEAD_LETTERS,
  MAX_MEMORY_TOPICS,
  MAX_TOPIC_MESSAGES,
  MEMORY_BYTES_RANGE,
  REMEMBERED_IDS_RANGE,
} from './limits.js';
import { MemoryGroup } from './memory-group.js';
import { MemoryShare, sizeOf } from './memory-share.js';
import { MemoryTopic } from './memory-topic.js';
import {
  checkBlockingRead,
  checkPublish,
  checkRead,
  checkSubscription,
  checkTopic,
  checkTopics,
  removalWarning,
  removedTopicOf,
} from './options.js';
import { type EncodedMessage, encodePayload } from './payload.js';

/** The options of an embedded bus. */
export interface MemoryBusOptions {
  /**
   * How many messages are kept of each topic; ten times as many of those that a group has not handled. Beyond that the
   * oldest become dead letters with the reason `trimmed`. Default: 10,000. Range: 1 to 1,000,000.
   */
  readonly maxLength?: number | undefined;
  /**
   * What is kept of all topics together, in bytes: of each message its JSON, its id and 256. For a message that has no
   * room the oldest of those go that no group waits for, of whatever topic. Where there are none left the message is
   * refused with `ERR_BUSY`, and `data.limit` is this number. Default: 256 MiB. Range: 8 MiB to 64 GiB.
   */
  readonly maxBytes?: number | undefined;
  /**
   * After how many milliseconds a message is removed, with the next message of its topic, and handed to no handler any
   * more. For each group that had not handled it, it becomes a dead letter with the reason `expired`. Default: never.
   * Range: 1,000 to 31,536,000,000.
   */
  readonly maxAgeMs?: number | undefined;
  /**
   * After how many milliseconds without a subscription a group is removed. What was kept for it is released, and a
   * `group_expired` among the dead letters says so. Default: 604,800,000, a week. Range: 3,600,000 to 31,536,000,000.
   */
  readonly groupIdleMs?: number | undefined;
  /**
   * How many ids of messages that are not kept any more are remembered, each for a day at most, so that a second
   * `publish` with such an id stores nothing. Default: 100,000. Range: 1,000 to 10,000,000.
   */
  readonly rememberedIds?: number | undefined;
}

const LENGTH_RANGE = { min: 1, max: MAX_TOPIC_MESSAGES, unit: 'messages' };
const CHECKS = {
  maxLength: integer(LENGTH_RANGE, DEFAULT_TOPIC_MESSAGES),
  maxBytes: integer(MEMORY_BYTES_RANGE, DEFAULT_MEMORY_BYTES),
  maxAgeMs: integer(MAX_AGE_RANGE, 0),
  groupIdleMs: integer(GROUP_IDLE_RANGE, DEFAULT_GROUP_IDLE_MS),
  rememberedIds: integer(REMEMBERED_IDS_RANGE, DEFAULT_REMEMBERED_IDS),
};

/** The outcome of storing one message. */
interface StoreOutcome {
  /** The number of topics that stored the message now. Topics that had stored it before do not count. */
  readonly stored: number;
  /** The topic of each removed message that a group had not handled, once for each such group. */
  readonly givenUp: readonly string[];
}

/**
 * A bus inside this process. It gives the guarantees of `RedisBus` for as long as the process lives: nothing is written
 * to disk, and no other process sees the messages.
 *
 * At most 256 MiB in all (`maxBytes`), 64 MiB of each topic, and 10,000 topics are kept. A message for which there is no room within these
 * limits is refused with `ERR_BUSY`.
 *
 * @example
 * ```ts
 * import { MemoryBus } from 'handrail';
 *
 * await using bus = new MemoryBus();
 * const { id } = await bus.publish('chat:c1', { content: 'one' });
 * await bus.publish('chat:c1', { content: 'two' });
 * console.log((await bus.read('chat:c1', { after: id })).map(({ payload }) => payload['content'])); // [ 'two' ]
 * ```
 */
export class MemoryBus implements Bus {
  readonly #options: Checked<typeof CHECKS>;
  readonly #share: MemoryShare;
  readonly #topics = new Map<string, MemoryTopic>();
  readonly #consumers = new Set<Consumer>();
  readonly #waits = new Set<() => void>();
  readonly #warn = removalWarning();
  #isClosed = false;

  /**
   * @param options See `MemoryBusOptions`.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for an unknown or wrong option.
   */
  constructor(options: MemoryBusOptions = {}) {
    this.#options = checkedOptions(options, 'options', CHECKS);
    this.#share = new MemoryShare(this.#options.rememberedIds);
  }

  /** See `Bus.publish`. */
  publish(topic: string | readonly string[], payload: object, options: PublishOptions = {}): Promise<Published> {
    return promiseOf(() => {
      const topics = checkTopics(topic);
      const message = encodePayload(payload, checkPublish(options));
      this.#assertOpen();
      const { stored, givenUp } = this.#store(topics, message, 'bounded');
      this.#warn(givenUp);
      return { id: message.id, topics, duplicate: stored === 0, givenUp: givenUp.length };
    });
  }

  /** See `Bus.read`. */
  read(topic: string, options: BusReadOptions = {}): Promise<BusMessage[]> {
    return promiseOf(() => {
      const name = checkTopic(topic);
      const checkedRead = checkRead(options);
      this.#assertOpen();
      return this.#logOf(name).read(checkedRead);
    });
  }

  /** See `Bus.readBlocking`. */
  async readBlocking(topic: string, options: BusReadBlockingOptions = {}): Promise<BusMessage[]> {
    const name = checkTopic(topic);
    const { after, limit, blockMs } = checkBlockingRead(options);
    this.#assertOpen();
    const log = this.#logOf(name);
    const position = log.position(after);
    const messages = log.from(position, limit);
    if (messages.length > 0 || blockMs === 0) return messages;
    this.#assertReaders();
    const [kept = log] = this.#openLogs([name]);
    await this.#wait(kept, blockMs);
    return kept.from(position, limit);
  }

  /** See `Bus.subscribe`. */
  subscribe(topic: string, handler: BusHandler, given: SubscribeOptions): Promise<Subscription> {
    return promiseOf(() => {
      const subscription = checkSubscription(topic, handler, given);
      this.#assertOpen();
      this.#assertReaders();
      const [log] = this.#openLogs([subscription.topic]) as [MemoryTopic];
      this.#removeIdleGroups([subscription.topic], Date.now());
      log.join(subscription.group);
      const letters = (letter: EncodedMessage) => this.#store([subscription.deadLetterTopic], letter, 'letter');
      const options = { ...subscription, maxAgeMs: this.#options.maxAgeMs };
      const consumer = new Consumer(new MemoryGroup(log, subscription.group, letters), options, (ended) => {
        this.#consumers.delete(ended);
      });
      this.#consumers.add(consumer);
      return consumer;
    });
  }

  /** See `Bus.close`. Published messages are lost. */
  async close(): Promise<void> {
    const consumers = [...this.#consumers].map((consumer) => consumer.close());
    this.#isClosed = true;
    for (const wake of [...this.#waits]) wake();
    await Promise.all(consumers);
    this.#topics.clear();
  }

  /** The same as `close()`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Stores a message on every topic that does not have it, and dead letters of the unhandled messages that it displaces. */
  #store(topics: readonly string[], message: EncodedMessage, kind: 'bounded' | 'letter'): StoreOutcome {
    const now = Date.now();
    const logs = this.#openLogs(topics);
    this.#removeIdleGroups(topics, now);
    const newTopics = topics.filter((_topic, index) => logs[index]?.has(message, now) === false);
    // A letter takes the place of a message that can go once it is stored, so it has room where nothing else has.
    if (!this.#makeRoom(newTopics.length * sizeOf(message), now) && kind === 'bounded') {
      const problem = 'The bus is full of messages that groups have not handled yet: nothing was stored';
      throw busBusy(problem, this.#options.maxBytes);
    }
    const letters = newTopics.flatMap((topic) => {
      const removedMessages = this.#logOf(topic).givenUp(message.text.length, now);
      return removedMessages.map(({ message: { id, text }, group, deliveries, reason }) => {
        return { topic, letter: deadLetter({ id, topic, group, deliveries }, reason, letterContent(text)) };
      });
    });
    // Dead letters are never refused, but there may be no room for their topic.
    const letterLogs = this.#openLogs(letters.map(({ topic }) => removedTopicOf(topic)));
    for (const topic of newTopics) this.#logOf(topic).append(message, now);
    for (const [index, { letter }] of letters.entries()) letterLogs[index]?.append(letter, now);
    if (letters.length > 0) this.#makeRoom(0, now);
    return { stored: newTopics.length, givenUp: letters.map(({ topic }) => topic) };
  }

  /**
   * Removes the oldest messages that no group waits for until a message of this size has room. False when there are too
   * few of them; then nothing is removed but groups that nobody reads.
   */
  #makeRoom(bytes: number, now: number): boolean {
    const excess = this.#share.bytes + bytes - this.#options.maxBytes;
    if (excess <= 0 || this.#removeOldest(excess)) return true;
    return this.#removeIdleGroups([...this.#topics.keys()], now) > 0 && this.#removeOldest(excess);
  }

  #removeOldest(excess: number): boolean {
    const ends = new Map([...this.#topics.values()].map((log) => [log, log.first]));
    for (let freed = 0; freed < excess; ) {
      let oldest: { readonly log: MemoryTopic; readonly order: number; readonly bytes: number } | undefined;
      for (const [log, end] of ends) {
        const entry = log.removable(end);
        if (entry !== undefined && entry.order < (oldest?.order ?? Number.POSITIVE_INFINITY))
          oldest = { log, ...entry };
      }
      if (oldest === undefined) return false;
      freed += oldest.bytes;
      ends.set(oldest.log, (ends.get(oldest.log) ?? 0) + 1);
    }
    for (const [log, end] of ends) log.trimTo(end);
    return true;
  }

  /** Removes the groups of these topics that nobody has read for too long, and says so. Returns their number. */
  #removeIdleGroups(topics: readonly string[], now: number): number {
    const idleGroups = topics.flatMap((topic) =>
      this.#logOf(topic)
        .idleGroups(now)
        .map((group) => ({ topic, group })),
    );
    const letterLogs = this.#openLogs(idleGroups.map(({ topic }) => removedTopicOf(topic)));
    for (const [index, { topic, group }] of idleGroups.entries()) {
      this.#logOf(topic).removeGroup(group);
      letterLogs[index]?.append(groupNotice(topic, group), now);
    }
    return idleGroups.length;
  }

  /** The logs of these topics. Missing ones are created, all of them or none. */
  #openLogs(topics: readonly string[]): MemoryTopic[] {
    const missingTopics = new Set(topics.filter((topic) => !this.#topics.has(topic)));
    if (this.#topics.size + missingTopics.size > MAX_MEMORY_TOPICS) {
      throw busBusy(`An embedded bus has at most ${MAX_MEMORY_TOPICS} topics`, MAX_MEMORY_TOPICS);
    }
    for (const topic of missingTopics) this.#topics.set(topic, this.#logOf(topic));
    return topics.map((topic) => this.#logOf(topic));
  }

  /** The log of a topic. For a topic without messages it is a new one, which is not kept. */
  #logOf(topic: string): MemoryTopic {
    const knownLog = this.#topics.get(topic);
    if (knownLog !== undefined) return knownLog;
    const { maxLength, maxAgeMs, groupIdleMs } = this.#options;
    const isLetters = removedTopicOf(topic) === topic;
    const maxEntries = isLetters ? MAX_DEAD_LETTERS : maxLength;
    return new MemoryTopic(topic, { maxEntries, waitsForGroups: !isLetters, maxAgeMs, groupIdleMs }, this.#share);
  }

  async #wait(log: MemoryTopic, milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        forget();
        this.#waits.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      const forget = log.onAppend(wake);
      this.#waits.add(wake);
    });
  }

  #assertReaders(): void {
    if (this.#consumers.size + this.#waits.size < MAX_BUS_READERS) return;
    throw busBusy(`A bus has at most ${MAX_BUS_READERS} subscriptions and blocking reads at a time`, MAX_BUS_READERS);
  }

  #assertOpen(): void {
    if (this.#isClosed) throw busClosed();
  }
}

/** A promise of the result of `work`, rejected when `work` throws. */
function promiseOf<Value>(work: () => Value): Promise<Value> {
  return new Promise((resolve) => {
    resolve(work());
  });
}
