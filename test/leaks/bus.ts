/** A secret in every place of the bus where something can go wrong. What is sent and read back is the caller's own. */
import { RunContext } from '@openai/agents';
import { chatSendTool } from '../../ts/adapters/openai-agents.js';
import { MAX_TOPIC_BYTES } from '../../ts/bus/limits.js';
import * as handrail from '../../ts/index.js';
import type { Planting } from './files.js';

/** The characters of a text with which a message has nearly the largest size. */
const ALMOST_LARGEST = 250_000;

const { MemoryBus, MessageEnvelope, RedisBus } = handrail;

/** Anything where something else belongs. */
const wrong = (value: unknown): never => value as never;

/** Nothing listens there. */
const away = (secret = 'x') => new RedisBus({ url: `redis://${secret}:${secret}@127.0.0.1:1`, timeoutMs: 20 });

/** What both of them refuse alike; of the one in this process also what it gives. */
function plantings(make: (secret: string) => handrail.Bus): Record<string, Record<string, Planting>> {
  return {
    publish: {
      'a topic': (secret) => make(secret).publish(`${secret} ${secret}`, {}),
      'a payload that is none': (secret) => make(secret).publish('t', wrong(secret)),
      'a getter': (secret) =>
        make(secret).publish('t', {
          get value() {
            throw new Error(secret);
          },
        }),
      'an unknown option': (secret) => make(secret).publish('t', {}, wrong({ [secret]: secret })),
      'a message too many': async (secret) => {
        const bus = make(secret);
        await bus.subscribe('t', () => new Promise(() => undefined), { group: 'g' }).catch(() => undefined);
        for (let left = MAX_TOPIC_BYTES; left > 0; left -= ALMOST_LARGEST) {
          await bus.publish('t', { secret, t: 'x'.repeat(ALMOST_LARGEST) }).catch(() => undefined);
        }
        return await bus.publish('t', { secret, t: 'x'.repeat(ALMOST_LARGEST) });
      },
      'another message': async (secret) => {
        const bus = make(secret);
        await bus.publish('t', {}, { id: 'a' }).catch(() => undefined);
        return await bus.publish('t', { secret }, { id: 'a' });
      },
    },
    read: {
      'a cursor': (secret) => make(secret).read('t', { after: secret }),
      'an unknown option': (secret) => make(secret).read('t', wrong({ [secret]: secret })),
    },
    readBlocking: {
      'a cursor': (secret) => make(secret).readBlocking('t', { after: secret }),
      'a time': (secret) => make(secret).readBlocking('t', wrong({ blockMs: secret })),
    },
    subscribe: {
      'an unknown option': (secret) => make(secret).subscribe('t', () => undefined, wrong({ group: 'g', [secret]: 1 })),
      'no function': (secret) => make(secret).subscribe('t', wrong(secret), { group: secret }),
    },
    close: { 'a bus': (secret) => [make(secret).close(), make(secret)] },
  };
}

const named = (owner: string, parts: Record<string, Record<string, Planting>>) =>
  Object.fromEntries(Object.entries(parts).map(([name, planted]) => [`${owner}.${name}`, planted]));

export const BUS_PLANTINGS: Readonly<Record<string, Readonly<Record<string, Planting>>>> = {
  ...named(
    'Bus',
    plantings(() => new MemoryBus()),
  ),
  ...named(
    'MemoryBus',
    plantings(() => new MemoryBus()),
  ),
  ...named('RedisBus', plantings(away)),
  'MemoryBus.[asyncDispose]': { 'a bus': () => new MemoryBus()[Symbol.asyncDispose]() },
  'RedisBus.[asyncDispose]': { 'an address': (secret) => away(secret)[Symbol.asyncDispose]() },
  'new MemoryBus': {
    'a number': (secret) => new MemoryBus(wrong({ maxBytes: secret, maxAgeMs: secret, rememberedIds: secret })),
    'an unknown option': (secret) => new MemoryBus(wrong({ [secret]: secret })),
  },
  'new RedisBus': {
    'an address': (secret) => new RedisBus(`http://${secret}`),
    'an unknown option': (secret) => new RedisBus(wrong({ url: 'redis://h', [secret]: secret })),
    'a number': (secret) => new RedisBus(wrong({ url: 'redis://h', groupIdleMs: secret })),
    'an address, shown': (secret) => away(secret),
  },
  'Subscription.close': {
    'a group': async (secret) => {
      await using bus = new MemoryBus();
      const subscription = await bus.subscribe('t', () => undefined, { group: secret });
      return [await subscription.close(), subscription];
    },
  },
  MessageEnvelope: { 'what is none': (secret) => MessageEnvelope.parse({ type: secret, content: [secret] }) },
  'MessageEnvelopeSchema.parse': { 'a text': (secret) => MessageEnvelope.parse(secret) },
  'MessageEnvelopeSchema.safeParse': { 'a time': (secret) => MessageEnvelope.safeParse({ created_at: secret }) },
  sendMessage: {
    'a recipient': (secret) => handrail.sendMessage(`room:${secret}`, 'x'),
    'a recipient of a strange name': (secret) => handrail.sendMessage(`agent:${secret}:x`, 'x'),
    'a conversation': (secret) => handrail.sendMessage('agent:A', 'x', { conversationId: `${secret}/` }),
    'a bus that is away': (secret) => handrail.sendMessage('chat:a', secret, { bus: away(secret) }),
    'no message as its cause': (secret) =>
      handrail.sendMessage('chat:a', secret, { bus: new MemoryBus(), cause: wrong(secret) }),
    'too many hops': (secret) => {
      const cause = wrong({ metadata: { _bus: { hops: 99 }, secret }, content: secret });
      return handrail.sendMessage('chat:a', secret, { bus: new MemoryBus(), cause });
    },
    'too many a minute': async (secret) => {
      const options = { bus: new MemoryBus(), messagesPerMinute: 1 };
      await handrail.sendMessage('chat:a', 'x', options);
      return await handrail.sendMessage('chat:a', secret, options);
    },
    'an unknown option': (secret) => handrail.sendMessage('chat:a', secret, wrong({ [secret]: secret })),
  },
  chatSendTool: {
    'a recipient': (secret) =>
      chatSendTool.invoke(
        new RunContext(),
        JSON.stringify({ recipient: secret, content: secret, conversation_id: null }),
      ),
    'an unknown argument': (secret) => chatSendTool.invoke(new RunContext(), JSON.stringify({ [secret]: secret })),
  },
  getBus: { 'a bus': () => handrail.getBus() },
  setBusForTesting: { 'no bus': (secret) => handrail.setBusForTesting(wrong({ [secret]: secret })) },
};
