import {
  type Checked,
  checkedOptions,
  functionOption,
  integer,
  invalidArgument,
  optionsObject,
} from '../config/validate.js';
import type { BusHandler } from './bus.js';
import {
  DEFAULT_BLOCK_MS,
  DEFAULT_LEASE_MS,
  DEFAULT_MAX_DELIVERIES,
  DEFAULT_READ_LIMIT,
  MAX_BLOCK_MS,
  MAX_BUS_CONCURRENCY,
  MAX_DELIVERIES,
  MAX_LEASE_MS,
  MAX_READ_LIMIT,
  MAX_TOPIC_CHARS,
  MAX_TOPICS_PER_PUBLISH,
  MIN_LEASE_MS,
  SLOW_GROUP_FACTOR,
} from './limits.js';
import { isMessageId } from './payload.js';

/** Topics: printable ASCII without spaces, because they are keys of Redis. */
const TOPIC_NAME = /^[\x21-\x7e]+$/;

/** The prefix of the keys in which Redis remembers published ids. No topic may begin with it. */
export const DEDUPE_PREFIX = 'idem:';

const CHAT_PREFIX = 'chat:';

const DEAD_LETTER_PREFIX = 'dlq:';

/** Cursors before the first message, in both spellings that programs use. */
const BEGINNING_CURSORS: readonly string[] = ['0', '0-0'];

/** Checked options of a read. */
export interface CheckedRead {
  /** The cursor: `'beginning'`, an id, or undefined. */
  readonly after: { readonly id: string } | 'beginning' | undefined;
  readonly limit: number;
}

const LIMIT_RANGE = { min: 1, max: MAX_READ_LIMIT, unit: 'messages' };
const BLOCK_RANGE = { min: 0, max: MAX_BLOCK_MS, unit: 'milliseconds' };
const DELIVERIES_RANGE = { min: 1, max: MAX_DELIVERIES, unit: 'deliveries' };
const LEASE_RANGE = { min: MIN_LEASE_MS, max: MAX_LEASE_MS, unit: 'milliseconds' };
const CONCURRENCY_RANGE = { min: 1, max: MAX_BUS_CONCURRENCY, unit: 'messages' };

const READ_CHECKS = { after: cursorOption, limit: integer(LIMIT_RANGE, DEFAULT_READ_LIMIT) };
const BLOCKING_CHECKS = { ...READ_CHECKS, blockMs: integer(BLOCK_RANGE, DEFAULT_BLOCK_MS) };

const SUBSCRIBE_CHECKS = {
  group: checkTopic,
  concurrency: integer(CONCURRENCY_RANGE, 1),
  leaseMs: integer(LEASE_RANGE, DEFAULT_LEASE_MS),
  maxDeliveries: integer(DELIVERIES_RANGE, DEFAULT_MAX_DELIVERIES),
  deadLetterTopic: (value: unknown, name: string) => (value === undefined ? undefined : checkTopic(value, name)),
  onError: (value: unknown, name: string) => functionOption<(error: unknown) => void>(value, name) ?? warn,
};

/** Checked arguments of `subscribe`. */
export interface CheckedSubscription extends Checked<typeof SUBSCRIBE_CHECKS> {
  readonly topic: string;
  readonly handler: BusHandler;
  readonly deadLetterTopic: string;
}

/** Checks the name of a topic. */
export function checkTopic(value: unknown, name = 'topic'): string {
  const expected = `1 to ${MAX_TOPIC_CHARS} printable ASCII characters without blanks`;
  if (typeof value !== 'string' || value.length > MAX_TOPIC_CHARS || !TOPIC_NAME.test(value)) {
    throw invalidArgument(name, expected, value);
  }
  if (value.startsWith(DEDUPE_PREFIX))
    throw invalidArgument(name, `something that does not begin with ${DEDUPE_PREFIX}`, value);
  return value;
}

/** Checks the topics of a `publish`, and returns each once. */
export function checkTopics(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [checkTopic(value)];
  if (value.length === 0 || value.length > MAX_TOPICS_PER_PUBLISH) {
    throw invalidArgument('topic', `a topic, or an array of 1 to ${MAX_TOPICS_PER_PUBLISH}`, value);
  }
  return [...new Set(value.map((topic, index) => checkTopic(topic, `topic[${index}]`)))];
}

/** Checks the options of `publish`, and returns the id. */
export function checkPublish(options: unknown): string | undefined {
  const { id } = optionsObject(options, 'options', ['id']);
  if (id === undefined || isMessageId(id)) return id;
  throw invalidArgument('id', `1 to ${MAX_TOPIC_CHARS} printable ASCII characters without blanks`, id);
}

/** Checks the options of `read`. */
export function checkRead(options: unknown): CheckedRead {
  return checkedOptions(options, 'options', READ_CHECKS);
}

/** Checks the options of `readBlocking`. */
export function checkBlockingRead(options: unknown): CheckedRead & { readonly blockMs: number } {
  return checkedOptions(options, 'options', BLOCKING_CHECKS);
}

function cursorOption(value: unknown, name: string): CheckedRead['after'] {
  if (value === undefined) return undefined;
  if (!isMessageId(value)) throw invalidArgument(name, 'the id of a message', value);
  return BEGINNING_CURSORS.includes(value) ? 'beginning' : { id: value };
}

/** Checks the arguments of `subscribe`. */
export function checkSubscription(topic: unknown, handler: unknown, options: unknown): CheckedSubscription {
  const checkedTopic = checkTopic(topic);
  const checked = checkedOptions(options, 'options', SUBSCRIBE_CHECKS);
  const call = functionOption<BusHandler>(handler, 'handler');
  if (call === undefined) throw invalidArgument('handler', 'a function', handler);
  const { deadLetterTopic = deadLettersOf(checkedTopic) } = checked;
  return { ...checked, topic: checkedTopic, handler: call, deadLetterTopic };
}

/** The topic of the dead letters of a topic, by the rule of the format v1, cut to the longest topic. */
function deadLettersOf(topic: string): string {
  const name = topic.startsWith(CHAT_PREFIX) ? topic.slice(CHAT_PREFIX.length) : topic;
  return `${DEAD_LETTER_PREFIX}${name}`.slice(0, MAX_TOPIC_CHARS);
}

/** The topic for messages that are removed unhandled. For a topic of dead letters it is that topic itself. */
export function removedTopicOf(topic: string): string {
  return topic.startsWith(DEAD_LETTER_PREFIX) ? topic : deadLettersOf(topic);
}

/** A function that warns, once for a bus, of messages that were removed unhandled. */
export function removalWarning(): (topics: readonly string[]) => void {
  let hasWarned = false;
  return ([topic]) => {
    if (topic === undefined || hasWarned) return;
    hasWarned = true;
    process.emitWarning(
      `Messages of the topic ${topic} are removed before a group has handled them: it is more than ` +
        `${SLOW_GROUP_FACTOR} times maxLength behind, or they are older than maxAgeMs. They become dead letters on ` +
        `${removedTopicOf(topic)}, with the reason trimmed or expired. Subscribe with that group again, remove it, or ` +
        'raise the bound. This is said once; publish counts in givenUp',
      { type: 'HandrailWarning', code: 'HANDRAIL_BUS' },
    );
  };
}

/** Warns of a failure. Of errors of others only the class is named, because their messages may hold anything. */
function warn(error: unknown): void {
  const isOurs = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_BUS');
  const description = isOurs ? (error as Error).message : errorClass(error);
  process.emitWarning(`A subscription of the bus goes on after a failure: ${description}`, {
    type: 'HandrailWarning',
    code: 'HANDRAIL_BUS',
  });
}

/** The class of an error, or the type of anything else. */
export function errorClass(error: unknown): string {
  return error instanceof Error ? error.constructor.name : typeof error;
}
