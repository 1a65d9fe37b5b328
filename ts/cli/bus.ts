import { addressOf } from '../bus/address.js';
import type { BusMessage } from '../bus/bus.js';
import { type ChatConfig, loadChatConfig } from '../bus/chat-config.js';
import { DEFAULT_MAX_HOPS } from '../bus/limits.js';
import { RedisBus } from '../bus/redis.js';
import { checkContent, sendEnvelope } from '../bus/send.js';
import { Redactor } from '../redaction/redactor.js';
import { type CommandLine, lastValue, readArguments } from './arguments.js';
import { BUS, BUS_ACTIONS } from './command-table.js';
import { EXIT } from './exit-code.js';
import type { Outputs } from './outputs.js';
import { UsageError } from './usage-error.js';

/** Performs one action on a bus and returns the text to print. */
type BusAction = (line: CommandLine, operands: readonly string[], bus: RedisBus, config: ChatConfig) => Promise<string>;

/** Runs `handrail bus` and returns its exit code. */
export async function bus(args: readonly string[], outputs: Outputs): Promise<number> {
  const line = readArguments(args, BUS);
  const [action, ...operands] = line.words;
  const knownAction = BUS_ACTIONS.find((name) => name === action);
  if (knownAction === undefined) throw new UsageError(`bus takes what to do: ${BUS_ACTIONS.join(' or ')}`);
  const config = loadChatConfig();
  if (config.redisUrl === undefined) {
    throw new UsageError('REDIS_URL is not set: the embedded bus lives in one process only, and not in this one');
  }
  const { redisUrl: url, maxLength } = config;
  await using redis = new RedisBus({ url, ...(maxLength === undefined ? {} : { maxLength }) });
  await outputs.write('stdout', await { tail, send }[knownAction](line, operands, redis, config));
  return EXIT.ok;
}

const tail: BusAction = async (line, [topic, ...more], redis) => {
  if (topic === undefined || more.length > 0) throw new UsageError('tail takes one TOPIC, such as chat:c1');
  if (line.values.has('conversation')) throw new UsageError('--conversation is for send');
  const after = lastValue(line, 'after');
  const messages = await redis.read(topic, after === undefined ? {} : { after });
  const redactor = new Redactor();
  const render = line.flags.has('json') ? (message: BusMessage) => JSON.stringify(message) : messageLine;
  return messages.map((message) => `${redactor.redact(render(message))}\n`).join('');
};

const send: BusAction = async (line, [recipient, content, ...more], redis, config) => {
  if (recipient === undefined || content === undefined || more.length > 0) {
    throw new UsageError('send takes a RECIPIENT and a CONTENT: put it in quotes');
  }
  if (line.values.has('after')) throw new UsageError('--after is for tail');
  const address = addressOf(recipient, [lastValue(line, 'conversation'), config.conversationId]);
  const checkedContent = checkContent(content, new Redactor());
  // A person sends: nobody is answered, and nobody is too fast.
  const sending = { bus: redis, agent: config.agentName, messagesPerMinute: undefined, maxHops: DEFAULT_MAX_HOPS };
  const sentMessage = await sendEnvelope(sending, address, checkedContent);
  if (line.flags.has('json')) return `${JSON.stringify(sentMessage)}\n`;
  return `sent ${sentMessage.envelope_id} to ${sentMessage.published_to.join(' and ')}\n`;
};

/** One message in one line, without characters that could disturb a terminal. */
function messageLine({ id, payload }: BusMessage): string {
  const { created_at: at, sender, recipient, content } = payload;
  const isMessage = typeof content === 'string' && typeof sender === 'string' && typeof recipient === 'string';
  const text = isMessage ? `${at ?? ''} ${sender} -> ${recipient}: ${content}` : JSON.stringify(payload);
  return `${id} ${text}`.replaceAll('\n', '\\n').replace(/\p{C}/gu, ' ');
}
