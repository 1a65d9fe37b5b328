import type { BusMessage } from './bus.js';
import { busBusy, cursorLost, idReused } from './errors.js';
import type { HeldEntry } from './group-log.js';
import { MAX_MEMORY_GROUPS, MAX_TOPIC_BYTES, SLOW_GROUP_FACTOR } from './limits.js';
import type { CheckedRead } from './options.js';
import { decodePayload, type EncodedMessage } from './payload.js';

/** The consumer that holds an entry, and how often the entry was delivered. */
interface HeldBy {
  readonly by: object;
  deliveries: number;
}

/** A group. Every entry below `next` was delivered; those in `held` and `returned` are not handled yet. */
interface Group {
  next: number;
  readonly held: Map<number, HeldBy>;
  /** Entries that were delivered and given back, with the number of deliveries. */
  readonly returned: Map<number, number>;
}

/** A message that is removed to make room before a group has handled it. */
export interface UnhandledMessage {
  readonly group: string;
  readonly message: EncodedMessage;
  /** How often it was delivered. */
  readonly deliveries: number;
}

/** Limits of a topic. */
export interface TopicBounds {
  readonly maxEntries: number;
  /** Whether messages that a group has not handled are kept longer. False for dead letters. */
  readonly waitsForGroups: boolean;
}

/** The log of one topic. Entries are numbered from 0; those below `first` were removed. */
export class MemoryTopic {
  readonly #topic: string;
  readonly #bounds: TopicBounds;
  readonly #entries = new Map<number, EncodedMessage>();
  readonly #numbers = new Map<string, number>();
  readonly #groups = new Map<string, Group>();
  readonly #waitingReaders = new Set<() => void>();
  #first = 0;
  #next = 0;
  #bytes = 0;

  constructor(topic: string, bounds: TopicBounds) {
    this.#topic = topic;
    this.#bounds = bounds;
  }

  /**
   * Whether the message is stored already.
   *
   * @throws HandrailError `ERR_BUS` when another message has this id, `ERR_BUSY` when there is no room.
   */
  has({ id, text }: EncodedMessage): boolean {
    const knownNumber = this.#numbers.get(id);
    if (knownNumber === undefined) {
      this.#firstKept(text.length);
      return false;
    }
    if (this.#entries.get(knownNumber)?.text !== text) throw idReused();
    return true;
  }

  /** The unhandled messages that storing a message of this size would remove, oldest first. */
  givenUp(bytes: number): readonly UnhandledMessage[] {
    const end = this.#bounds.waitsForGroups ? this.#firstKept(bytes) : this.#first;
    const removedMessages: UnhandledMessage[] = [];
    for (let number = this.#first; number < end; number += 1) removedMessages.push(...this.#unhandled(number));
    return removedMessages;
  }

  /** Stores a message. Call `has` before. */
  append(message: EncodedMessage): void {
    for (const end = this.#firstKept(message.text.length); this.#first < end; ) this.#trim();
    this.#entries.set(this.#next, message);
    this.#numbers.set(message.id, this.#next);
    this.#bytes += message.text.length;
    this.#next += 1;
    for (const wake of [...this.#waitingReaders]) wake();
  }

  read({ after, limit }: CheckedRead): BusMessage[] {
    const from = after === undefined ? Math.max(this.#first, this.#next - limit) : this.#numberAfter(after);
    return this.#range(from, limit);
  }

  /** The number of the first entry after a cursor. Without a cursor that of the next new entry. */
  position(after: CheckedRead['after']): number {
    return after === undefined ? this.#next : this.#numberAfter(after);
  }

  from(position: number, limit: number): BusMessage[] {
    return this.#range(Math.max(position, this.#first), limit);
  }

  /** Calls `wake` for each new entry, until the returned function is called. */
  onAppend(wake: () => void): () => void {
    this.#waitingReaders.add(wake);
    return () => this.#waitingReaders.delete(wake);
  }

  join(group: string): void {
    if (this.#groups.has(group)) return;
    if (this.#groups.size >= MAX_MEMORY_GROUPS) {
      throw busBusy(`This topic has ${MAX_MEMORY_GROUPS} groups, and may not have more`, MAX_MEMORY_GROUPS);
    }
    this.#groups.set(group, { next: this.#first, held: new Map(), returned: new Map() });
  }

  take(name: string, by: object, limit: number): HeldEntry[] {
    const group = this.#group(name);
    const entries: HeldEntry[] = [];
    for (const [number, deliveries] of [...group.returned].sort(([one], [other]) => one - other)) {
      if (entries.length === limit) return entries;
      group.returned.delete(number);
      entries.push(this.#hold(group, number, by, deliveries + 1));
    }
    for (; entries.length < limit && group.next < this.#next; group.next += 1) {
      entries.push(this.#hold(group, group.next, by, 1));
    }
    return entries;
  }

  retake(name: string, number: number): number | undefined {
    const held = this.#group(name).held.get(number);
    if (held === undefined) return undefined;
    held.deliveries += 1;
    return held.deliveries;
  }

  isHeld(name: string, number: number): boolean {
    return this.#group(name).held.has(number);
  }

  done(name: string, number: number): void {
    this.#group(name).held.delete(number);
  }

  /** Gives back the entries that `by` holds. */
  leave(name: string, by: object): void {
    const group = this.#group(name);
    for (const [number, held] of group.held) {
      if (held.by !== by) continue;
      group.held.delete(number);
      group.returned.set(number, held.deliveries);
    }
    for (const wake of [...this.#waitingReaders]) wake();
  }

  #group(name: string): Group {
    this.join(name);
    return this.#groups.get(name) as Group;
  }

  #hold(group: Group, number: number, by: object, deliveries: number): HeldEntry {
    const { id, text } = this.#entries.get(number) as EncodedMessage;
    group.held.set(number, { by, deliveries });
    return { key: String(number), id, text, deliveries, message: this.#message(id, text) };
  }

  #message(id: string, text: string): BusMessage {
    return { topic: this.#topic, payload: decodePayload(text) ?? {}, id };
  }

  #range(from: number, limit: number): BusMessage[] {
    const messages: BusMessage[] = [];
    for (let number = from; number < this.#next && messages.length < limit; number += 1) {
      const { id, text } = this.#entries.get(number) as EncodedMessage;
      messages.push(this.#message(id, text));
    }
    return messages;
  }

  #numberAfter(after: 'beginning' | { readonly id: string }): number {
    if (after === 'beginning') return this.#first;
    const number = this.#numbers.get(after.id);
    if (number === undefined) throw cursorLost(this.#entries.get(this.#first)?.id);
    return number + 1;
  }

  /**
   * The number of the first entry that stays when a message of this size is stored. Entries that a group has not
   * handled are removed only beyond the limit for slow groups.
   *
   * @throws HandrailError `ERR_BUSY` when there is not enough room without them.
   */
  #firstKept(bytes: number): number {
    const { maxEntries, waitsForGroups } = this.#bounds;
    let remainingBytes = this.#bytes;
    for (let number = this.#first; ; number += 1) {
      const keptEntries = this.#next - number;
      const hasBytes = remainingBytes + bytes <= MAX_TOPIC_BYTES;
      if (keptEntries === 0 || (keptEntries < maxEntries && hasBytes)) return number;
      if (waitsForGroups && keptEntries < maxEntries * SLOW_GROUP_FACTOR && this.#unhandled(number).length > 0) {
        if (hasBytes) return number;
        throw busBusy('The topic is full of messages that its groups have not handled yet', maxEntries);
      }
      remainingBytes -= this.#entries.get(number)?.text.length ?? 0;
    }
  }

  /** The groups that have not handled an entry. */
  #unhandled(number: number): UnhandledMessage[] {
    const message = this.#entries.get(number) as EncodedMessage;
    return [...this.#groups].flatMap(([group, { next, held, returned }]) => {
      const deliveries = held.get(number)?.deliveries ?? returned.get(number);
      return number >= next || deliveries !== undefined ? [{ group, message, deliveries: deliveries ?? 0 }] : [];
    });
  }

  #trim(): void {
    const { id, text } = this.#entries.get(this.#first) as EncodedMessage;
    for (const group of this.#groups.values()) {
      group.held.delete(this.#first);
      group.returned.delete(this.#first);
      group.next = Math.max(group.next, this.#first + 1);
    }
    this.#entries.delete(this.#first);
    this.#numbers.delete(id);
    this.#bytes -= text.length;
    this.#first += 1;
  }
}
