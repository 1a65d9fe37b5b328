import { microsecondsNow } from './envelope.js';
import { MAX_ENVELOPE_BYTES } from './limits.js';
import { decodePayload, type EncodedMessage, encodePayload } from './payload.js';

/** The message and the group that a dead letter is about. */
export interface LetterHead {
  readonly id: string;
  readonly topic: string;
  readonly group: string;
  /** How often the message was delivered. */
  readonly deliveries: number;
}

/** Why a message became a dead letter. The Redis script for publishing writes `trimmed` and `expired` itself, in the same form. */
export type LetterReason = 'handler_failed' | 'unreadable' | 'trimmed' | 'expired';

/** Creates a dead letter. A message can become a dead letter of several groups, so each letter has its own id. */
export function deadLetter(head: LetterHead, reason: LetterReason, furtherFields: object): EncodedMessage {
  const { id, topic, group, deliveries } = head;
  const payload = {
    event: 'dead_letter',
    id,
    topic,
    group,
    reason,
    deliveries,
    ...furtherFields,
    created_at: microsecondsNow(),
  };
  return encodePayload(payload, crypto.randomUUID(), Number.POSITIVE_INFINITY);
}

/** Says among the dead letters that a group was removed because nobody read it. The Redis script writes the same form. */
export function groupNotice(topic: string, group: string): EncodedMessage {
  return encodePayload({ event: 'group_expired', topic, group, created_at: microsecondsNow() }, crypto.randomUUID());
}

/** The part of a dead letter that holds its message: as `payload`, or as `raw` text when it is no message. */
export function letterContent(text: string): object {
  const payload = decodePayload(text);
  return payload === undefined ? { raw: text.slice(0, MAX_ENVELOPE_BYTES) } : { payload };
}
