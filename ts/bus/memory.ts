import { checkedOptions, integer } from '../config/validate.js';
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
import { deadLetter, letterContent } from './letter.js';
import {
  DEFAULT_TOPIC_MESSAGES,
  MAX_BUS_READERS,
  MAX_DEAD_LETTERS,
  MAX_MEMORY_TOPICS,
  MAX_TOPIC_MESSAGES,
} from './limits.js';
import { MemoryGroup } from './memory-group.js';
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
}

const LENGTH_RANGE = { min: 1, max: MAX_TOPIC_MESSAGES, unit: 'messages' };
const CHECKS = { maxLength: integer(LENGTH_RANGE, DEFAULT_TOPIC_MESSAGES) };

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
 * At most 64 MiB of each topic and at most 10,000 topics are kept. A message for which there is no room within these
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
  readonly #maxLength: number;
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
    this.#maxLength = checkedOptions(options, 'options', CHECKS).maxLength;
  }

  /** See `Bus.publish`. */
  publish(topic: string | readonly string[], payload: object, options: PublishOptions = {}): Promise<Published> {
    return promiseOf(() => {
      const topics = checkTopics(topic);
      const message = encodePayload(payload, checkPublish(options));
      this.#assertOpen();
      const { stored, givenUp } = this.#store(topics, message);
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
  subscribe(topic: string, handler: BusHandler, options: SubscribeOptions): Promise<Subscription> {
    return promiseOf(() => {
      const subscription = checkSubscription(topic, handler, options);
      this.#assertOpen();
      this.#assertReaders();
      const [log] = this.#openLogs([subscription.topic]) as [MemoryTopic];
      log.join(subscription.group);
      const letters = (letter: EncodedMessage) => this.#store([subscription.deadLetterTopic], letter);
      const consumer = new Consumer(new MemoryGroup(log, subscription.group, letters), subscription, (ended) => {
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
  #store(topics: readonly string[], message: EncodedMessage): StoreOutcome {
    const logs = this.#openLogs(topics);
    const newTopics = topics.filter((_topic, index) => logs[index]?.has(message) === false);
    const letters = newTopics.flatMap((topic) => {
      const removedMessages = this.#logOf(topic).givenUp(message.text.length);
      return removedMessages.map(({ message: { id, text }, group, deliveries }) => {
        return { topic, letter: deadLetter({ id, topic, group, deliveries }, 'trimmed', letterContent(text)) };
      });
    });
    // Dead letters are never refused, but there may be no room for their topic.
    const letterLogs = this.#openLogs(letters.map(({ topic }) => removedTopicOf(topic)));
    for (const topic of newTopics) this.#logOf(topic).append(message);
    for (const [index, { letter }] of letters.entries()) letterLogs[index]?.append(letter);
    return { stored: newTopics.length, givenUp: letters.map(({ topic }) => topic) };
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
    const letters = { maxEntries: MAX_DEAD_LETTERS, waitsForGroups: false };
    const messages = { maxEntries: this.#maxLength, waitsForGroups: true };
    return this.#topics.get(topic) ?? new MemoryTopic(topic, removedTopicOf(topic) === topic ? letters : messages);
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
