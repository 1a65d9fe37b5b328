import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryBus } from '../../ts/bus/memory.js';
import { RedisBus } from '../../ts/bus/redis.js';
import { setBusForTesting } from '../../ts/compat/chat.js';
import { MAX_KNOWN_AGENTS, MAX_NAMED_AGENTS } from '../../ts/tools/limits.js';
import { freePort } from '../support/redis.js';
import { toolkits } from '../support/toolkits.js';

const { make, audited } = toolkits();
const AGENTS = ['DevAgent', 'ReviewerAgent'];

beforeEach(() => {
  for (const name of ['REDIS_URL', 'AGENT_NAME', 'CHAT_TOOL_CONVERSATION_ID']) vi.stubEnv(name, undefined);
});
afterEach(() => {
  setBusForTesting(null);
  vi.unstubAllEnvs();
});

describe('chat_send', () => {
  it('is published only where there is a bus or a chat, and then comes last', async () => {
    const names = (toolkit: Awaited<ReturnType<typeof make>>) => toolkit.definitions().map(({ name }) => name);
    const without = await make();
    expect(names(without)).not.toContain('chat_send');
    expect('bus' in without).toBe(false);
    const bus = new MemoryBus();
    const withBus = await make({ bus });
    expect(names(withBus)).toEqual([...names(without), 'chat_send']);
    expect(withBus.bus).toBe(bus);
    setBusForTesting(bus);
    expect((await make({ chat: {} })).bus).toBe(bus);
    await expect(make({ tools: ['chat_send'] })).rejects.toThrow('needs `bus` or `chat`');
    expect(names(await make({ bus, tools: ['chat_send'] }))).toEqual(['chat_send']);
  });

  it('sends as the agent of the options, in the conversation of the options', async () => {
    const bus = new MemoryBus();
    const { toolkit, records } = await audited({ bus, chat: { agent: 'Planner', conversationId: 'main' } });
    const args = { recipient: 'agent:DevAgent', content: 'password=hunter2 \n' };
    const { content, isError, data } = await toolkit.execute('chat_send', args);
    const [message] = await bus.read('chat:DevAgent');
    const sent = { ok: true, envelope_id: message?.id, published_to: ['chat:main', 'chat:DevAgent'], redactions: 1 };
    expect({ isError, data, read: JSON.parse(content) }).toEqual({
      isError: false,
      data: { kind: 'message', ...sent },
      read: sent,
    });
    expect(message?.payload).toMatchObject({ sender: 'agent:Planner', content: 'password=[REDACTED] \n' });
    expect(records).toMatchObject([
      {
        tool: 'chat_send',
        decision: 'allow',
        rules: [],
        redactions: 1,
        detail: {
          kind: 'message',
          status: 'sent',
          recipient: 'agent:DevAgent',
          envelopeId: message?.id,
          topics: sent.published_to,
        },
      },
    ]);
    await toolkit.close();
    expect(await bus.read('chat:main')).toHaveLength(1);
  });

  it('takes sender and conversation from the environment where the options have none', async () => {
    vi.stubEnv('AGENT_NAME', 'FromEnv');
    vi.stubEnv('CHAT_TOOL_CONVERSATION_ID', 'env');
    const bus = new MemoryBus();
    const toolkit = await make({ bus });
    await toolkit.execute('chat_send', { recipient: 'agent:A', content: 'x' });
    expect((await bus.read('chat:env'))[0]?.payload['sender']).toBe('agent:FromEnv');
    await toolkit.execute('chat_send', { recipient: 'agent:A', content: 'x', conversation_id: 'given' });
    expect(await bus.read('chat:given')).toHaveLength(1);
  });

  it.each([
    [
      'an unknown agent',
      { recipient: 'agent:DevAgnet' },
      'not sent: there is no agent of this name. Known agents: DevAgent, ReviewerAgent. (unknown_agent)',
    ],
    ['an agent as a conversation', { recipient: 'chat:DevAgent' }, 'its recipient is agent:DevAgent (reserved_name)'],
    ['one by the argument', { recipient: 'agent:DevAgent', conversation_id: 'ReviewerAgent' }, '(reserved_name)'],
  ])('refuses %s, and sends nothing', async (_name, args, text) => {
    const bus = new MemoryBus();
    const { toolkit, records } = await audited({ bus, chat: { agents: AGENTS, conversationId: 'main' } });
    const { content, isError, data } = await toolkit.execute('chat_send', { content: 'x', ...args });
    expect({ content, isError }).toEqual({ content: expect.stringContaining(text), isError: true });
    expect(data).toMatchObject({ kind: 'message', ok: false });
    expect(records[0]).toMatchObject({ decision: 'deny', isError: true, detail: { kind: 'message', topics: [] } });
    for (const topic of ['chat:DevAgent', 'chat:DevAgnet', 'chat:main', 'chat:ReviewerAgent']) {
      expect(await bus.read(topic)).toEqual([]);
    }
  });

  it.each([
    [{ recipient: 'room:1', content: 'x' }, "recipient must be 'chat:{conversation_id}' or 'agent:{Name}'"],
    [{ recipient: 'agent:A', content: 'x' }, 'conversation_id not available for agent recipient'],
    [{ recipient: 'chat:a', content: ' ' }, 'content must be non-empty'],
    [{ recipient: 'chat:a', content: 'x', sender: 'agent:Boss' }, 'unknown argument: sender'],
    [{ recipient: 'chat:a' }, 'missing argument: content'],
  ])('answers %j with a refusal', async (args, problem) => {
    const toolkit = await make({ bus: new MemoryBus() });
    const { content, isError, data } = await toolkit.execute('chat_send', args);
    expect({ isError, data }).toMatchObject({ isError: true, data: { kind: 'refusal', refused: 'invalid_arguments' } });
    expect(content).toContain(problem);
  });

  it('tells the model that the bus is away', async () => {
    const bus = new RedisBus({ url: `redis://127.0.0.1:${await freePort()}`, timeoutMs: 2_000 });
    const toolkit = await make({ bus });
    const { content, isError } = await toolkit.execute('chat_send', { recipient: 'chat:a', content: 'x' });
    expect({ content, isError }).toEqual({
      // A refusal takes longer than the bus waits where the machine is busy.
      content: expect.stringMatching(
        /^not sent: Redis cannot be reached \((ECONNREFUSED|ETIMEDOUT)\): nothing was sent \(unavailable\)$/,
      ),
      isError: true,
    });
    await bus.close();
  });

  it('tells the model when it may send again, whichever of its toolkits it asks', async () => {
    const bus = new MemoryBus();
    const { toolkit, records } = await audited({ bus, chat: { agent: 'A', messagesPerMinute: 2 } });
    const second = await make({ bus, chat: { agent: 'A', messagesPerMinute: 2 } });
    const args = { recipient: 'chat:c', content: 'x' };
    for (const one of [toolkit, second]) expect((await one.execute('chat_send', args)).isError).toBe(false);
    const { content, isError, data } = await toolkit.execute('chat_send', args);
    expect({ content, isError }).toEqual({
      content: expect.stringMatching(/^not sent: 2 messages .* Send again in \d+ s \(rate_limited\)$/),
      isError: true,
    });
    const refusal = { code: 'rate_limited', message: expect.any(String), retryAfterMs: expect.any(Number) };
    expect(data).toEqual({ kind: 'message', ok: false, refusal });
    expect(records.at(-1)).toMatchObject({ decision: 'deny', rules: ['rate_limited'] });
    expect(await bus.read('chat:c')).toHaveLength(2);
  });

  it.each([2, 40])('ends an exchange of two toolkits at %s hops', async (maxHops) => {
    const bus = new MemoryBus();
    const ends: unknown[] = [];
    for (const [agent, other] of [
      ['A', 'B'],
      ['B', 'A'],
    ]) {
      const chat = { agent, conversationId: 'main', maxHops, messagesPerMinute: 1_000 };
      const toolkit = await make({ bus, chat });
      const answer = async () => {
        const { data } = await toolkit.execute('chat_send', { recipient: `agent:${other}`, content: 'x' });
        if (data.kind === 'message' && !data.ok) ends.push(data.refusal.code);
      };
      await bus.subscribe(`chat:${agent}`, answer, { group: 'g' });
    }
    await bus.publish('chat:A', {});
    await expect.poll(() => ends).toEqual(['too_many_hops']);
    expect(await bus.read('chat:main')).toHaveLength(maxHops);
    await bus.close();
  });

  it('names known agents to the model, so many and no more; none is nobody', async () => {
    const agents = Array.from({ length: MAX_NAMED_AGENTS + 1 }, (_, index) => `A${index}`);
    const described = async (known: readonly string[]) =>
      (await make({ bus: new MemoryBus(), chat: { agents: known }, tools: ['chat_send'] })).definitions()[0]
        ?.description;
    expect(await described(agents.slice(1))).toMatch(/A1, .*, A30\.$/);
    expect(await described(agents)).toMatch(/A0, .*, A29 and 1 more\.$/);
    expect(await described([])).toMatch(/There are no other agents\.$/);
  });

  it.each<[object]>([
    [{ chat: { agents: ['a b'] } }],
    [{ chat: { agents: 'A' } }],
    [{ chat: { agents: Array.from({ length: MAX_KNOWN_AGENTS + 1 }, (_, index) => `A${index}`) } }],
    [{ chat: { agent: '../x' } }],
    [{ chat: { conversationId: '' } }],
    [{ chat: { sender: 'x' } }],
    [{ chat: { messagesPerMinute: 0 } }],
    [{ chat: { maxHops: 0 } }],
    [{ bus: {} }],
    [{ bus: null }],
  ])('refuses the options %#', async (options) => {
    await expect(make(options)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });
});
