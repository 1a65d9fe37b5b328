/** All limits of the bus. */

/** The longest content of a message, in bytes of UTF-8, after it was redacted. */
export const MAX_CONTENT_BYTES = 64 * 1_024;

/** The largest message, in bytes of its stored JSON. A character that is not ASCII takes six bytes or more there. */
export const MAX_ENVELOPE_BYTES = 256 * 1_024;

/** The longest name of a topic or a group, and the longest id, in characters. */
export const MAX_TOPIC_CHARS = 200;

/** How many topics one `publish` stores on. */
export const MAX_TOPICS_PER_PUBLISH = 16;

/** How many messages a read returns when `limit` is not given. */
export const DEFAULT_READ_LIMIT = 100;

/** The largest `limit` of a read. */
export const MAX_READ_LIMIT = 1_000;

/** How long a `readBlocking` waits when `blockMs` is not given, in milliseconds. */
export const DEFAULT_BLOCK_MS = 1_000;

/** The largest `blockMs`. */
export const MAX_BLOCK_MS = 60_000;

/** How many blocking reads and subscriptions one bus has at a time. Each has a connection of its own. */
export const MAX_BUS_READERS = 64;

/** How many messages of one Redis bus are on their way at a time. */
export const MAX_BUS_IN_FLIGHT = 1_000;

/** After how many milliseconds the entries of a consumer that has ended are taken over. */
export const DEFAULT_LEASE_MS = 60_000;

/** The smallest `leaseMs`. */
export const MIN_LEASE_MS = 100;

/** The largest `leaseMs`: an hour. */
export const MAX_LEASE_MS = 3_600_000;

/** How often a message is delivered before it becomes a dead letter. */
export const DEFAULT_MAX_DELIVERIES = 5;

/** The largest `maxDeliveries`. */
export const MAX_DELIVERIES = 100;

/** The largest `concurrency`. */
export const MAX_BUS_CONCURRENCY = 64;

/** How many messages an embedded bus keeps of each topic when `maxLength` is not given. */
export const DEFAULT_TOPIC_MESSAGES = 10_000;

/** The largest `maxLength`. */
export const MAX_TOPIC_MESSAGES = 1_000_000;

/**
 * How many times `maxLength` is kept for a group that has not handled the messages. Beyond that the oldest are removed.
 */
export const SLOW_GROUP_FACTOR = 10;

/** How many messages one `publish` removes from each of its topics: more than it adds, and little work. */
export const MAX_TRIMMED_PER_PUBLISH = 16;

/** With one in so many messages of a topic Redis forgets ids, so that it may remember so many too many. */
export const PUBLISHES_PER_FORGETTING = 8;

/** How many ids it forgets then: more than were added since, and little work. */
export const MAX_FORGOTTEN_AT_ONCE = 4 * PUBLISHES_PER_FORGETTING;

/** How many bytes an embedded bus keeps of each topic. */
export const MAX_TOPIC_BYTES = 64 * 2 ** 20;

/** How many topics an embedded bus has. */
export const MAX_MEMORY_TOPICS = 10_000;

/** How many groups one topic of an embedded bus has. */
export const MAX_MEMORY_GROUPS = 100;

/** How long Redis may take for one answer, including connecting and retries, in milliseconds. */
export const DEFAULT_BUS_TIMEOUT_MS = 1_500;

/** The largest `timeoutMs` of a Redis bus. */
export const MAX_BUS_TIMEOUT_MS = 60_000;

/** How long a bus remembers which ids were published, in milliseconds: a day. */
export const DEDUPE_MS = 86_400_000;

/** How many ids are remembered when `rememberedIds` is not given: more than are published while a publisher tries again. */
export const DEFAULT_REMEMBERED_IDS = 100_000;

/** The range of `rememberedIds`. One bus alone has a thousand messages on their way. */
export const REMEMBERED_IDS_RANGE = { min: 1_000, max: 10_000_000, unit: 'ids' };

/** After how many milliseconds a group that nobody reads is removed when `groupIdleMs` is not given: a week. */
export const DEFAULT_GROUP_IDLE_MS = 604_800_000;

const YEAR_MS = 31_536_000_000;

/** The range of `groupIdleMs`. No lease is longer than an hour, so a subscription is heard of within it. */
export const GROUP_IDLE_RANGE = { min: MAX_LEASE_MS, max: YEAR_MS, unit: 'milliseconds' };

/** The range of `maxAgeMs`: a second to a year. */
export const MAX_AGE_RANGE = { min: 1_000, max: YEAR_MS, unit: 'milliseconds' };

/** What an embedded bus keeps of all topics together when `maxBytes` is not given, in bytes. */
export const DEFAULT_MEMORY_BYTES = 256 * 2 ** 20;

/** The range of `maxBytes`. The largest message has room on as many topics as it may have. */
export const MEMORY_BYTES_RANGE = { min: 8 * 2 ** 20, max: 64 * 2 ** 30, unit: 'bytes' };

/** For how many message ids a Redis bus remembers the positions, so that a cursor needs no search. */
export const MAX_KNOWN_CURSORS = 10_000;

/** How many entries of a topic are searched for an id whose position is not remembered. */
export const MAX_SCANNED_ENTRIES = 100_000;

/**
 * How many dead letters are kept of each topic (in Redis approximately). The oldest are removed first, whoever has read
 * them.
 */
export const MAX_DEAD_LETTERS = 10_000;

/** How many messages a model sends within a minute when `messagesPerMinute` is not given. */
export const DEFAULT_MESSAGES_PER_MINUTE = 60;

/** The largest `messagesPerMinute`. */
export const MAX_MESSAGES_PER_MINUTE = 10_000;

/** How many messages in a row may answer one another when `maxHops` is not given. */
export const DEFAULT_MAX_HOPS = 16;

/** The largest `maxHops`. */
export const MAX_HOPS = 1_000;

/** Ranges of options that more than one surface has. */
export const MESSAGES_PER_MINUTE_RANGE = { min: 1, max: MAX_MESSAGES_PER_MINUTE, unit: 'messages' };
export const HOPS_RANGE = { min: 1, max: MAX_HOPS, unit: 'messages' };

/** How long a subscription waits for its handlers when it is closed, in milliseconds. */
export const CLOSE_WAIT_MS = 5_000;
