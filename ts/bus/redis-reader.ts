import type { BusMessage } from './bus.js';
import { cursorLost } from './errors.js';
import { MAX_READ_LIMIT, MAX_SCANNED_ENTRIES } from './limits.js';
import { type CheckedRead, DEDUPE_PREFIX } from './options.js';
import type { RedisCalls } from './redis-calls.js';
import { entriesOf, entriesOfStream, type KnownPlaces, messageOf, PLACE, type StoredEntry } from './redis-entries.js';

/** Before the first entry. */
const BEGINNING = '0-0';

/** The key that remembers that a topic has a message of this id, and where. */
export function dedupeKey(topic: string, id: string): string {
  return `${DEDUPE_PREFIX}${topic}:${id}`;
}

/** Reads topics of a Redis. A cursor is a place, or an id that is turned into one. */
export class RedisReader {
  readonly #calls: RedisCalls;
  readonly #known: KnownPlaces;

  constructor(calls: RedisCalls, known: KnownPlaces) {
    this.#calls = calls;
    this.#known = known;
  }

  async read(topic: string, { after, limit }: CheckedRead): Promise<BusMessage[]> {
    if (after !== undefined) return await this.behind(topic, await this.placeOf(topic, after), limit);
    return this.#given(topic, (await this.#backwards(topic, '+', limit)).reverse());
  }

  /** Where reading goes on. Without a cursor: at the last entry there is. */
  async placeOf(topic: string, after: CheckedRead['after']): Promise<string> {
    if (after === 'beginning') return BEGINNING;
    if (after === undefined) return (await this.#backwards(topic, '+', 1))[0]?.place ?? BEGINNING;
    if (PLACE.test(after.id)) return after.id;
    const place =
      this.#known.of(topic, after.id) ??
      (await this.#calls.repeat((link, end) => link.call((client) => client.get(dedupeKey(topic, after.id)), end))) ??
      (await this.#search(topic, after.id));
    if (place === undefined) throw await this.#lost(topic);
    return place;
  }

  /**
   * What follows `place`, which has to be there: the entry itself is read too, so that one command says both.
   *
   * @throws HandrailError `ERR_BUS` when it is not.
   */
  async behind(topic: string, place: string, limit: number): Promise<BusMessage[]> {
    const found = entriesOf(
      await this.#calls.repeat((link, end) =>
        link.call((client) => client.xrange(topic, place, '+', 'COUNT', limit + 1), end),
      ),
    );
    if (place === BEGINNING) return this.#given(topic, found.slice(0, limit));
    if (found[0]?.place !== place) throw await this.#lost(topic);
    return this.#given(topic, found.slice(1));
  }

  /** Waits for what follows `place`, on a connection of its own. */
  async wait(calls: RedisCalls, topic: string, place: string, limit: number, blockMs: number): Promise<BusMessage[]> {
    const end = performance.now() + blockMs;
    const answer = await calls.repeat((link, deadline) => {
      // After a cut only what is left is waited for; 0 would be for ever.
      const rest = Math.max(1, Math.ceil(end - performance.now()));
      return link.call((client) => client.xread('COUNT', limit, 'BLOCK', rest, 'STREAMS', topic, place), deadline);
    }, blockMs);
    return this.#given(topic, entriesOfStream(answer));
  }

  /** Newest first. */
  async #backwards(topic: string, from: string, count: number): Promise<StoredEntry[]> {
    return entriesOf(
      await this.#calls.repeat((link, end) =>
        link.call((client) => client.xrevrange(topic, from, '-', 'COUNT', count), end),
      ),
    );
  }

  /** For ids that other programs stored and this one has not seen. A cursor is mostly one of the newest. */
  async #search(topic: string, id: string): Promise<string | undefined> {
    let from = '+';
    for (let scanned = 0; scanned < MAX_SCANNED_ENTRIES; scanned += MAX_READ_LIMIT) {
      const page = await this.#backwards(topic, from, MAX_READ_LIMIT);
      const found = page.find((entry) => entry.id === id);
      if (found !== undefined) return found.place;
      const last = page.at(-1);
      if (last === undefined || page.length < MAX_READ_LIMIT) return undefined;
      from = `(${last.place}`;
    }
    return undefined;
  }

  async #lost(topic: string): Promise<Error> {
    const [oldest] = entriesOf(
      await this.#calls.repeat((link, end) => link.call((client) => client.xrange(topic, '-', '+', 'COUNT', 1), end)),
    );
    return cursorLost(oldest?.id);
  }

  #given(topic: string, entries: readonly StoredEntry[]): BusMessage[] {
    for (const { id, place } of entries) this.#known.add(topic, id, place);
    return entries.map((entry) => messageOf(topic, entry));
  }
}
