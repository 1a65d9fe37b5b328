/** `sendMessage`, by the cases of the document it descends from, and what that got wrong. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bus } from '../../ts/bus/bus.js';
import { MAX_CONTENT_BYTES, MAX_ENVELOPE_BYTES, MAX_TOPIC_BYTES } from '../../ts/bus/limits.js';
import { MemoryBus } from '../../ts/bus/memory.js';
import { RedisBus } from '../../ts/bus/redis.js';
import { getBus, sendMessage, setBusForTesting } from '../../ts/compat/chat.js';
import { Redactor } from '../../ts/redaction/redactor.js';
import { freePort } from '../support/redis.js';

const VARIABLES = ['REDIS_URL', 'AGENT_NAME', 'CHAT_TOOL_CONVERSATION_ID', 'BUS_STREAM_MAXLEN'];

const mistake = (message: string) =>
  expect.objectContaining({ name: 'HandrailError', code: 'ERR_INVALID_ARGUMENT', message });
const WRONG_RECIPIENT = "recipient must be 'chat:{conversation_id}' or 'agent:{Name}'";

let bus: MemoryBus;

beforeEach(() => {
  for (const variable of VARIABLES) vi.stubEnv(variable, undefined);
  bus = new MemoryBus();
  setBusForTesting(bus);
});

afterEach(() => {
  setBusForTesting(null);
  vi.unstubAllEnvs();
});

describe('sendMessage', () => {
  it('publishes exactly one message to a conversation', async () => {
    const sent = await sendMessage('chat:conv1', 'hello');
    expect(sent).toEqual({
      ok: true,
      envelope_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      published_to: ['chat:conv1'],
      redactions: 0,
    });
    const messages = await bus.read('chat:conv1');
    expect(messages).toHaveLength(1);
    expect(messages[0]).toEqual({
      topic: 'chat:conv1',
      id: sent.envelope_id,
      payload: {
        id: sent.envelope_id,
        conversation_id: 'conv1',
        sender: 'agent:unknown',
        recipient: 'chat:conv1',
        type: 'message',
        content: 'hello',
        metadata: {},
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      },
    });
  });

  it('publishes to the conversation of the variable and to the agent, the same payload', async () => {
    vi.stubEnv('CHAT_TOOL_CONVERSATION_ID', 'conv2');
    vi.stubEnv('AGENT_NAME', 'Planner');
    const { published_to } = await sendMessage('agent:DevAgent', 'hello');
    expect(published_to).toEqual(['chat:conv2', 'chat:DevAgent']);
    const [first] = await bus.read('chat:conv2');
    const [second] = await bus.read('chat:DevAgent');
    expect(first?.payload).toMatchObject({
      sender: 'agent:Planner',
      recipient: 'agent:DevAgent',
      conversation_id: 'conv2',
    });
    expect(second?.payload).toEqual(first?.payload);
  });

  it('is on both topics or on none', async () => {
    const small = new MemoryBus();
    await small.subscribe('chat:Full', () => new Promise(() => undefined), { group: 'g' });
    const payload = { t: 'x'.repeat(MAX_ENVELOPE_BYTES - '{"t":""}'.length) };
    for (let bytes = 0; bytes < MAX_TOPIC_BYTES; bytes += MAX_ENVELOPE_BYTES) await small.publish('chat:Full', payload);
    await expect(sendMessage('agent:Full', 'x', { conversationId: 'c', bus: small })).rejects.toMatchObject({
      code: 'ERR_BUSY',
    });
    expect(await small.read('chat:c')).toEqual([]);
    await small.close();
  });

  it.each(['room:123', 'agent:', 'chat:', '', ' ', 'agent: ', 'chat:\t', 'chat', 'Agent:A', 'xagent:A'])(
    'refuses the recipient %j, also when the variable names a conversation',
    async (recipient) => {
      await expect(sendMessage(recipient, 'x')).rejects.toEqual(mistake(WRONG_RECIPIENT));
      vi.stubEnv('CHAT_TOOL_CONVERSATION_ID', 'envconv');
      await expect(sendMessage(recipient, 'x')).rejects.toEqual(mistake(WRONG_RECIPIENT));
      expect(await bus.read('chat:envconv')).toEqual([]);
    },
  );

  it.each([
    'agent:../x*',
    'agent: Dev',
    'agent:Dev Agent\nX',
    'chat:.a',
    'chat:_a',
    `chat:${'a'.repeat(65)}`,
    'agent:é',
    'chat:a:b',
  ])('refuses the name in %j', async (recipient) => {
    const rejected = expect(sendMessage(recipient, 'x', { conversationId: 'c' })).rejects;
    await rejected.toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
      message: expect.stringContaining(`${WRONG_RECIPIENT}, with`),
    });
  });

  it('takes names of 1 and of 64 characters, and blanks around a recipient', async () => {
    expect((await sendMessage(' chat:a ', 'x')).published_to).toEqual(['chat:a']);
    const longest = `chat:${'a'.repeat(64)}`;
    expect((await sendMessage(longest, 'x')).published_to).toEqual([longest]);
  });

  it.each(['', ' ', '\n\t '])('refuses the blank content %j', async (content) => {
    await expect(sendMessage('chat:conv1', content)).rejects.toEqual(mistake('content must be non-empty'));
  });

  it('refuses a message to an agent when nothing names the conversation', async () => {
    const none = mistake('conversation_id not available for agent recipient');
    await expect(sendMessage('agent:A', 'x')).rejects.toEqual(none);
    await expect(
      sendMessage('agent:A', 'x', { conversationId: ' ', context: { conversation_id: '' } }),
    ).rejects.toEqual(none);
    expect(await bus.read('chat:A')).toEqual([]);
  });

  it('takes the conversation from the recipient, the parameter, the context, the variable, in this order', async () => {
    vi.stubEnv('CHAT_TOOL_CONVERSATION_ID', 'env');
    const context = { conversation_id: 'context' };
    const conversation = async (recipient: string, options: object) =>
      (await sendMessage(recipient, 'x', options)).published_to[0];
    expect(await conversation('chat:suffix', { conversationId: 'parameter', context })).toBe('chat:suffix');
    expect(await conversation('agent:A', { conversationId: 'parameter', context })).toBe('chat:parameter');
    expect(await conversation('agent:A', { context })).toBe('chat:context');
    expect(await conversation('agent:A', {})).toBe('chat:env');
  });

  it.each<[object]>([[{ conversationId: '../x' }], [{ conversationId: 7 }], [{ context: { conversation_id: 'a b' } }]])(
    'refuses the conversation %j',
    async (options) => {
      await expect(sendMessage('agent:A', 'x', options)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    },
  );

  it('publishes once where conversation and agent have the same name', async () => {
    expect((await sendMessage('agent:A', 'x', { conversationId: 'A' })).published_to).toEqual(['chat:A']);
    expect(await bus.read('chat:A')).toHaveLength(1);
  });

  it('sends the content as it is', async () => {
    const content = '  def f():\n\treturn "é 😀"\r\n\n';
    await sendMessage('chat:conv1', content);
    expect((await bus.read('chat:conv1'))[0]?.payload['content']).toBe(content);
  });

  it('masks secrets before the content leaves, by the given redactor too', async () => {
    const { redactions } = await sendMessage('chat:conv1', 'use password=hunter2 now');
    expect(redactions).toBe(1);
    const redactor = new Redactor({ secrets: { DEPLOY: 'correct horse' } });
    await sendMessage('chat:conv1', 'say correct horse', { redactor });
    const contents = (await bus.read('chat:conv1')).map(({ payload }) => payload['content']);
    expect(contents).toEqual(['use password=[REDACTED] now', 'say [REDACTED]']);
  });

  it('sends as much as it says, and no more', async () => {
    await sendMessage('chat:conv1', 'é'.repeat(MAX_CONTENT_BYTES / 2));
    await expect(sendMessage('chat:conv1', `${'é'.repeat(MAX_CONTENT_BYTES / 2)}x`)).rejects.toThrow(
      `content must have at most ${MAX_CONTENT_BYTES} bytes of UTF-8, and has ${MAX_CONTENT_BYTES + 1}`,
    );
    expect(await bus.read('chat:conv1')).toHaveLength(1);
  });

  it.each<[object, RegExp]>([
    [{ conversation_id: 'c' }, /Unknown key/],
    [{ bus: {} }, /options\.bus/],
    [{ redactor: {} }, /options\.redactor/],
    [{ context: 'c' }, /options\.context/],
  ])('refuses the options %j as a rejection', async (options, message) => {
    await expect(sendMessage('chat:a', 'x', options)).rejects.toThrow(message);
  });

  it.each([
    ['AGENT_NAME', 'a b'],
    ['CHAT_TOOL_CONVERSATION_ID', '../x'],
    ['REDIS_URL', 'http://user:hunter2@h'],
    ['BUS_STREAM_MAXLEN', 'many'],
    ['BUS_STREAM_MAXLEN', '-5'],
    ['BUS_STREAM_MAXLEN', '1000001'],
  ])('refuses %s=%s by the name of the variable', async (variable, value) => {
    vi.stubEnv(variable, value);
    const failure = await sendMessage('chat:a', 'x').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'ERR_INVALID_CONFIG', data: { variable } });
    expect(String(failure)).not.toContain(value);
  });

  it('says that Redis is away, and of where it is nothing', async () => {
    setBusForTesting(null);
    vi.stubEnv('REDIS_URL', `redis://:hunter2@127.0.0.1:${await freePort()}`);
    const failure = await sendMessage('chat:a', 'x').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'ERR_BUS', data: { reason: 'unavailable' } });
    expect(String((failure as Error).stack)).not.toContain('hunter2');
  });
});

describe('getBus', () => {
  it('gives one bus as long as the variables stay the same', () => {
    setBusForTesting(null);
    vi.stubEnv('REDIS_URL', 'redis://127.0.0.1:1');
    const first = getBus();
    expect(first).toBeInstanceOf(RedisBus);
    expect(getBus()).toBe(first);
    vi.stubEnv('BUS_STREAM_MAXLEN', '10');
    expect(getBus()).not.toBe(first);
  });

  it('stays in this process without REDIS_URL, and says so once, as a process warning', async () => {
    const warned: (Error & { code?: string })[] = [];
    const listen = (warning: Error) => warned.push(warning);
    process.on('warning', listen);
    setBusForTesting(null);
    const first = getBus();
    expect(first).toBeInstanceOf(MemoryBus);
    await sendMessage('chat:a', 'x');
    expect(await first.read('chat:a')).toHaveLength(1);
    setBusForTesting(null);
    expect(getBus()).not.toBe(first);
    expect(await getBus().read('chat:a')).toEqual([]);
    await new Promise(setImmediate);
    process.off('warning', listen);
    expect(warned).toMatchObject([
      { name: 'HandrailWarning', code: 'HANDRAIL_BUS', message: expect.stringContaining('stay in this process') },
    ]);
  });

  it('takes any bus for a test, and nothing else', () => {
    expect(() => setBusForTesting({} as Bus)).toThrow(mistake('Expected `bus` to be a bus, got an object'));
    setBusForTesting(bus);
    expect(getBus()).toBe(bus);
  });
});
