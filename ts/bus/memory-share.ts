import { DEDUPE_MS } from './limits.js';
import type { EncodedMessage } from './payload.js';

/** What a message takes beside its text and its id, in bytes: its places in the tables of a topic. */
export const MESSAGE_OVERHEAD_BYTES = 256;

/** What a message takes of the bytes of an embedded bus. */
export function sizeOf({ id, text }: EncodedMessage): number {
  return text.length + id.length + MESSAGE_OVERHEAD_BYTES;
}

/** What the topics of one embedded bus share: their bytes, their order, and the ids of messages that are gone. */
export class MemoryShare {
  /** What all kept messages take. */
  bytes = 0;
  #order = 0;
  readonly #mostIds: number;
  /** The ids of removed messages with the times when those were published, in the order in which they were removed. */
  readonly #removedIds = new Map<string, number>();

  constructor(mostIds: number) {
    this.#mostIds = mostIds;
  }

  /** A number that is larger than all before. */
  nextOrder(): number {
    this.#order += 1;
    return this.#order;
  }

  /** Whether a message with this id was kept within the last day, as far as ids are remembered. */
  wasPublished(topic: string, id: string, now: number): boolean {
    const publishedAt = this.#removedIds.get(keyOf(topic, id));
    return publishedAt !== undefined && now - publishedAt < DEDUPE_MS;
  }

  /** Remembers the id of a message that is removed. */
  remember(topic: string, id: string, publishedAt: number): void {
    const key = keyOf(topic, id);
    this.#removedIds.delete(key);
    this.#removedIds.set(key, publishedAt);
    for (const oldest of this.#removedIds.keys()) {
      if (this.#removedIds.size <= this.#mostIds) return;
      this.#removedIds.delete(oldest);
    }
  }
}

/** A key made of both. Neither of them has a space. */
function keyOf(topic: string, id: string): string {
  return `${topic} ${id}`;
}
