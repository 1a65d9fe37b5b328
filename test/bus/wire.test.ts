/** What stands in Redis: the other side of it is programs that are not ours. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { MessageEnvelope } from '../../ts/bus/envelope.js';
import { RedisBus } from '../../ts/bus/redis.js';
import { sendMessage } from '../../ts/compat/chat.js';
import { startNode } from '../support/cli.js';
import { describeWithRedis } from '../support/redis.js';

const KEYS = ['id', 'conversation_id', 'sender', 'recipient', 'type', 'content', 'metadata', 'created_at'];

describeWithRedis('the wire', (server) => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
    vi.unstubAllEnvs();
  });
  const raw = () => {
    const client = server.client();
    open.push({ close: () => client.disconnect() });
    return client;
  };
  const bus = () => {
    const made = new RedisBus(server.url);
    open.push(made);
    return made;
  };

  it('has the fields of the original: id, and payload as compact JSON in ASCII', async () => {
    const name = randomUUID();
    const { envelope_id: id } = await sendMessage('agent:A', 'é 😀', { conversationId: name, bus: bus() });
    const [[, fields]] = (await raw().xrange(`chat:${name}`, '-', '+')) as unknown as [[string, string[]]];
    expect([fields[0], fields[1], fields[2], fields.length]).toEqual(['id', id, 'payload', 4]);
    expect(fields[3]).toContain('"content":"\\u00e9 \\ud83d\\ude00","metadata":{},"created_at":"');
    expect(Object.keys(JSON.parse(fields[3] ?? ''))).toEqual(KEYS);
  });

  it('reads what the original writes, with ids of its own, as messages and as cursors', async () => {
    const topic = `chat:${randomUUID()}`;
    const client = raw();
    // A gateway of the original leaves out metadata and created_at.
    const text =
      '{"id":"e1","conversation_id":"c","sender":"user:ann","recipient":"chat:c","type":"message","content":"\\u00e9"}';
    const place = await client.xadd(topic, '*', 'id', 'bus-uuid-1', 'payload', text);
    await client.xadd(topic, '*', 'id', 'bus-uuid-2', 'payload', '{"event":"token","text":"a","index":0}');
    const [first, second] = await bus().read(topic);
    expect(first).toEqual({ topic, id: 'bus-uuid-1', payload: JSON.parse(text) });
    expect(MessageEnvelope.parse(first?.payload)).toMatchObject({ id: 'e1', content: 'é', metadata: {} });
    // A bus that has not seen them has to look for the id.
    expect(await bus().read(topic, { after: 'bus-uuid-1' })).toEqual([second]);
    expect(await bus().read(topic, { after: String(place) })).toEqual([second]);
    expect(await bus().readBlocking(topic, { after: 'bus-uuid-1' })).toEqual([second]);
  });

  it('finds an id behind thousands of others', async () => {
    const topic = `chat:${randomUUID()}`;
    const pipeline = raw().pipeline();
    for (let n = 0; n < 2_500; n += 1) pipeline.xadd(topic, '*', 'id', `u${n}`, 'payload', '{}');
    await pipeline.exec();
    expect((await bus().read(topic, { after: 'u10', limit: 1 }))[0]?.id).toBe('u11');
    await expect(bus().read(topic, { after: 'u2500' })).rejects.toMatchObject({
      data: { reason: 'cursor_lost', oldest: 'u0' },
    });
  });

  it('is kept by REDIS_URL in another process too, which ends by itself', async () => {
    const conversation = randomUUID();
    const code = `import { sendMessage } from 'handrail'; console.log((await sendMessage('chat:${conversation}', 'hi')).published_to[0]);`;
    const env = { REDIS_URL: server.url, AGENT_NAME: 'Child' };
    // On a busy machine its first connection may take longer than the second and a half that it has: nothing was sent then.
    const send = () => startNode(['--input-type=module', '--eval', code], { env }).ended;
    await expect.poll(send).toMatchObject({ code: 0, stdout: `chat:${conversation}\n`, stderr: '' });
    const [message] = await bus().read(`chat:${conversation}`);
    expect(message?.payload).toMatchObject({ sender: 'agent:Child', content: 'hi' });
  });
});
