import type { BusMessage } from './bus.js';
import { busBusy, cursorLost, idReused } from './errors.js';
import type { HeldEntry } from './group-log.js';
import { MAX_MEMORY_GROUPS, MAX_TOPIC_BYTES, SLOW_GROUP_FACTOR } from './limits.js';
import { type MemoryShare, sizeOf } from './memory-share.js';
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
  /** How many subscriptions it has, and when the last one left. */
  subscriptions: number;
  seenAt: number;
}

/** A stored message. */
interface Entry extends EncodedMessage {
  readonly storedAt: number;
  /** Its place among the messages of all topics. */
  readonly order: number;
}

/** A message that is removed to make room before a group has handled it. */
export interface UnhandledMessage {
  readonly group: string;
  readonly message: EncodedMessage;
  /** How often it was delivered. */
  readonly deliveries: number;
  readonly reason: 'trimmed' | 'expired';
}

/** Limits of a topic. */
export interface TopicBounds {
  readonly maxEntries: number;
  /** Whether messages that a group has not handled are kept longer. False for dead letters. */
  readonly waitsForGroups: boolean;
  /** 0: any age. */
  readonly maxAgeMs: number;
  readonly groupIdleMs: number;
}

/** The log of one topic. Entries are numbered from 0; those below `first` were removed. */
export class MemoryTopic {
  readonly #topic: string;
  readonly #bounds: TopicBounds;
  readonly #share: MemoryShare;
  readonly #entries = new Map<number, Entry>();
  readonly #numbers = new Map<string, number>();
  readonly #groups = new Map<string, Group>();
  readonly #waitingReaders = new Set<() => void>();
  #first = 0;
  #next = 0;
  #bytes = 0;

  constructor(topic: string, bounds: TopicBounds, share: MemoryShare) {
    this.#topic = topic;
    this.#bounds = bounds;
    this.#share = share;
  }

  /**
   * Whether the message is stored already, or was and is remembered.
   *
   * @throws HandrailError `ERR_BUS` when another message has this id, `ERR_BUSY` when there is no room.
   */
  has({ id, text }: EncodedMessage, now: number): boolean {
    const knownNumber = this.#numbers.get(id);
    if (knownNumber === undefined) {
      if (this.#share.wasPublished(this.#topic, id, now)) return true;
      this.#firstKept(text.length, now);
      return false;
    }
    if (this.#entries.get(knownNumber)?.text !== text) throw idReused();
    return true;
  }

  /** The unhandled messages that storing a message of this size would remove, oldest first. */
  givenUp(bytes: number, now: number): readonly UnhandledMessage[] {
    const end = this.#bounds.waitsForGroups ? this.#firstKept(bytes, now) : this.#first;
    const removedMessages: UnhandledMessage[] = [];
    for (let number = this.#first; number < end; number += 1) {
      const reason = this.#isExpired(number, now) ? 'expired' : 'trimmed';
      removedMessages.push(...this.#unhandled(number).map((unhandled) => ({ ...unhandled, reason }) as const));
    }
    return removedMessages;
  }

  /** Stores a message. Call `has` before. */
  append(message: EncodedMessage, now: number): void {
    this.trimTo(this.#firstKept(message.text.length, now));
    this.#entries.set(this.#next, { ...message, storedAt: now, order: this.#share.nextOrder() });
    this.#share.bytes += sizeOf(message);
    this.#numbers.set(message.id, this.#next);
    this.#bytes += message.text.length;
    this.#next += 1;
    for (const wake of [...this.#waitingReaders]) wake();
  }

  /** The number of the oldest entry. */
  get first(): number {
    return this.#first;
  }

  /** The order and size of an entry that no group waits for. Undefined where a group does, and behind the last entry. */
  removable(number: number): { readonly order: number; readonly bytes: number } | undefined {
    const entry = this.#entries.get(number);
    if (entry === undefined) return undefined;
    if (this.#bounds.waitsForGroups && this.#unhandled(number).length > 0) return undefined;
    return { order: entry.order, bytes: sizeOf(entry) };
  }

  /** Removes the entries below a number. */
  trimTo(end: number): void {
    while (this.#first < end) this.#trim();
  }

  /** The groups that nobody has read for too long. */
  idleGroups(now: number): string[] {
    return [...this.#groups].flatMap(([name, { subscriptions, seenAt }]) => {
      return subscriptions === 0 && now - seenAt >= this.#bounds.groupIdleMs ? [name] : [];
    });
  }

  removeGroup(name: string): void {
    this.#groups.delete(name);
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

  /** Adds a subscription to a group. */
  join(name: string): void {
    this.#group(name).subscriptions += 1;
  }

  #group(name: string): Group {
    const knownGroup = this.#groups.get(name);
    if (knownGroup !== undefined) return knownGroup;
    if (this.#groups.size >= MAX_MEMORY_GROUPS) {
      throw busBusy(`This topic has ${MAX_MEMORY_GROUPS} groups, and may not have more`, MAX_MEMORY_GROUPS);
    }
    const state = { subscriptions: 0, seenAt: Date.now() };
    const group = { next: this.#first, held: new Map(), returned: new Map(), ...state };
    this.#groups.set(name, group);
    return group;
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

  /** Ends a subscription of a group, and gives back the entries that `by` holds. */
  leave(name: string, by: object): void {
    const group = this.#group(name);
    group.subscriptions -= 1;
    group.seenAt = Date.now();
    for (const [number, held] of group.held) {
      if (held.by !== by) continue;
      group.held.delete(number);
      group.returned.set(number, held.deliveries);
    }
    for (const wake of [...this.#waitingReaders]) wake();
  }

  #hold(group: Group, number: number, by: object, deliveries: number): HeldEntry {
    const { id, text, storedAt } = this.#entries.get(number) as Entry;
    group.held.set(number, { by, deliveries });
    return { key: String(number), id, text, storedAt, deliveries, message: this.#message(id, text) };
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
   * handled are removed only beyond the limit for slow groups, and when they are too old.
   *
   * @throws HandrailError `ERR_BUSY` when there is not enough room without them.
   */
  #firstKept(bytes: number, now: number): number {
    const { maxEntries, waitsForGroups } = this.#bounds;
    let remainingBytes = this.#bytes;
    for (let number = this.#first; ; number += 1) {
      const keptEntries = this.#next - number;
      const hasBytes = remainingBytes + bytes <= MAX_TOPIC_BYTES;
      const isExpired = this.#isExpired(number, now);
      if (keptEntries === 0 || (keptEntries < maxEntries && hasBytes && !isExpired)) return number;
      if (
        !isExpired &&
        waitsForGroups &&
        keptEntries < maxEntries * SLOW_GROUP_FACTOR &&
        this.#unhandled(number).length > 0
      ) {
        if (hasBytes) return number;
        throw busBusy('The topic is full of messages that its groups have not handled yet', maxEntries);
      }
      remainingBytes -= this.#entries.get(number)?.text.length ?? 0;
    }
  }

  #isExpired(number: number, now: number): boolean {
    const { maxAgeMs } = this.#bounds;
    return maxAgeMs > 0 && now - (this.#entries.get(number)?.storedAt ?? now) >= maxAgeMs;
  }

  /** The groups that have not handled an entry. */
  #unhandled(number: number): Omit<UnhandledMessage, 'reason'>[] {
    const message = this.#entries.get(number) as EncodedMessage;
    return [...this.#groups].flatMap(([group, { next, held, returned }]) => {
      const deliveries = held.get(number)?.deliveries ?? returned.get(number);
      return number >= next || deliveries !== undefined ? [{ group, message, deliveries: deliveries ?? 0 }] : [];
    });
  }

  #trim(): void {
    const entry = this.#entries.get(this.#first) as Entry;
    for (const group of this.#groups.values()) {
      group.held.delete(this.#first);
      group.returned.delete(this.#first);
      group.next = Math.max(group.next, this.#first + 1);
    }
    this.#entries.delete(this.#first);
    this.#numbers.delete(entry.id);
    this.#bytes -= entry.text.length;
    this.#share.bytes -= sizeOf(entry);
    this.#share.remember(this.#topic, entry.id, entry.storedAt);
    this.#first += 1;
  }
}
