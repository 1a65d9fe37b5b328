/** What a Redis, a network and a process can do to messages. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import { MAX_BUS_IN_FLIGHT, MAX_BUS_TIMEOUT_MS, MAX_TRIMMED_PER_PUBLISH } from '../../ts/bus/limits.js';
import { RedisBus } from '../../ts/bus/redis.js';
import { startNode } from '../support/cli.js';
import { CuttingProxy } from '../support/cutting-proxy.js';
import { LIVENESS_MS } from '../support/liveness.js';
import { sleep } from '../support/processes.js';
import { describeWithRedis } from '../support/redis.js';

const PATIENCE = { timeout: LIVENESS_MS, interval: 10 };
/** How long a Redis that is away is waited for: it is waited out. */
const AWAY_MS = 2_000;
const SILENT = { group: 'g', onError: () => undefined };

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function busAt(url: string, timeoutMs = MAX_BUS_TIMEOUT_MS): RedisBus {
  const bus = new RedisBus({ url, timeoutMs });
  open.push(bus);
  return bus;
}

describeWithRedis('messages on a Redis', (server) => {
  async function throughProxy(timeoutMs?: number): Promise<{ proxy: CuttingProxy; bus: RedisBus }> {
    const proxy = new CuttingProxy(server.port);
    const bus = busAt(await proxy.listen(), timeoutMs);
    open.push(proxy);
    return { proxy, bus };
  }

  it('come again, once, when their consumer is killed in its handler', async () => {
    const topic = `chat:${randomUUID()}`;
    const bus = busAt(server.url);
    await bus.publish(topic, { n: 1 });
    const { child, ended } = startNode(['test/bus/subscriber.mjs', server.url, topic]);
    const [begun] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [string];
    expect(begun).toBe('1 1\n');
    child.kill('SIGKILL');
    await ended;
    const seen: unknown[] = [];
    const take = ({ payload }: { payload: object }, { deliveries }: { deliveries: number }) =>
      seen.push([payload, deliveries]);
    await bus.subscribe(topic, take, { ...SILENT, leaseMs: 300 });
    await bus.publish(topic, { n: 2 });
    await vi.waitFor(() => expect(seen).toHaveLength(2), PATIENCE);
    await sleep(1_000);
    expect(seen.toSorted()).toEqual(
      [
        [{ n: 1 }, 2],
        [{ n: 2 }, 1],
      ].toSorted(),
    );
    const raw = server.client();
    expect((await raw.xpending(topic, 'g'))[0]).toBe(0);
    raw.disconnect();
  });

  it('stay with a consumer that takes longer than its lease', async () => {
    const topic = `chat:${randomUUID()}`;
    const bus = busAt(server.url);
    const seen: string[] = [];
    const slow = (name: string) => async () => {
      seen.push(name);
      await sleep(2_500);
    };
    await bus.subscribe(topic, slow('one'), { ...SILENT, leaseMs: 1_000 });
    await bus.publish(topic, { n: 1 });
    await vi.waitFor(() => expect(seen).toEqual(['one']), PATIENCE);
    await bus.subscribe(topic, slow('other'), { ...SILENT, leaseMs: 1_000 });
    await sleep(3_000);
    expect(seen).toEqual(['one']);
  });

  it('are buried unread when their consumers were killed too often', async () => {
    const name = randomUUID();
    const topic = `chat:${name}`;
    const bus = busAt(server.url);
    await bus.publish(topic, { n: 1 });
    const raw = server.client();
    await raw.xgroup('CREATE', topic, 'g', '0');
    await raw.xreadgroup('GROUP', 'g', 'dead', 'STREAMS', topic, '>');
    const [[place]] = (await raw.xrange(topic, '-', '+')) as unknown as [[string]];
    await raw.call('XCLAIM', topic, 'g', 'dead', '0', place, 'RETRYCOUNT', '5', 'IDLE', '60000', 'JUSTID');
    raw.disconnect();
    const seen: unknown[] = [];
    await bus.subscribe(topic, (message) => seen.push(message), { ...SILENT, leaseMs: 100 });
    await vi.waitFor(async () => expect(await bus.read(`dlq:${name}`)).toHaveLength(1), PATIENCE);
    expect(seen).toEqual([]);
    const [letter] = await bus.read(`dlq:${name}`);
    expect(letter?.payload).toMatchObject({ reason: 'handler_failed', error: 'lost', deliveries: 5 });
  });

  it('that are no messages are dead letters, and stop nobody', async () => {
    const name = randomUUID();
    const topic = `chat:${name}`;
    const bus = busAt(server.url);
    const raw = server.client();
    await raw.xadd(topic, '*', 'id', 'broken', 'payload', '{"n":');
    await raw.xadd(topic, '*', 'other', 'field');
    await raw.xadd(topic, '*', 'id', 'list', 'payload', '[1]');
    raw.disconnect();
    await bus.publish(topic, { n: 1 });
    const seen: unknown[] = [];
    await bus.subscribe(topic, ({ payload }) => seen.push(payload), SILENT);
    await vi.waitFor(() => expect(seen).toEqual([{ n: 1 }]), PATIENCE);
    const letters = (await bus.read(`dlq:${name}`)).map(({ payload }) => [payload['reason'], payload['raw']]);
    expect(letters).toEqual([
      ['unreadable', '{"n":'],
      ['unreadable', ''],
      ['unreadable', '[1]'],
    ]);
    expect((await bus.read(topic)).map(({ payload }) => payload)).toEqual([
      { event: 'unreadable', raw: '{"n":' },
      { event: 'unreadable', raw: '' },
      { event: 'unreadable', raw: '[1]' },
      { n: 1 },
    ]);
  });

  it('are stored once each, and none is lost, when connections are cut', async () => {
    const topics = [`chat:${randomUUID()}`, `chat:${randomUUID()}`];
    const { proxy, bus } = await throughProxy();
    const count = 1_000;
    const cutAt = [100, 300, 500, 700, 900];
    let answered = 0;
    for (let first = 0; first < count; first += 20) {
      const batch = Array.from({ length: 20 }, async (_, index) => {
        await bus.publish(topics, { id: `m${first + index}` });
        answered += 1;
        // In the middle of a batch: some of it is stored and not answered.
        if (answered % 20 === 7 && cutAt.includes(first)) proxy.cut();
      });
      if (cutAt.includes(first)) setImmediate(() => proxy.cut());
      await Promise.all(batch);
    }
    expect(proxy.cuts).toBeGreaterThanOrEqual(cutAt.length);
    const raw = server.client();
    for (const topic of topics) {
      const stored = (await raw.xrange(topic, '-', '+')).map(([, fields]) => fields[1]);
      expect(stored).toHaveLength(count);
      expect(new Set(stored).size).toBe(count);
    }
    raw.disconnect();
  });

  it('are delivered, all of them, when connections are cut', async () => {
    const topic = `chat:${randomUUID()}`;
    const { proxy, bus } = await throughProxy();
    const seen = new Set<unknown>();
    await bus.subscribe(topic, ({ id }) => seen.add(id), SILENT);
    for (let n = 0; n < 200; n += 1) {
      await bus.publish(topic, { id: `m${n}` });
      if (n % 40 === 20) proxy.cut();
    }
    await vi.waitFor(() => expect(seen.size).toBe(200), PATIENCE);
  });

  it('are refused, and never appear, while Redis is away; the next one works when it is back', async () => {
    const topic = `chat:${randomUUID()}`;
    const bus = busAt(server.url, AWAY_MS);
    const idle = busAt(server.url, AWAY_MS);
    await bus.publish(topic, { n: 1 });
    await server.stop();
    const gone = { code: 'ERR_BUS', data: { reason: 'unavailable' } };
    const calls = [
      bus.publish(topic, { n: 2 }),
      idle.publish(topic, { n: 3 }),
      bus.read(topic),
      bus.readBlocking(topic),
      bus.subscribe(topic, () => undefined, { group: 'g' }),
    ];
    for (const call of await Promise.allSettled(calls)) {
      expect(call).toMatchObject({ status: 'rejected', reason: gone });
    }
    await server.start();
    await sleep(500);
    expect(await bus.read(topic)).toEqual([]);
    await bus.publish(topic, { n: 4 });
    await idle.publish(topic, { n: 5 });
    expect((await bus.read(topic)).map(({ payload }) => payload)).toEqual([{ n: 4 }, { n: 5 }]);
  });

  it('reach a subscription again after Redis was away and has lost its groups', async () => {
    const topic = `chat:${randomUUID()}`;
    const bus = busAt(server.url, AWAY_MS);
    const seen: unknown[] = [];
    const errors: unknown[] = [];
    await bus.subscribe(topic, ({ payload }) => seen.push(payload), {
      ...SILENT,
      onError: (error) => errors.push(error),
    });
    await server.stop();
    await vi.waitFor(() => expect(errors).not.toEqual([]), PATIENCE);
    await server.start();
    await bus.publish(topic, { n: 1 });
    await vi.waitFor(() => expect(seen).toEqual([{ n: 1 }]), PATIENCE);
  });

  it('whose fate nobody knows are said to be so; the same id is stored once', async () => {
    const topic = `chat:${randomUUID()}`;
    const { proxy, bus } = await throughProxy(AWAY_MS);
    await bus.publish(topic, { n: 0 });
    proxy.silence(true);
    await expect(bus.publish(topic, { n: 1 }, { id: 'one' })).rejects.toMatchObject({
      code: 'ERR_BUS',
      data: { reason: 'unknown', id: 'one' },
    });
    proxy.silence(false);
    expect(await bus.publish(topic, { n: 1 }, { id: 'one' })).toMatchObject({ duplicate: true });
    expect(await bus.read(topic)).toHaveLength(2);
  });

  it('are not stored on one topic when the other is no stream', async () => {
    const [topic, other] = [`chat:${randomUUID()}`, `chat:${randomUUID()}`];
    const raw = server.client();
    await raw.set(other, 'text');
    raw.disconnect();
    const bus = busAt(server.url);
    await expect(bus.publish([topic, other], { n: 1 })).rejects.toMatchObject({
      code: 'ERR_BUS',
      data: { reason: 'refused' },
    });
    expect(await bus.read(topic)).toEqual([]);
    await expect(bus.read(other)).rejects.toMatchObject({
      code: 'ERR_BUS',
      data: { reason: 'refused', code: 'WRONGTYPE' },
    });
  });

  it('are on their way at a time as many as it says, and no more', async () => {
    const topic = `chat:${randomUUID()}`;
    const bus = busAt(server.url);
    const all = Array.from({ length: MAX_BUS_IN_FLIGHT }, (_, n) => bus.publish(topic, { n }));
    await expect(bus.publish(topic, {})).rejects.toMatchObject({
      code: 'ERR_BUSY',
      data: { limit: MAX_BUS_IN_FLIGHT },
    });
    await Promise.all(all);
    expect(await bus.read(topic, { limit: 1_000 })).toHaveLength(MAX_BUS_IN_FLIGHT);
  });

  it('that were trimmed away are no cursor, and a topic stays about as long as it is told', async () => {
    const topic = `chat:${randomUUID()}`;
    const bus = new RedisBus({ url: server.url, maxLength: 100, timeoutMs: MAX_BUS_TIMEOUT_MS });
    open.push(bus);
    const { id } = await bus.publish(topic, { n: 0 });
    await Promise.all(Array.from({ length: 500 }, (_, n) => bus.publish(topic, { n })));
    const lost = { code: 'ERR_BUS', data: { reason: 'cursor_lost', oldest: expect.any(String) } };
    await expect(bus.read(topic, { after: id })).rejects.toMatchObject(lost);
    await expect(busAt(server.url).read(topic, { after: id })).rejects.toMatchObject(lost);
    expect((await bus.read(topic, { limit: 1_000 })).length).toBeLessThan(300);
  });

  it('that Redis trims by itself are lost to a group that is behind, those that a bus trims are not', async () => {
    const raw = server.client();
    const trimmed = `chat:${randomUUID()}`;
    const kept = `chat:${randomUUID()}`;
    const bus = new RedisBus({ url: server.url, maxLength: 100, timeoutMs: MAX_BUS_TIMEOUT_MS });
    open.push(bus);
    const seen: Record<string, unknown[]> = { [trimmed]: [], [kept]: [] };
    for (const topic of [trimmed, kept]) await (await bus.subscribe(topic, () => undefined, SILENT)).close();
    for (let n = 0; n < 1_000; n += 1) {
      await raw.xadd(trimmed, 'MAXLEN', '~', 100, '*', 'id', `m${n}`, 'payload', `{"n":${n}}`);
      expect((await bus.publish(kept, { n })).givenUp).toBe(0);
    }
    raw.disconnect();
    for (const topic of [trimmed, kept]) {
      await bus.subscribe(topic, ({ payload }) => seen[topic]?.push(payload['n']), SILENT);
      await vi.waitFor(() => expect(seen[topic]?.at(-1)).toBe(999), PATIENCE);
    }
    expect(seen[kept]).toHaveLength(1_000);
    expect(seen[trimmed]?.length).toBeLessThan(300);
    expect(await bus.read(trimmed.replace('chat:', 'dlq:'))).toEqual([]);
  });

  it('of a topic that was longer than its new bound go step by step', async () => {
    const topic = `chat:${randomUUID()}`;
    const bus = new RedisBus({ url: server.url, maxLength: 10, timeoutMs: MAX_BUS_TIMEOUT_MS });
    open.push(bus);
    await Promise.all(Array.from({ length: 50 }, (_, n) => busAt(server.url).publish(topic, { n })));
    const lengths: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      await bus.publish(topic, { n });
      lengths.push((await bus.read(topic, { after: '0-0', limit: 100 })).length);
    }
    const step = 1 - MAX_TRIMMED_PER_PUBLISH;
    expect(lengths).toEqual([50 + step, 50 + 2 * step, 10, 10]);
  });

  it('of other programs are given up too, whatever they are', async () => {
    const raw = server.client();
    const topic = `chat:${randomUUID()}`;
    const bus = new RedisBus({ url: server.url, maxLength: 1, timeoutMs: MAX_BUS_TIMEOUT_MS });
    open.push(bus);
    await (await bus.subscribe(topic, () => undefined, SILENT)).close();
    const deep = `{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`;
    const texts = ['no "JSON" \n\u0000 é', '[1]', deep, '{"b":"é\\u0000"}', '{"a":NaN}', '{"a":0x1F}', '{"a":01}'];
    for (const text of texts) await raw.xadd(topic, '*', 'payload', text, 'more', '1');
    await raw.xadd(topic, '*', 'other', '1');
    raw.disconnect();
    for (let n = 0; n < 10; n += 1) await bus.publish(topic, { n });
    const letters = await bus.read(topic.replace('chat:', 'dlq:'));
    expect(letters.map(({ payload: { raw: text, payload } }) => text ?? payload)).toEqual([
      texts[0],
      texts[1],
      deep,
      { b: 'é\u0000' },
      ...texts.slice(4),
      '',
    ]);
    expect(letters.every(({ payload: { event, id } }) => event === 'dead_letter' && /^\d+-\d+$/.test(String(id)))).toBe(
      true,
    );
  });

  it('are stored nowhere when there is no place for what they would push out', async () => {
    const raw = server.client();
    const name = randomUUID();
    await raw.set(`dlq:${name}`, 'mine');
    raw.disconnect();
    const bus = new RedisBus({ url: server.url, maxLength: 1, timeoutMs: MAX_BUS_TIMEOUT_MS });
    open.push(bus);
    const refused = { code: 'ERR_BUS', data: { reason: 'refused' } };
    await expect(bus.publish(`chat:${name}`, { n: 1 })).rejects.toMatchObject(refused);
    expect(await bus.read(`chat:${name}`)).toEqual([]);
  });
});
