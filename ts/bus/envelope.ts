import * as z from 'zod/mini';

/** A message between agents, in the form v1 that every program on the bus reads. JSON, in this order of keys. */
export interface MessageEnvelope {
  /** Unique; a retry has the same. */
  readonly id: string;
  /** The conversation it belongs to. */
  readonly conversation_id: string;
  /** Who sent it, such as `agent:DevAgent` or `user:ann`. Not authenticated. */
  readonly sender: string;
  /** `chat:{conversation_id}` or `agent:{Name}`. */
  readonly recipient: string;
  /** What it is. Handrail sends messages only. */
  readonly type: 'message' | 'control';
  /** The text. */
  readonly content: string | null;
  /** Whatever programs tell each other beside the text. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** When it was made: ISO 8601 in UTC with microseconds, `2026-11-20T10:00:11.224610Z`. */
  readonly created_at: string;
}

/** One thing that is wrong with an envelope. */
export interface MessageEnvelopeIssue {
  /** Where, from the outside in. */
  readonly path: readonly PropertyKey[];
  /** What was expected. Repeats no value. */
  readonly message: string;
}

/** Why something is no envelope. */
export interface MessageEnvelopeError extends Error {
  /** Everything that is wrong. */
  readonly issues: readonly MessageEnvelopeIssue[];
}

/** What `safeParse` gives. */
export type MessageEnvelopeResult =
  | {
      /** It is an envelope. */
      readonly success: true;
      /** The envelope. */
      readonly data: MessageEnvelope;
    }
  | {
      /** It is none. */
      readonly success: false;
      /** Why not. */
      readonly error: MessageEnvelopeError;
    };

/** The schema of an envelope. It is one of zod 4; so much of it is promised. */
export interface MessageEnvelopeSchema {
  /**
   * The envelope that `value` is. What may be missing is filled in: `id`, `metadata`, `created_at`
   * and `content`. Unknown keys are dropped; those of `metadata` stay.
   *
   * @throws MessageEnvelopeError for anything else.
   */
  parse(value: unknown): MessageEnvelope;

  /** The same, without throwing. */
  safeParse(value: unknown): MessageEnvelopeResult;
}

// The small build of zod has no texts of its own.
z.config(z.locales.en());

const MICROSECOND_DIGITS = 6;

/** Date, time, fraction and offset. */
const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

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

/** The time as envelopes have it. */
export function microsecondsNow(): string {
  const micros = Math.floor((performance.timeOrigin + performance.now()) * 1_000);
  const seconds = new Date(Math.floor(micros / 1_000_000) * 1_000).toISOString().slice(0, 19);
  return `${seconds}.${String(micros % 1_000_000).padStart(MICROSECOND_DIGITS, '0')}Z`;
}

/** The same instant in UTC, as it was written where it is in UTC already. Undefined for what is no instant. */
function inUtc(text: string): string | undefined {
  const [, time = '', fraction = '', offset] = INSTANT.exec(text) ?? [];
  const instant = new Date(`${time}${offset}`);
  if (offset === undefined || Number.isNaN(instant.getTime())) return undefined;
  if (offset === 'Z') return text;
  const micros = fraction.slice(0, MICROSECOND_DIGITS).padEnd(MICROSECOND_DIGITS, '0');
  return `${instant.toISOString().slice(0, 19)}.${micros}Z`;
}
