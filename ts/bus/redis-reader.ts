import type { BusMessage } from './bus.js';
import { cursorLost } from './errors.js';
import { MAX_READ_LIMIT, MAX_SCANNED_ENTRIES } from './limits.js';
import type { CheckedRead } from './options.js';
import { bookKey, ID_FIELD } from './redis-book.js';
import type { RedisCalls } from './redis-calls.js';
import {
  entriesOf,
  entriesOfStream,
  type KnownStreamIds,
  messageOf,
  STREAM_ID,
  type StoredEntry,
} from './redis-entries.js';

/** The stream id before the first entry. */
const BEGINNING = '0-0';

/** Reads topics in Redis. A cursor is a stream id, or the id of a message, for which the stream id is found. */
export class RedisReader {
  readonly #calls: RedisCalls;
  readonly #knownStreamIds: KnownStreamIds;

  constructor(calls: RedisCalls, knownStreamIds: KnownStreamIds) {
    this.#calls = calls;
    this.#knownStreamIds = knownStreamIds;
  }

  async read(topic: string, { after, limit }: CheckedRead): Promise<BusMessage[]> {
    if (after !== undefined) return await this.after(topic, await this.streamIdOf(topic, after), limit);
    return this.#messages(topic, (await this.#backwards(topic, '+', limit)).reverse());
  }

  /** The stream id of a cursor. Without a cursor that of the last entry. */
  async streamIdOf(topic: string, after: CheckedRead['after']): Promise<string> {
    if (after === 'beginning') return BEGINNING;
    if (after === undefined) return (await this.#backwards(topic, '+', 1))[0]?.streamId ?? BEGINNING;
    if (STREAM_ID.test(after.id)) return after.id;
    const streamId =
      this.#knownStreamIds.of(topic, after.id) ??
      (await this.#remembered(topic, after.id)) ??
      (await this.#search(topic, after.id));
    if (streamId === undefined) throw await this.#cursorLost(topic);
    return streamId;
  }

  /**
   * The messages after a stream id. The entry with that id is read in the same command, to check that it exists.
   *
   * @throws HandrailError `ERR_BUS` when the entry does not exist.
   */
  async after(topic: string, streamId: string, limit: number): Promise<BusMessage[]> {
    const entries = entriesOf(
      await this.#calls.repeat((link, end) =>
        link.call((client) => client.xrange(topic, streamId, '+', 'COUNT', limit + 1), end),
      ),
    );
    if (streamId === BEGINNING) return this.#messages(topic, entries.slice(0, limit));
    if (entries[0]?.streamId !== streamId) throw await this.#cursorLost(topic);
    return this.#messages(topic, entries.slice(1));
  }

  /** Waits for messages after a stream id, on a separate connection. */
  async wait(
    calls: RedisCalls,
    topic: string,
    streamId: string,
    limit: number,
    blockMs: number,
  ): Promise<BusMessage[]> {
    const end = performance.now() + blockMs;
    const answer = await calls.repeat((link, deadline) => {
      // A repeated command waits only for the remaining time. Redis takes 0 for no limit.
      const remainingMs = Math.max(1, Math.ceil(end - performance.now()));
      return link.call(
        (client) => client.xread('COUNT', limit, 'BLOCK', remainingMs, 'STREAMS', topic, streamId),
        deadline,
      );
    }, blockMs);
    return this.#messages(topic, entriesOfStream(answer));
  }

  /** Entries before a stream id, newest first. */
  async #backwards(topic: string, from: string, count: number): Promise<StoredEntry[]> {
    return entriesOf(
      await this.#calls.repeat((link, end) =>
        link.call((client) => client.xrevrange(topic, from, '-', 'COUNT', count), end),
      ),
    );
  }

  async #remembered(topic: string, id: string): Promise<string | undefined> {
    const place = await this.#calls.repeat((link, end) =>
      link.call((client) => client.hget(bookKey(topic), `${ID_FIELD}${id}`), end),
    );
    return place?.split(' ')[0];
  }

  /** Searches a topic backwards for the id of a message that this process has not seen. */
  async #search(topic: string, id: string): Promise<string | undefined> {
    let from = '+';
    for (let scanned = 0; scanned < MAX_SCANNED_ENTRIES; scanned += MAX_READ_LIMIT) {
      const page = await this.#backwards(topic, from, MAX_READ_LIMIT);
      const foundEntry = page.find((entry) => entry.id === id);
      if (foundEntry !== undefined) return foundEntry.streamId;
      const last = page.at(-1);
      if (last === undefined || page.length < MAX_READ_LIMIT) return undefined;
      from = `(${last.streamId}`;
    }
    return undefined;
  }

  async #cursorLost(topic: string): Promise<Error> {
    const [oldest] = entriesOf(
      await this.#calls.repeat((link, end) => link.call((client) => client.xrange(topic, '-', '+', 'COUNT', 1), end)),
    );
    return cursorLost(oldest?.id);
  }

  #messages(topic: string, entries: readonly StoredEntry[]): BusMessage[] {
    for (const { id, streamId: place } of entries) this.#knownStreamIds.add(topic, id, place);
    return entries.map((entry) => messageOf(topic, entry));
  }
}
