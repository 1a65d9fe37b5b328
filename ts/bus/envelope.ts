import * as z from 'zod/mini';

/**
 * A message between agents in the format v1, which every program on the bus reads. It is JSON with its keys in this
 * order.
 */
export interface MessageEnvelope {
  /** The unique id. A retry has the same id. */
  readonly id: string;
  /** The id of the conversation it belongs to. */
  readonly conversation_id: string;
  /** The sender, such as `agent:DevAgent` or `user:ann`. It is not authenticated. */
  readonly sender: string;
  /** The recipient: `chat:{conversation_id}` or `agent:{Name}`. */
  readonly recipient: string;
  /** The kind of the message. Handrail sends only messages. */
  readonly type: 'message' | 'control';
  /** The text of the message. */
  readonly content: string | null;
  /**
   * Further data that programs exchange beside the text. `_bus.hops` is how many messages in a row led to this one,
   * each sent in answer to the one before; absent for a message that answers none.
   */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The time when it was made, in ISO 8601 in UTC with microseconds: `2026-11-20T10:00:11.224610Z`. */
  readonly created_at: string;
}

/** One problem of an envelope. */
export interface MessageEnvelopeIssue {
  /** The path to the problem, from the outside in. */
  readonly path: readonly PropertyKey[];
  /** What was expected there. It repeats no value. */
  readonly message: string;
}

/** The error of a value that is no envelope. */
export interface MessageEnvelopeError extends Error {
  /** All problems of the value. */
  readonly issues: readonly MessageEnvelopeIssue[];
}

/** The result of `safeParse`. */
export type MessageEnvelopeResult =
  | {
      /** Says that the value is an envelope. */
      readonly success: true;
      /** The envelope. */
      readonly data: MessageEnvelope;
    }
  | {
      /** Says that the value is no envelope. */
      readonly success: false;
      /** The problems of the value. */
      readonly error: MessageEnvelopeError;
    };

/** The schema of an envelope. It is a schema of zod 4; only these members are promised. */
export interface MessageEnvelopeSchema {
  /**
   * Returns `value` as an envelope. Missing `id`, `metadata`, `created_at` and `content` are filled in. Unknown keys
   * are dropped, except those of `metadata`.
   *
   * @throws MessageEnvelopeError for anything else.
   */
  parse(value: unknown): MessageEnvelope;

  /** Like `parse`, without throwing. */
  safeParse(value: unknown): MessageEnvelopeResult;
}

// The small build of zod has no texts of its own.
z.config(z.locales.en());

const MICROSECOND_DIGITS = 6;

/** A time in ISO 8601: date and time, fraction, offset. */
const ISO_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/**
 * The envelope v1 as a schema: `MessageEnvelope.parse(value)`, `MessageEnvelope.safeParse(value)`.
 *
 * @example
 * ```ts
 * import { MessageEnvelope } from 'handrail';
 *
 * const wire = '{"conversation_id":"c1","sender":"user:ann","recipient":"chat:c1","type":"message","content":"hi","x":1}';
 * const envelope: MessageEnvelope = MessageEnvelope.parse(JSON.parse(wire));
 * console.log(envelope.content, envelope.metadata, 'x' in envelope); // hi {} false
 * ```
 */
export const MessageEnvelope: MessageEnvelopeSchema = z.object({
  id: z._default(z.string(), () => crypto.randomUUID()),
  conversation_id: z.string(),
  sender: z.string(),
  recipient: z.string(),
  type: z.enum(['message', 'control']),
  content: z._default(z.nullable(z.string()), null),
  metadata: z._default(z.record(z.string(), z.unknown()), () => ({})),
  created_at: z._default(
    z.pipe(
      z.string().check(z.refine((text) => inUtc(text) !== undefined, 'expected an ISO 8601 time with Z or an offset')),
      z.transform((text: string) => inUtc(text) ?? text),
    ),
    microsecondsNow,
  ),
}) as unknown as MessageEnvelopeSchema;

/** The current time in the form of envelopes. */
export function microsecondsNow(): string {
  const micros = Math.floor((performance.timeOrigin + performance.now()) * 1_000);
  const seconds = new Date(Math.floor(micros / 1_000_000) * 1_000).toISOString().slice(0, 19);
  return `${seconds}.${String(micros % 1_000_000).padStart(MICROSECOND_DIGITS, '0')}Z`;
}

/** The time in UTC, unchanged when it is in UTC already. Undefined when the text is no time. */
function inUtc(text: string): string | undefined {
  const [, time = '', fraction = '', offset] = ISO_TIME.exec(text) ?? [];
  const instant = new Date(`${time}${offset}`);
  if (offset === undefined || Number.isNaN(instant.getTime())) return undefined;
  if (offset === 'Z') return text;
  const micros = fraction.slice(0, MICROSECOND_DIGITS).padEnd(MICROSECOND_DIGITS, '0');
  return `${instant.toISOString().slice(0, 19)}.${micros}Z`;
}
