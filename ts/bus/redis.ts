import { type Checked, checkedOptions, integer, invalidArgument, textValue } from '../config/validate.js';
import { HandrailError } from '../errors.js';
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
import { microsecondsNow } from './envelope.js';
import { busBusy, busClosed, busError, idReused } from './errors.js';
import {
  DEDUPE_MS,
  DEFAULT_BUS_TIMEOUT_MS,
  DEFAULT_GROUP_IDLE_MS,
  DEFAULT_REMEMBERED_IDS,
  GROUP_IDLE_RANGE,
  MAX_AGE_RANGE,
  MAX_BUS_IN_FLIGHT,
  MAX_BUS_READERS,
  MAX_BUS_TIMEOUT_MS,
  MAX_DEAD_LETTERS,
  MAX_TOPIC_MESSAGES,
  MAX_TRIMMED_PER_PUBLISH,
  REMEMBERED_IDS_RANGE,
  SLOW_GROUP_FACTOR,
} from './limits.js';
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
import { encodePayload } from './payload.js';
import { bookKey, bookLifeMs } from './redis-book.js';
import { isUnknown, RedisCalls } from './redis-calls.js';
import { KnownStreamIds } from './redis-entries.js';
import { RedisGroup } from './redis-group.js';
import { RedisLink } from './redis-link.js';
import { loadRedis } from './redis-peer.js';
import { RedisReader } from './redis-reader.js';
import { PUBLISH_SCRIPT } from './redis-scripts.js';

/** The options of a Redis bus. */
export interface RedisBusOptions {
  /** The address: `redis://` or, with TLS, `rediss://`, with user, password and number of the database where needed. */
  readonly url: string;
  /** Milliseconds after which a missing answer of Redis is an error. Default: 1,500. Range: 10 to 60,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How many messages are kept of each topic that is published to; ten times as many of those that a group has not
   * handled. Beyond that the oldest become dead letters with the reason `trimmed`. Default: all. Range: 1 to 1,000,000.
   */
  readonly maxLength?: number | undefined;
  /**
   * After how many milliseconds, by the clock of Redis, a message is removed, with the next message that this bus
   * publishes on its topic, and handed to no handler of this bus any more. For each group that had not handled it, it
   * becomes a dead letter with the reason `expired`. Default: never. Range: 1,000 to 31,536,000,000.
   */
  readonly maxAgeMs?: number | undefined;
  /**
   * After how many milliseconds without a subscription a group is removed where messages would have to be kept for it.
   * They are released, and a `group_expired` among the dead letters says so. Default: 604,800,000, a week. Range:
   * 3,600,000 to 31,536,000,000.
   */
  readonly groupIdleMs?: number | undefined;
  /**
   * How many ids of published messages are remembered of each topic, each for a day at most, so that a second `publish`
   * with such an id stores nothing. Default: 100,000. Range: 1,000 to 10,000,000.
   */
  readonly rememberedIds?: number | undefined;
}

/** The answer of the script: for each topic whether the message was stored, and how many messages were removed unhandled. */
type PublishAnswer = string | readonly [stored: readonly number[], givenUp: readonly number[]];

const PROTOCOLS: readonly string[] = ['redis:', 'rediss:'];
const MIN_TIMEOUT_MS = 10;

const TIMEOUT_RANGE = { min: MIN_TIMEOUT_MS, max: MAX_BUS_TIMEOUT_MS, unit: 'milliseconds' };
const LENGTH_RANGE = { min: 1, max: MAX_TOPIC_MESSAGES, unit: 'messages' };

const CHECKS = {
  url: redisUrl,
  timeoutMs: integer(TIMEOUT_RANGE, DEFAULT_BUS_TIMEOUT_MS),
  maxLength: integer(LENGTH_RANGE, 0),
  maxAgeMs: integer(MAX_AGE_RANGE, 0),
  groupIdleMs: integer(GROUP_IDLE_RANGE, DEFAULT_GROUP_IDLE_MS),
  rememberedIds: integer(REMEMBERED_IDS_RANGE, DEFAULT_REMEMBERED_IDS),
};

/** What is kept of a topic. */
type Bounds = Omit<Checked<typeof CHECKS>, 'url' | 'timeoutMs'>;

/**
 * A bus over Redis Streams (6.2 or newer, one server), for processes that share the server. Topics are keys, and
 * entries have the fields `id` and `payload`, as programs that use v1 read and write them.
 *
 * It needs the package `ioredis` 6, which is loaded at the first call. An idle bus does not keep the process alive; a
 * subscription does.
 *
 * @example
 * ```ts
 * import { RedisBus } from 'handrail';
 *
 * await using bus = new RedisBus({ url: 'redis://127.0.0.1:1', timeoutMs: 200 });
 * const failure = await bus.publish('chat:c1', { content: 'hi' }).catch((error) => error);
 * console.log(failure.code, failure.data.reason); // ERR_BUS unavailable
 * ```
 */
export class RedisBus implements Bus {
  readonly #url: string;
  readonly #timeoutMs: number;
  readonly #bounds: Bounds;
  readonly #calls: RedisCalls;
  readonly #reader: RedisReader;
  readonly #knownStreamIds = new KnownStreamIds();
  readonly #consumers = new Set<Consumer>();
  /** Connections of blocking reads. */
  readonly #readingLinks = new Set<RedisLink>();
  readonly #idleLinks: RedisLink[] = [];
  readonly #warn = removalWarning();
  #inFlight = 0;
  #subscribing = 0;
  #isClosed = false;

  /**
   * @param options The address, or see `RedisBusOptions`. No connection is made yet.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for an unknown or wrong option.
   */
  constructor(options: string | RedisBusOptions) {
    const optionsGiven = typeof options === 'string' ? { url: options } : options;
    const { url, timeoutMs, ...bounds } = checkedOptions(optionsGiven, 'options', CHECKS, 'a URL or an object');
    this.#url = url;
    this.#timeoutMs = timeoutMs;
    this.#bounds = bounds;
    this.#calls = new RedisCalls(this.#link(true), this.#timeoutMs);
    this.#reader = new RedisReader(this.#calls, this.#knownStreamIds);
  }

  /** See `Bus.publish`. */
  async publish(topic: string | readonly string[], payload: object, options: PublishOptions = {}): Promise<Published> {
    const topics = checkTopics(topic);
    const { id, text } = encodePayload(payload, checkPublish(options));
    this.#assertOpen();
    if (this.#inFlight >= MAX_BUS_IN_FLIGHT) {
      throw busBusy(`At most ${MAX_BUS_IN_FLIGHT} messages are sent at a time`, MAX_BUS_IN_FLIGHT);
    }
    this.#inFlight += 1;
    try {
      const keys = [...topics, ...topics.map(bookKey), ...topics.map(removedTopicOf)];
      const { maxLength, maxAgeMs, groupIdleMs, rememberedIds } = this.#bounds;
      const bounds = [maxLength, SLOW_GROUP_FACTOR, MAX_TRIMMED_PER_PUBLISH, MAX_DEAD_LETTERS];
      const ages = [rememberedIds, maxAgeMs, groupIdleMs, bookLifeMs(groupIdleMs)];
      const args = [id, text, DEDUPE_MS, ...bounds, microsecondsNow(), ...ages];
      const answer = (await this.#calls.run(PUBLISH_SCRIPT, keys, args)) as PublishAnswer;
      if (typeof answer === 'string') throw answer === 'reused' ? idReused() : noStream();
      const [stored, givenUp] = answer;
      this.#warn(topics.filter((_topic, index) => (givenUp[index] ?? 0) > 0));
      return { id, topics, duplicate: !stored.includes(1), givenUp: givenUp.reduce((sum, count) => sum + count, 0) };
    } catch (error) {
      throw publishError(error, id);
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** See `Bus.read`. `after` may also be the id of an entry, such as `1700000000000-0`. */
  async read(topic: string, options: BusReadOptions = {}): Promise<BusMessage[]> {
    const name = checkTopic(topic);
    const checkedRead = checkRead(options);
    this.#assertOpen();
    return await this.#reader.read(name, checkedRead);
  }

  /** See `Bus.readBlocking`. It waits on a connection of its own. */
  async readBlocking(topic: string, options: BusReadBlockingOptions = {}): Promise<BusMessage[]> {
    const name = checkTopic(topic);
    const { after, limit, blockMs } = checkBlockingRead(options);
    this.#assertOpen();
    this.#assertReaders();
    const link = this.#idleLinks.pop() ?? this.#link(false);
    this.#readingLinks.add(link);
    try {
      const streamId = await this.#reader.streamIdOf(name, after);
      if (after !== undefined || blockMs === 0) {
        const messages = after === undefined ? [] : await this.#reader.after(name, streamId, limit);
        if (messages.length > 0 || blockMs === 0) return messages;
      }
      return await this.#reader.wait(new RedisCalls(link, this.#timeoutMs), name, streamId, limit, blockMs);
    } catch (error) {
      // Closing the bus ends a wait without messages.
      if (this.#isClosed) return [];
      throw error;
    } finally {
      this.#readingLinks.delete(link);
      if (!this.#isClosed) this.#idleLinks.push(link);
    }
  }

  /** See `Bus.subscribe`. */
  async subscribe(topic: string, handler: BusHandler, options: SubscribeOptions): Promise<Subscription> {
    const subscription = checkSubscription(topic, handler, options);
    this.#assertOpen();
    this.#assertReaders();
    this.#subscribing += 1;
    try {
      const { groupIdleMs, maxAgeMs } = this.#bounds;
      const groupOptions = { ...subscription, groupIdleMs };
      const group = new RedisGroup(this.#calls, this.#link(false), this.#timeoutMs, groupOptions);
      await group.join();
      this.#assertOpen();
      const consumer = new Consumer(group, { ...subscription, maxAgeMs }, (ended) => this.#consumers.delete(ended));
      this.#consumers.add(consumer);
      return consumer;
    } finally {
      this.#subscribing -= 1;
    }
  }

  /** See `Bus.close`. Published messages stay in Redis. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const link of [...this.#readingLinks, ...this.#idleLinks]) link.close();
    await Promise.all([...this.#consumers].map((consumer) => consumer.close()));
    this.#calls.link.close();
  }

  /** The same as `close()`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #link(together: boolean): RedisLink {
    return new RedisLink({ load: loadRedis, url: this.#url, timeoutMs: this.#timeoutMs, pipelines: together });
  }

  #assertReaders(): void {
    if (this.#consumers.size + this.#subscribing + this.#readingLinks.size < MAX_BUS_READERS) return;
    throw busBusy(`A bus has at most ${MAX_BUS_READERS} subscriptions and blocking reads at a time`, MAX_BUS_READERS);
  }

  #assertOpen(): void {
    if (this.#isClosed) throw busClosed();
  }
}

/** Checks the address. Messages do not repeat it, because it may hold a password. */
function redisUrl(value: unknown, name: string): string {
  const text = textValue(value, name);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && PROTOCOLS.includes(url.protocol) && url.hostname !== '') return text;
  throw invalidArgument(name, 'an address of the form redis://host:port or rediss://host:port', value);
}

/** The error of a publish: it says whether the message was stored. */
function publishError(error: unknown, id: string): unknown {
  if (isUnknown(error)) {
    return busError(
      'unknown',
      'Redis has not answered in time: the message may be stored or not. Publish it again with the same id; it is stored once',
      { id },
    );
  }
  if (!(error instanceof HandrailError) || error.data?.['code'] === undefined) return error;
  if (error.data['reason'] !== 'refused') return error;
  return busError('refused', `${error.message}: nothing was stored`, { code: String(error.data['code']) });
}

function noStream(): HandrailError {
  return busError('refused', 'A topic is a key of Redis that holds something else: nothing was stored');
}
