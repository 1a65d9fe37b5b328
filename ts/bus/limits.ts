/** Every bound of the bus in one place. */

/** Longest content of a message, in bytes of UTF-8, after it was redacted. */
export const MAX_CONTENT_BYTES = 64 * 1_024;

/** Largest message, in bytes of its JSON as it is stored: what is not ASCII takes six bytes or more there. */
export const MAX_ENVELOPE_BYTES = 256 * 1_024;

/** Longest name of a topic, of a group and of an id, in characters. */
export const MAX_TOPIC_CHARS = 200;

/** Topics that one `publish` stores on. */
export const MAX_TOPICS_PER_PUBLISH = 16;

/** Messages that a read gives when `limit` is not given. */
export const DEFAULT_READ_LIMIT = 100;

/** Largest `limit` of a read. */
export const MAX_READ_LIMIT = 1_000;

/** Time a `readBlocking` waits when `blockMs` is not given, in milliseconds. */
export const DEFAULT_BLOCK_MS = 1_000;

/** Largest `blockMs`. */
export const MAX_BLOCK_MS = 60_000;

/** Blocking reads and subscriptions of one bus at a time: each has a connection of its own. */
export const MAX_BUS_READERS = 64;

/** Messages of one Redis bus that are on their way at a time. */
export const MAX_BUS_IN_FLIGHT = 1_000;

/** Time after which the entries of a consumer that has ended are taken over, in milliseconds. */
export const DEFAULT_LEASE_MS = 60_000;

/** Smallest `leaseMs`. */
export const MIN_LEASE_MS = 100;

/** Largest `leaseMs`: an hour. */
export const MAX_LEASE_MS = 3_600_000;

/** How often a message is delivered before it becomes a dead letter. */
export const DEFAULT_MAX_DELIVERIES = 5;

/** Largest `maxDeliveries`. */
export const MAX_DELIVERIES = 100;

/** Largest `concurrency`. */
export const MAX_BUS_CONCURRENCY = 64;

/** Messages an embedded bus keeps of each topic when `maxLength` is not given. */
export const DEFAULT_TOPIC_MESSAGES = 10_000;

/** Largest `maxLength`. */
export const MAX_TOPIC_MESSAGES = 1_000_000;

/** So many times `maxLength` is kept for a group that has not handled it; beyond that the oldest are given up. */
export const SLOW_GROUP_FACTOR = 10;

/** Messages that one `publish` takes away from each of its topics: more than it adds, and little work. */
export const MAX_TRIMMED_PER_PUBLISH = 16;

/** Bytes an embedded bus keeps of each topic. */
export const MAX_TOPIC_BYTES = 64 * 2 ** 20;

/** Topics of an embedded bus. */
export const MAX_MEMORY_TOPICS = 10_000;

/** Groups of one topic of an embedded bus. */
export const MAX_MEMORY_GROUPS = 100;

/** Time a Redis has for one answer, connecting and trying again included, in milliseconds. */
export const DEFAULT_BUS_TIMEOUT_MS = 1_500;

/** Largest `timeoutMs` of a Redis bus. */
export const MAX_BUS_TIMEOUT_MS = 60_000;

/** How long a Redis remembers which ids were published, in milliseconds: a day. */
export const DEDUPE_MS = 86_400_000;

/** Ids of messages a Redis bus remembers the places of, so that a cursor costs no search. */
export const MAX_KNOWN_CURSORS = 10_000;

/** Entries of a topic that are searched for an id which nobody remembers. */
export const MAX_SCANNED_ENTRIES = 100_000;

/** Dead letters kept of each topic, in Redis about so many: the oldest go first, whoever has read them. */
export const MAX_DEAD_LETTERS = 10_000;

/** Time a subscription gives its handlers to end when it is closed, in milliseconds. */
export const CLOSE_WAIT_MS = 5_000;
