import { addressOf } from '../bus/address.js';
import type { Bus, BusMessage } from '../bus/bus.js';
import { loadChatConfig } from '../bus/chat-config.js';
import type { MessageEnvelope } from '../bus/envelope.js';
import { DEFAULT_MAX_HOPS, HOPS_RANGE, MESSAGES_PER_MINUTE_RANGE } from '../bus/limits.js';
import { processBus, replaceProcessBus } from '../bus/process-bus.js';
import { checkContent, type SentMessage, sendEnvelope } from '../bus/send.js';
import { integerOption, invalidArgument, optionsObject } from '../config/validate.js';
import { Redactor } from '../redaction/redactor.js';

/** The options of `sendMessage`. */
export interface SendMessageOptions {
  /** The conversation of a message to an `agent:` recipient. Default: that of `context`. */
  readonly conversationId?: string | undefined;
  /** The context of an agent's run. Default: the conversation is `CHAT_TOOL_CONVERSATION_ID`. */
  readonly context?:
    | {
        /** The conversation the run belongs to. */
        readonly conversation_id?: string | undefined;
      }
    | undefined;
  /** The bus to publish to. Default: `getBus()`. */
  readonly bus?: Bus | undefined;
  /** Masks the content. Default: the built-in rules. */
  readonly redactor?: Redactor | undefined;
  /**
   * The message that this one answers, as a `BusMessage` or as its payload: this one has one hop more. Default: the
   * message of the handler of `subscribe` that calls this, or else none.
   */
  readonly cause?: BusMessage | MessageEnvelope | undefined;
  /** How many messages in a row may answer one another. Default: 16. Range: 1 to 1,000. */
  readonly maxHops?: number | undefined;
  /**
   * How many messages the sender may send within any 60 s, over this bus and from this process. Default: any number.
   * Range: 1 to 10,000.
   */
  readonly messagesPerMinute?: number | undefined;
}

export { DEFAULT_MESSAGES_PER_MINUTE } from '../bus/limits.js';

const KEYS = ['conversationId', 'context', 'bus', 'redactor', 'cause', 'maxHops', 'messagesPerMinute'] as const;

/** The redactor of calls that give none, with the built-in rules only. Created with the first message. */
let defaultRedactor: Redactor | undefined;

/**
 * Sends a message to a conversation or to an agent. It is stored on `chat:{conversation}`, and for
 * an agent on `chat:{Name}` too, on both or on neither; the sender is `agent:$AGENT_NAME`, or
 * `agent:unknown`. Secrets in the content are masked, everything else stays as it is.
 *
 * The conversation is the name after `chat:`, or else the first of `conversationId`, `context.conversation_id` and
 * `CHAT_TOOL_CONVERSATION_ID` that is not blank.
 *
 * @param recipient `chat:{conversation_id}` or `agent:{Name}`. Names have 1 to 64 letters, digits,
 * `_`, `.` and `-`, the first of them a letter or digit.
 * @param content Not blank, at most 64 KiB of UTF-8 when it is masked.
 * @param options See `SendMessageOptions`.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong argument, `ERR_INVALID_CONFIG` for a wrong
 * variable, the errors of `Bus.publish`, and `ERR_BUS` with the reason `too_many_hops` or `rate_limited`. Always as a rejected promise.
 * @example
 * ```ts
 * import { MemoryBus, sendMessage } from 'handrail';
 *
 * await using bus = new MemoryBus();
 * const sent = await sendMessage('agent:DevAgent', 'password=hunter2', { conversationId: 'c1', bus });
 * console.log(sent.published_to); // [ 'chat:c1', 'chat:DevAgent' ]
 * const [message] = await bus.read('chat:DevAgent');
 * console.log(message?.payload['content'], message?.id === sent.envelope_id); // password=[REDACTED] true
 * ```
 */
export async function sendMessage(
  recipient: string,
  content: string,
  options: SendMessageOptions = {},
): Promise<SentMessage> {
  const givenOptions = optionsObject(options, 'options', KEYS);
  const context = givenOptions['context'] ?? {};
  if (typeof context !== 'object') throw invalidArgument('options.context', 'an object', context);
  const bus = busOption(givenOptions['bus'], 'options.bus');
  const masking = redactorOption(givenOptions['redactor']);
  const config = loadChatConfig();
  const { conversation_id: ofRun } = context as { readonly conversation_id?: unknown };
  const address = addressOf(recipient, [givenOptions['conversationId'], ofRun, config.conversationId]);
  const checked = checkContent(content, masking);
  const sending = {
    bus: bus ?? processBus(config),
    agent: config.agentName,
    cause: causeOption(givenOptions['cause']),
    maxHops: integerOption(givenOptions['maxHops'], 'options.maxHops', HOPS_RANGE, DEFAULT_MAX_HOPS),
    messagesPerMinute: paceOption(givenOptions['messagesPerMinute']),
  };
  return await sendEnvelope(sending, address, checked);
}

/**
 * The bus of this process: over Redis when `REDIS_URL` is set, else a `MemoryBus` that this process shares, about which
 * there is one process warning with the code `HANDRAIL_BUS`.
 *
 * @returns The same bus as long as the variables stay the same. Do not close it.
 * @throws HandrailError `ERR_INVALID_CONFIG` for a wrong variable.
 * @example
 * ```ts
 * import { getBus, MemoryBus, setBusForTesting } from 'handrail';
 *
 * const bus = new MemoryBus();
 * setBusForTesting(bus);
 * console.log(getBus() === bus); // true
 * setBusForTesting(null);
 * ```
 */
export function getBus(): Bus {
  return processBus();
}

/**
 * Replaces the bus that `getBus()` returns. You close it.
 *
 * @param bus The bus, or null for a new one from the environment variables.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for anything else.
 */
export function setBusForTesting(bus: Bus | null): void {
  replaceProcessBus(bus === null ? null : (busOption(bus, 'bus') ?? null));
}

/** Checks a bus. Anything that can publish is one: it may come from another copy of this package, or from a test. */
function busOption(value: unknown, name: string): Bus | undefined {
  if (value === undefined) return undefined;
  const isBus =
    typeof value === 'object' && value !== null && 'publish' in value && typeof value.publish === 'function';
  if (!isBus) throw invalidArgument(name, 'a bus', value);
  return value as unknown as Bus;
}

function causeOption(value: unknown): object | undefined {
  if (value === undefined || (typeof value === 'object' && value !== null)) return value;
  throw invalidArgument('options.cause', 'a message', value);
}

function paceOption(value: unknown): number | undefined {
  return value === undefined
    ? undefined
    : integerOption(value, 'options.messagesPerMinute', MESSAGES_PER_MINUTE_RANGE, 0);
}

function redactorOption(value: unknown): Redactor {
  if (Redactor.isRedactor(value)) return value;
  if (value !== undefined) throw invalidArgument('options.redactor', 'a Redactor', value);
  defaultRedactor ??= new Redactor();
  return defaultRedactor;
}
