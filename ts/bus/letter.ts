import { microsecondsNow } from './envelope.js';
import { MAX_ENVELOPE_BYTES } from './limits.js';
import { decodePayload, type Encoded, encodePayload } from './payload.js';

/** Which message of which group a dead letter is about. */
export interface LetterHead {
  readonly id: string;
  readonly topic: string;
  readonly group: string;
  /** How often the message was delivered. */
  readonly deliveries: number;
}

/** Why a message became a dead letter. The script that publishes writes `trimmed` itself, in the same form. */
export type LetterReason = 'handler_failed' | 'unreadable' | 'trimmed';

/** A dead letter. The same message can be one of several groups: each letter has an id of its own. */
export function deadLetter(head: LetterHead, reason: LetterReason, more: object): Encoded {
  const { id, topic, group, deliveries } = head;
  const payload = {
    event: 'dead_letter',
    id,
    topic,
    group,
    reason,
    deliveries,
    ...more,
    created_at: microsecondsNow(),
  };
  return encodePayload(payload, crypto.randomUUID(), Number.POSITIVE_INFINITY);
}

/** A message as it stands in its dead letter: what is no message is there as a text. */
export function letterContent(text: string): object {
  const payload = decodePayload(text);
  return payload === undefined ? { raw: text.slice(0, MAX_ENVELOPE_BYTES) } : { payload };
}
