import { HandrailError } from '../errors.js';
import type { Redactor } from '../redaction/redactor.js';
import type { Address } from './address.js';
import type { Bus } from './bus.js';
import { type MessageEnvelope, microsecondsNow } from './envelope.js';
import { nextHops } from './hops.js';
import { MAX_CONTENT_BYTES } from './limits.js';
import { countMessage } from './pace.js';

/** The result of `sendMessage`, with the keys of the wire format. */
export interface SentMessage {
  /** Always true: a message that could not be sent gives an error instead. */
  readonly ok: true;
  /** The id of the envelope. */
  readonly envelope_id: string;
  /** The topics it is stored on; the conversation's topic comes first. */
  readonly published_to: readonly string[];
  /** The number of secrets that were masked in it. */
  readonly redactions: number;
}

/** A checked content, with secrets masked and otherwise unchanged. */
export interface CheckedContent {
  readonly content: string;
  readonly redactions: number;
}

/**
 * Checks a content and masks its secrets.
 *
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for a blank one, and one of more than 64 KiB.
 */
export function checkContent(content: unknown, redactor: Redactor): CheckedContent {
  if (typeof content !== 'string' || content.trim() === '') throw invalidContent('content must be non-empty');
  // A content that is far too long is not searched: masking cannot make it short enough.
  const maskedContent = content.length > MAX_CONTENT_BYTES * 2 ? content : redactor.redact(content);
  const bytes = Buffer.byteLength(maskedContent);
  if (bytes > MAX_CONTENT_BYTES) {
    throw invalidContent(`content must have at most ${MAX_CONTENT_BYTES} bytes of UTF-8, and has ${bytes}`);
  }
  return { content: maskedContent, redactions: maskedContent === content ? 0 : redactor.scan(content).length };
}

/** Who sends, and the bounds against agents that answer each other for ever. */
export interface Sending {
  readonly bus: Bus;
  /** The name of the sender. */
  readonly agent: string;
  /** Undefined: any number. */
  readonly messagesPerMinute: number | undefined;
  readonly maxHops: number;
  /** The message that is answered. Undefined: the one whose handler runs, if there is one. */
  readonly cause?: object | undefined;
}

/** Publishes one envelope on all topics of an address, on all or on none. */
export async function sendEnvelope(
  { bus, agent, messagesPerMinute, maxHops, cause }: Sending,
  { recipient, conversationId, topics }: Address,
  { content, redactions }: CheckedContent,
): Promise<SentMessage> {
  const hops = nextHops(maxHops, cause);
  countMessage(bus, agent, messagesPerMinute);
  const envelope: MessageEnvelope = {
    id: crypto.randomUUID(),
    conversation_id: conversationId,
    sender: `agent:${agent}`,
    recipient,
    type: 'message',
    content,
    metadata: hops === 0 ? {} : { _bus: { hops } },
    created_at: microsecondsNow(),
  };
  await bus.publish(topics, envelope, { id: envelope.id });
  return { ok: true, envelope_id: envelope.id, published_to: topics, redactions };
}

function invalidContent(message: string): HandrailError {
  return new HandrailError('ERR_INVALID_ARGUMENT', message, { data: { name: 'content' } });
}
