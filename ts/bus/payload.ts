import { HandrailError } from '../errors.js';
import { MAX_ENVELOPE_BYTES } from './limits.js';

/** A message in the form it is stored in. */
export interface Encoded {
  readonly id: string;
  /** Compact JSON in ASCII, as the programs of v1 write it: its length is its size. */
  readonly text: string;
}

/** What ids are: they are parts of keys. */
const ID = /^[\x21-\x7e]{1,200}$/;

/** What stands behind a backslash in this JSON. */
const NOT_PLAIN_ASCII = /[\u007f-\uffff]/g;

const HEX = 16;
const UNIT_DIGITS = 4;

/** Whether a message can have this id. */
export function isMessageId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/**
 * The JSON of a message, checked.
 *
 * @param id The id the caller wants. Default: that of the message, or else a new one.
 * @param maxBytes What it may have; a dead letter is larger than its message.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for what is no object in JSON, or too large.
 */
export function encodePayload(payload: unknown, id?: string, maxBytes: number = MAX_ENVELOPE_BYTES): Encoded {
  const text = jsonOf(payload).replace(NOT_PLAIN_ASCII, escaped);
  if (text.length > maxBytes) {
    throw invalidPayload(`has ${text.length} bytes as JSON; at most ${maxBytes} are sent`);
  }
  const own = (payload as { readonly id?: unknown }).id;
  return { id: id ?? (isMessageId(own) ? own : crypto.randomUUID()), text };
}

/** The message that `text` is. Undefined when it is no JSON, or no object. */
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

/** What stands for a stored text that is no message: reading goes on, and nothing is lost. */
export function unreadablePayload(text: string): Record<string, unknown> {
  return { event: 'unreadable', raw: text };
}

function jsonOf(payload: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(payload);
  } catch {
    // What a getter or a `toJSON` throws may hold anything: it is no cause.
    throw invalidPayload('cannot be written as JSON');
  }
  if (text?.startsWith('{') !== true) throw invalidPayload('is not an object in JSON');
  return text;
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(HEX).padStart(UNIT_DIGITS, '0')}`;
}

function invalidPayload(problem: string): HandrailError {
  return new HandrailError('ERR_INVALID_ARGUMENT', `The message ${problem}`, { data: { name: 'payload' } });
}
