// Checklist B: the chat tool, on the embedded bus and on a Redis of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RunContext } from '@openai/agents';
import * as h from 'handrail';
import { chatSendTool } from 'handrail/openai-agents';
import { Redis } from 'ioredis';
import * as z from 'zod';
import { hasProgram, line, runNode, SECRET, skipped, sleep, temporaryFolder, until, withVariables } from './line.mjs';

const { sendMessage } = h;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const WRONG_RECIPIENT = "recipient must be 'chat:{conversation_id}' or 'agent:{Name}'";
const KEYS = ['id', 'conversation_id', 'sender', 'recipient', 'type', 'content', 'metadata', 'created_at'];
const folder = temporaryFolder('chat');
for (const name of ['REDIS_URL', 'AGENT_NAME', 'CHAT_TOOL_CONVERSATION_ID', 'BUS_STREAM_MAXLEN'])
  delete process.env[name];

const mistake = (message) => ({ name: 'HandrailError', code: 'ERR_INVALID_ARGUMENT', message });
const name = () => `c${randomUUID().slice(0, 8)}`;
const invoke = (args, context = {}) => chatSendTool.invoke(new RunContext(context), JSON.stringify(args));

await line('the exports are there, Bus and BusMessage as types', () => {
  for (const exported of [sendMessage, h.getBus, h.setBusForTesting]) assert.equal(typeof exported, 'function');
  for (const made of [new h.MemoryBus(), new h.MemoryBus({ maxLength: 1 }), new h.RedisBus('redis://127.0.0.1:1')]) {
    for (const method of ['publish', 'read', 'readBlocking', 'subscribe', 'close'])
      assert.equal(typeof made[method], 'function');
  }
  assert.ok(new h.RedisBus({ url: 'redis://127.0.0.1:1' }) instanceof h.RedisBus);
  const types = readFileSync(fileURLToPath(import.meta.resolve('handrail')).replace(/js$/, 'd.ts'), 'utf8');
  assert.match(types, /export type \{[^}]*\bBus,[^}]*\bBusMessage,/s);
});

await line('MessageEnvelope is a schema of zod', () => {
  const given = { conversation_id: 'c', sender: 'user:ann', recipient: 'chat:c', type: 'message', content: 'hi', x: 1 };
  const parsed = h.MessageEnvelope.parse(given);
  assert.deepEqual(Object.keys(parsed), KEYS);
  assert.match(parsed.id, UUID);
  assert.deepEqual(parsed.metadata, {});
  assert.equal(h.MessageEnvelope.safeParse({ ...given, type: 'other' }).success, false);
  assert.equal(z.array(h.MessageEnvelope).parse([given])[0].content, 'hi');
});

await line('importing needs neither Redis nor the SDK', async () => {
  const bare = path.join(folder, 'bare');
  mkdirSync(path.join(bare, 'node_modules'), { recursive: true });
  const installed = path.resolve(fileURLToPath(import.meta.resolve('handrail')), '../..');
  symlinkSync(installed, path.join(bare, 'node_modules/handrail'));
  writeFileSync(
    path.join(bare, 'main.mjs'),
    `import { MemoryBus, RedisBus } from 'handrail';
     await new MemoryBus().publish('t', {});
     const error = await new RedisBus('redis://127.0.0.1:1').publish('t', {}).catch((error) => error);
     console.log(error.code, await import('@openai/agents').catch(({ code }) => code));`,
  );
  // Links as they stand: what lies beside the real package is out of reach.
  const { stdout, stderr } = await runNode(['--preserve-symlinks', '--preserve-symlinks-main', 'main.mjs'], bare);
  assert.deepEqual({ stdout, stderr }, { stdout: 'ERR_PEER_MISSING ERR_MODULE_NOT_FOUND\n', stderr: '' });
});

/** Everything that holds on every bus. */
async function contract(title, bus) {
  const send = (recipient, content, options = {}) => sendMessage(recipient, content, { bus, ...options });
  const say = (sentence, check) => line(`${title}: ${sentence}`, check);

  await say('a chat recipient publishes exactly one', async () => {
    const id = name();
    const sent = await send(`chat:${id}`, 'hello');
    assert.deepEqual(Object.keys(sent).slice(0, 3), ['ok', 'envelope_id', 'published_to']);
    assert.equal(sent.ok, true);
    assert.match(sent.envelope_id, UUID);
    assert.deepEqual(sent.published_to, [`chat:${id}`]);
    const read = await bus.read(`chat:${id}`);
    assert.equal(read.length, 1);
    assert.deepEqual(Object.keys(read[0]).sort(), ['id', 'payload', 'topic']);
    assert.equal(read[0].topic, `chat:${id}`);
  });

  await say('the envelope has its keys, their values and the time in UTC with microseconds', async () => {
    const id = name();
    const { envelope_id } = await withVariables({ AGENT_NAME: 'Planner' }, () => send(`chat:${id}`, 'hello'));
    const [{ payload }] = await bus.read(`chat:${id}`);
    assert.deepEqual(Object.keys(payload), KEYS);
    const { created_at, ...rest } = payload;
    const recipient = `chat:${id}`;
    const fixed = { type: 'message', content: 'hello', metadata: {} };
    assert.deepEqual(rest, { id: envelope_id, conversation_id: id, sender: 'agent:Planner', recipient, ...fixed });
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000);
    await send(`chat:${id}`, 'x');
    assert.equal((await bus.read(`chat:${id}`)).at(-1).payload.sender, 'agent:unknown');
  });

  await say('an agent recipient with the variable set publishes the same to both, the conversation first', async () => {
    const [id, agent] = [name(), name()];
    const sent = await withVariables({ CHAT_TOOL_CONVERSATION_ID: id }, () => send(`agent:${agent}`, 'hello'));
    assert.deepEqual(sent.published_to, [`chat:${id}`, `chat:${agent}`]);
    const [[first], [second]] = await Promise.all(sent.published_to.map((topic) => bus.read(topic)));
    assert.deepEqual(second.payload, first.payload);
    assert.equal(first.payload.recipient, `agent:${agent}`);
  });

  await say('room:123, agent:, chat:, the empty and the blank recipient are refused', async () => {
    for (const wrong of ['room:123', 'agent:', 'chat:', '', ' ', 'agent: ', 'chat:\t']) {
      const refused = send(wrong, 'x', { conversationId: 'c' });
      assert.ok(refused instanceof Promise);
      await assert.rejects(refused, mistake(WRONG_RECIPIENT), JSON.stringify(wrong));
    }
  });

  await say('the recipient is trimmed', async () => {
    const id = name();
    assert.deepEqual((await send(`  chat:${id}\n`, 'x')).published_to, [`chat:${id}`]);
  });

  await say('blank content is refused, other content is verbatim, secrets masked', async () => {
    for (const blank of ['', ' ', '\n\t '])
      await assert.rejects(send('chat:c', blank), mistake('content must be non-empty'));
    const id = name();
    const content = ' \tdef f():\n\treturn "é 😀"\r\n\n';
    await send(`chat:${id}`, content);
    await send(`chat:${id}`, ` password=${SECRET} `);
    const read = await bus.read(`chat:${id}`);
    assert.deepEqual(
      read.map(({ payload }) => payload.content),
      [content, ' password=[REDACTED] '],
    );
  });

  await say('no id anywhere is refused, and stores nothing', async () => {
    const agent = name();
    const none = mistake('conversation_id not available for agent recipient');
    await assert.rejects(send(`agent:${agent}`, 'x'), none);
    await assert.rejects(send(`agent:${agent}`, 'x', { conversationId: ' ', context: { conversation_id: '' } }), none);
    assert.deepEqual(await bus.read(`chat:${agent}`), []);
  });

  await say('precedence: suffix, parameter, context, variable', async () => {
    const context = { conversation_id: 'context' };
    const first = async (recipient, options) => (await send(recipient, 'x', options)).published_to[0];
    await withVariables({ CHAT_TOOL_CONVERSATION_ID: 'variable' }, async () => {
      assert.equal(await first('chat:suffix', { conversationId: 'parameter', context }), 'chat:suffix');
      assert.equal(await first('agent:A', { conversationId: 'parameter', context }), 'chat:parameter');
      assert.equal(await first('agent:A', { context }), 'chat:context');
      assert.equal(await first('agent:A', {}), 'chat:variable');
    });
  });

  await say('read gives the tail, 100 of it, what follows a cursor, at most a limit', async () => {
    const topic = `chat:${name()}`;
    for (let n = 1; n <= 101; n += 1) await bus.publish(topic, { n });
    const tail = await bus.read(topic);
    assert.deepEqual([tail.length, tail[0].payload, tail.at(-1).payload], [100, { n: 2 }, { n: 101 }]);
    assert.deepEqual(
      (await bus.read(topic, { after: tail.at(-2).id })).map(({ payload }) => payload),
      [{ n: 101 }],
    );
    assert.deepEqual(
      (await bus.read(topic, { limit: 1 })).map(({ payload }) => payload),
      [{ n: 101 }],
    );
    await assert.rejects(bus.read(topic, { after: 'nowhere' }), { code: 'ERR_BUS' });
  });

  await say('readBlocking gives only what is new, and waits 1000 ms', async () => {
    const topic = `chat:${name()}`;
    await bus.publish(topic, { n: 1 });
    const started = performance.now();
    assert.deepEqual(await bus.readBlocking(topic), []);
    const waited = performance.now() - started;
    assert.ok(waited > 950, `${waited} ms`);
    const waiting = bus.readBlocking(topic, { blockMs: 60_000 });
    await sleep(100);
    const { id } = await bus.publish(topic, { n: 2 });
    assert.deepEqual(await waiting, [{ topic, payload: { n: 2 }, id }]);
  });

  await say('deviation: publish takes several topics and says whether the id was stored before', async () => {
    const topics = [`chat:${name()}`, `chat:${name()}`];
    const first = await bus.publish(topics, { n: 1 }, { id: 'a' });
    assert.deepEqual(first, { id: 'a', topics, duplicate: false, givenUp: 0 });
    assert.equal((await bus.publish(topics, { n: 1 }, { id: 'a' })).duplicate, true);
    for (const topic of topics) assert.equal((await bus.read(topic)).length, 1);
  });

  await say('deviation: a group gets a message again until its handler has succeeded', async () => {
    const topic = `chat:${name()}`;
    await bus.publish(topic, { n: 1 });
    const seen = [];
    const handler = (_message, { deliveries }) => {
      seen.push(deliveries);
      if (deliveries === 1) throw new Error('once more');
    };
    const subscription = await bus.subscribe(topic, handler, { group: 'g', onError: () => undefined });
    await until(() => seen.length === 2);
    await subscription.close();
    assert.deepEqual(seen, [1, 2]);
  });

  await say('chatSendTool takes recipient, content and conversation_id, and no sender', async () => {
    assert.equal(chatSendTool.name, 'chat_send');
    assert.deepEqual(Object.keys(chatSendTool.parameters.properties), ['recipient', 'content', 'conversation_id']);
    h.setBusForTesting(bus);
    assert.equal(h.getBus(), bus);
    const [id, agent] = [name(), name()];
    const args = { recipient: `agent:${agent}`, content: 'hi', conversation_id: null };
    const sent = JSON.parse(await invoke(args, { conversation_id: id }));
    assert.deepEqual([sent.ok, sent.published_to], [true, [`chat:${id}`, `chat:${agent}`]]);
    assert.match(await invoke({ ...args, sender: 'agent:Boss' }, { conversation_id: id }), /^invalid arguments: /);
    assert.match(
      await invoke({ ...args, recipient: 'room:123' }),
      new RegExp(WRONG_RECIPIENT.replaceAll(/[{}]/g, '\\$&')),
    );
    assert.match(await invoke(args), /conversation_id not available for agent recipient/);
    assert.equal((await bus.read(`chat:${agent}`)).length, 1);
    h.setBusForTesting(null);
  });
}

const memory = new h.MemoryBus();
await contract('MemoryBus', memory);
await line('MemoryBus: both topics or none', async () => {
  const small = new h.MemoryBus();
  await small.subscribe('chat:Full', () => new Promise(() => undefined), { group: 'g' });
  // 64 MiB that its group has not handled: there is no room for more.
  for (let n = 0; n < 256; n += 1) await small.publish('chat:Full', { t: 'x'.repeat(256 * 1_024 - 8) });
  await assert.rejects(sendMessage('agent:Full', 'x', { conversationId: 'c', bus: small }), { code: 'ERR_BUSY' });
  assert.deepEqual(await small.read('chat:c'), []);
  void small.close();
});
await memory.close();

if (hasProgram('redis-server')) {
  const free = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => free.once('listening', resolve));
  const { port } = free.address();
  await new Promise((resolve) => free.close(resolve));
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', args, { stdio: 'ignore' });
  process.on('exit', () => server.kill('SIGKILL'));
  const url = `redis://127.0.0.1:${port}`;
  const raw = new Redis(url, { replyMapping: 'legacy', retryStrategy: () => 20 });
  raw.on('error', () => undefined); // Until it listens.
  await until(() => raw.status === 'ready');
  const bus = new h.RedisBus(url);
  await contract('RedisBus', bus);
  await line('RedisBus: entries have the fields id and payload, the payload as JSON', async () => {
    const id = name();
    const { envelope_id } = await sendMessage(`chat:${id}`, 'é', { bus });
    const [[, fields]] = await raw.xrange(`chat:${id}`, '-', '+');
    assert.deepEqual([fields.length, fields[0], fields[1], fields[2]], [4, 'id', envelope_id, 'payload']);
    assert.deepEqual(Object.keys(JSON.parse(fields[3])), KEYS);
  });
  await line('RedisBus: both topics or none', async () => {
    const [id, agent] = [name(), name()];
    await raw.set(`chat:${agent}`, 'no stream');
    await assert.rejects(sendMessage(`agent:${agent}`, 'x', { conversationId: id, bus }), { code: 'ERR_BUS' });
    assert.equal(await raw.exists(`chat:${id}`), 0);
  });
  await line('REDIS_URL makes it the bus of the process', async () => {
    const id = name();
    await withVariables({ REDIS_URL: url }, async () => {
      assert.ok(h.getBus() instanceof h.RedisBus);
      await sendMessage(`chat:${id}`, 'x');
    });
    assert.equal(await raw.xlen(`chat:${id}`), 1);
  });
  await bus.close();
  raw.disconnect();
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGKILL');
  await ended;
} else skipped('no redis-server', 'HANDRAIL_REQUIRE_REDIS');
// Subscriptions of a bus that is not closed would go on.
process.exit(0);
