import { HandrailError } from '../errors.js';
import { MAX_ENVELOPE_BYTES } from './limits.js';

/** A message in its stored form. */
export interface EncodedMessage {
  readonly id: string;
  /** Compact JSON in ASCII, as the programs of the format v1 write it. Its length is its size in bytes. */
  readonly text: string;
}

/** Ids of messages. They are parts of keys of Redis. */
const MESSAGE_ID = /^[\x21-\x7e]{1,200}$/;

/** Characters that this JSON has as escapes. */
const ESCAPED_CHARACTERS = /[\u007f-\uffff]/g;

const HEX = 16;
const UNIT_DIGITS = 4;

/** Whether a message can have this id. */
export function isMessageId(value: unknown): value is string {
  return typeof value === 'string' && MESSAGE_ID.test(value);
}

/**
 * Checks a message and encodes it as JSON.
 *
 * @param id The id. Default: that of the message, or else a new one.
 * @param maxBytes Largest size. A dead letter may be larger than its message.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` when the message is no object in JSON, or is too large.
 */
export function encodePayload(payload: unknown, id?: string, maxBytes: number = MAX_ENVELOPE_BYTES): EncodedMessage {
  const text = jsonOf(payload).replace(ESCAPED_CHARACTERS, escapeUnit);
  if (text.length > maxBytes) {
    throw invalidPayload(`has ${text.length} bytes as JSON; at most ${maxBytes} are sent`);
  }
  const payloadId = (payload as { readonly id?: unknown }).id;
  return { id: id ?? (isMessageId(payloadId) ? payloadId : crypto.randomUUID()), text };
}

/** Decodes a stored message. Undefined when the text is no JSON object. */
export function decodePayload(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A payload for a stored text that is no message, so that reading goes on and nothing is lost. */
export function unreadablePayload(text: string): Record<string, unknown> {
  return { event: 'unreadable', raw: text };
}

function jsonOf(payload: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(payload);
  } catch {
    // An error of a getter or a `toJSON` may hold anything, so it is not kept as the cause.
    throw invalidPayload('cannot be written as JSON');
  }
  if (text?.startsWith('{') !== true) throw invalidPayload('is not an object in JSON');
  return text;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(HEX).padStart(UNIT_DIGITS, '0')}`;
}

function invalidPayload(problem: string): HandrailError {
  return new HandrailError('ERR_INVALID_ARGUMENT', `The message ${problem}`, { data: { name: 'payload' } });
}
