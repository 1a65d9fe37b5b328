import { DEDUPE_MS } from './limits.js';
import { DEDUPE_PREFIX } from './options.js';

/** The fields of a book: the place and the number of a message by its id, the id by that number, when a group was seen. */
export const ID_FIELD = 'i:';

/**
 * The key of a topic's book, a hash: the ids of its last messages, and when its groups were seen. A cluster keeps it
 * beside the topic, because it has the topic as its hash tag, or the hash tag of the topic.
 */
export function bookKey(topic: string): string {
  return topic.includes('}') ? `${DEDUPE_PREFIX}${topic}:` : `${DEDUPE_PREFIX}{${topic}}`;
}

/** How long a book is kept that nobody writes to, in milliseconds: its groups outlive the ids. */
export function bookLifeMs(groupIdleMs: number): number {
  return DEDUPE_MS + groupIdleMs;
}
