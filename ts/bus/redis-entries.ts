import type { BusMessage } from './bus.js';
import { MAX_KNOWN_CURSORS } from './limits.js';
import { decodePayload, unreadablePayload } from './payload.js';

/** An entry of a stream: its place, and its fields as names and values in turn. Null for one that was trimmed. */
export type RawEntry = readonly [place: string, fields: readonly string[] | null];

/** An entry as the bus uses it. */
export interface StoredEntry {
  /** Where it stands in its stream. */
  readonly place: string;
  readonly id: string;
  readonly text: string;
  /** Undefined when what is stored is no message. */
  readonly payload: Record<string, unknown> | undefined;
}

/** What a place looks like: as a cursor it needs no search. */
export const PLACE = /^\d{1,20}-\d{1,20}$/;

/** Places of messages that went through this bus, so that their ids are cursors at no cost. Oldest first. */
export class KnownPlaces {
  readonly #places = new Map<string, string>();

  of(topic: string, id: string): string | undefined {
    return this.#places.get(keyOf(topic, id));
  }

  add(topic: string, id: string, place: string): void {
    const key = keyOf(topic, id);
    this.#places.delete(key);
    this.#places.set(key, place);
    const [oldest] = this.#places.keys();
    if (this.#places.size > MAX_KNOWN_CURSORS && oldest !== undefined) this.#places.delete(oldest);
  }
}

/** Neither of them has a blank. */
function keyOf(topic: string, id: string): string {
  return `${topic} ${id}`;
}

/** The entries that are still there. */
export function entriesOf(answer: unknown): StoredEntry[] {
  return ((answer ?? []) as readonly (RawEntry | null)[]).flatMap((raw) =>
    raw === null || raw[1] === null ? [] : [entryOf(raw[0], raw[1])],
  );
}

/** The entries of the one stream that a command over streams was asked about. */
export function entriesOfStream(answer: unknown): StoredEntry[] {
  return entriesOf((answer as readonly (readonly [string, unknown])[] | null)?.[0]?.[1]);
}

function entryOf(place: string, fields: readonly string[]): StoredEntry {
  const id = fieldOf(fields, 'id') ?? place;
  const text = fieldOf(fields, 'payload') ?? '';
  return { place, id, text, payload: decodePayload(text) };
}

function fieldOf(fields: readonly string[], name: string): string | undefined {
  for (let index = 0; index + 1 < fields.length; index += 2) if (fields[index] === name) return fields[index + 1];
  return undefined;
}

/** What a reader gets: also of an entry that is no message, so that reading never stops there. */
export function messageOf(topic: string, { id, text, payload }: StoredEntry): BusMessage {
  return { topic, payload: payload ?? unreadablePayload(text), id };
}
