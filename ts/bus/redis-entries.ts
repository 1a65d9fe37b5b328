import type { BusMessage } from './bus.js';
import { MAX_KNOWN_CURSORS } from './limits.js';
import { decodePayload, unreadablePayload } from './payload.js';

/** An entry of a stream: its stream id, and its fields as names and values in turn. Null fields: the entry was removed. */
export type RawEntry = readonly [place: string, fields: readonly string[] | null];

/** An entry of a stream, decoded. */
export interface StoredEntry {
  /** The id of Redis, which is its position in the stream. */
  readonly streamId: string;
  readonly id: string;
  readonly text: string;
  /** Undefined when the stored text is no message. */
  readonly payload: Record<string, unknown> | undefined;
}

/** Ids of Redis. As a cursor such an id needs no search. */
export const STREAM_ID = /^\d{1,20}-\d{1,20}$/;

/** The stream ids of messages that this bus has seen, so that the messages' own ids can be cursors. Oldest first. */
export class KnownStreamIds {
  readonly #streamIds = new Map<string, string>();

  of(topic: string, id: string): string | undefined {
    return this.#streamIds.get(keyOf(topic, id));
  }

  add(topic: string, id: string, streamId: string): void {
    const key = keyOf(topic, id);
    this.#streamIds.delete(key);
    this.#streamIds.set(key, streamId);
    const [oldest] = this.#streamIds.keys();
    if (this.#streamIds.size > MAX_KNOWN_CURSORS && oldest !== undefined) this.#streamIds.delete(oldest);
  }
}

/** A key made of both. Neither of them has a space. */
function keyOf(topic: string, id: string): string {
  return `${topic} ${id}`;
}

/** When an entry was stored, by the clock of Redis, in milliseconds since 1970. */
export function storedAtOf(streamId: string): number {
  return Number(streamId.split('-')[0]);
}

/** The entries in an answer of Redis, without removed ones. */
export function entriesOf(answer: unknown): StoredEntry[] {
  return ((answer ?? []) as readonly (RawEntry | null)[]).flatMap((raw) =>
    raw === null || raw[1] === null ? [] : [entryOf(raw[0], raw[1])],
  );
}

/** The entries in the answer to a command that reads one stream. */
export function entriesOfStream(answer: unknown): StoredEntry[] {
  return entriesOf((answer as readonly (readonly [string, unknown])[] | null)?.[0]?.[1]);
}

function entryOf(streamId: string, fields: readonly string[]): StoredEntry {
  const id = fieldOf(fields, 'id') ?? streamId;
  const text = fieldOf(fields, 'payload') ?? '';
  return { streamId: streamId, id, text, payload: decodePayload(text) };
}

function fieldOf(fields: readonly string[], name: string): string | undefined {
  for (let index = 0; index + 1 < fields.length; index += 2) if (fields[index] === name) return fields[index + 1];
  return undefined;
}

/** The message of an entry. An entry that is no message has a payload that says so, and reading goes on. */
export function messageOf(topic: string, { id, text, payload }: StoredEntry): BusMessage {
  return { topic, payload: payload ?? unreadablePayload(text), id };
}
