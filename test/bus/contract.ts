/** What every bus promises, as tests over one that is made by the caller. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Bus, BusMessage, SubscribeOptions, Subscription } from '../../ts/bus/bus.js';
import {
  MAX_BLOCK_MS,
  MAX_BUS_CONCURRENCY,
  MAX_BUS_READERS,
  MAX_DELIVERIES,
  MAX_ENVELOPE_BYTES,
  MAX_LEASE_MS,
  MAX_READ_LIMIT,
  MAX_TOPIC_CHARS,
  MAX_TOPICS_PER_PUBLISH,
  MIN_LEASE_MS,
} from '../../ts/bus/limits.js';
import { LIVENESS_MS } from '../support/liveness.js';

/** Much longer than anything here takes; waiting ends as soon as there is something. */
const PATIENCE = { timeout: LIVENESS_MS, interval: 10 };

const numbered = (messages: readonly BusMessage[]) => messages.map(({ payload }) => payload['n']);
const refusedArgument = expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' });

export function busContract(make: () => Bus): void {
  const open: Bus[] = [];
  const bus = (): Promise<Bus> => {
    const made = make();
    open.push(made);
    return Promise.resolve(made);
  };
  const topicName = () => `chat:${randomUUID()}`;

  afterEach(async () => {
    await Promise.all(open.splice(0).map((made) => made.close()));
  });

  describe('publishing and reading', () => {
    it('gives back what was published, in order, as JSON', async () => {
      const [one, topic] = [await bus(), topicName()];
      const payload = { n: 1, text: 'é 😀 \u0000 \ud800 "\\', list: [1, null, true], nested: { a: {} } };
      const { id, topics, duplicate } = await one.publish(topic, payload);
      expect({ topics, duplicate }).toEqual({ topics: [topic], duplicate: false });
      await one.publish(topic, { n: 2, gone: undefined });
      expect(await one.read(topic)).toEqual([
        { topic, payload, id },
        { topic, payload: { n: 2 }, id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      ]);
    });

    it('hands out copies', async () => {
      const [one, topic] = [await bus(), topicName()];
      const payload = { n: 1 };
      await one.publish(topic, payload);
      payload.n = 2;
      const [first] = await one.read(topic);
      Object.assign(first?.payload ?? {}, { n: 3 });
      expect(numbered(await one.read(topic))).toEqual([1]);
    });

    it('reads the tail without a cursor, at most 100, and what follows one', async () => {
      const [one, topic] = [await bus(), topicName()];
      for (let n = 1; n <= 101; n += 1) await one.publish(topic, { n });
      const tail = await one.read(topic);
      expect([tail.length, ...numbered(tail.slice(0, 1))]).toEqual([100, 2]);
      expect(numbered(await one.read(topic, { limit: 2 }))).toEqual([100, 101]);
      const after = tail[97]?.id ?? '';
      expect(numbered(await one.read(topic, { after }))).toEqual([100, 101]);
      expect(numbered(await one.read(topic, { after, limit: 1 }))).toEqual([100]);
      expect(await one.read(topic, { after: tail.at(-1)?.id ?? '' })).toEqual([]);
      expect(numbered(await one.read(topic, { after: '0-0', limit: 2 }))).toEqual([1, 2]);
    });

    it('gives nothing of a topic that nobody has written to', async () => {
      expect(await (await bus()).read(topicName())).toEqual([]);
      expect(await (await bus()).readBlocking(topicName(), { blockMs: 0 })).toEqual([]);
    });

    it.each(['nowhere', '1-1', '999999999999999-0'])('says that the cursor %s points nowhere', async (after) => {
      const [one, topic] = [await bus(), topicName()];
      await expect(one.read(topic, { after })).rejects.toMatchObject({
        code: 'ERR_BUS',
        data: { reason: 'cursor_lost' },
      });
      const { id } = await one.publish(topic, { n: 1 });
      const lost = { code: 'ERR_BUS', data: { reason: 'cursor_lost', oldest: id } };
      await expect(one.read(topic, { after })).rejects.toMatchObject(lost);
      await expect(one.readBlocking(topic, { after })).rejects.toMatchObject(lost);
    });

    it('stores the same id once, on each topic', async () => {
      const [one, first, second] = [await bus(), topicName(), topicName()];
      expect((await one.publish(first, { n: 1 }, { id: 'a' })).duplicate).toBe(false);
      expect((await one.publish(first, { n: 1 }, { id: 'a' })).duplicate).toBe(true);
      expect((await one.publish([first, second], { n: 1 }, { id: 'a' })).duplicate).toBe(false);
      expect(await one.read(first)).toHaveLength(1);
      expect(await one.read(second)).toHaveLength(1);
      await Promise.all(Array.from({ length: 20 }, () => one.publish(first, { id: 'b', n: 2 })));
      expect(numbered(await one.read(first))).toEqual([1, 2]);
    });

    it('refuses an id that another message has, and then stores nothing anywhere', async () => {
      const [one, first, second] = [await bus(), topicName(), topicName()];
      await one.publish(first, { n: 1 }, { id: 'a' });
      await expect(one.publish([second, first], { n: 2 }, { id: 'a' })).rejects.toMatchObject({
        code: 'ERR_BUS',
        data: { reason: 'id_reused' },
      });
      expect([await one.read(second), numbered(await one.read(first))]).toEqual([[], [1]]);
    });

    it('counts a topic that is named twice once', async () => {
      const [one, topic] = [await bus(), topicName()];
      expect((await one.publish([topic, topic], { n: 1 })).topics).toEqual([topic]);
      expect(await one.read(topic)).toHaveLength(1);
    });
  });

  describe('waiting', () => {
    it('gives what comes, and only what is new without a cursor', async () => {
      const [one, topic] = [await bus(), topicName()];
      await one.publish(topic, { n: 1 });
      const waiting = one.readBlocking(topic, { blockMs: 15_000 });
      await new Promise((resolve) => setTimeout(resolve, 100));
      const { id } = await one.publish(topic, { n: 2 });
      expect(numbered(await waiting)).toEqual([2]);
      await one.publish(topic, { n: 3 });
      expect(numbered(await one.readBlocking(topic, { after: id, blockMs: 15_000 }))).toEqual([3]);
    });

    it('gives nothing when the time is over', async () => {
      const [one, topic] = [await bus(), topicName()];
      const { id } = await one.publish(topic, { n: 1 });
      expect(await one.readBlocking(topic, { blockMs: 20 })).toEqual([]);
      expect(await one.readBlocking(topic, { after: id, blockMs: 20 })).toEqual([]);
    });

    it('holds nobody else up', async () => {
      const [one, topic] = [await bus(), topicName()];
      let isOver = false;
      const waiting = one.readBlocking(topic, { blockMs: 15_000 }).finally(() => {
        isOver = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 100));
      const other = topicName();
      await one.publish(other, { n: 1 });
      expect(numbered(await one.read(other))).toEqual([1]);
      expect(isOver).toBe(false);
      await one.publish(topic, { n: 2 });
      expect(numbered(await waiting)).toEqual([2]);
    });

    it('ends when the bus is closed', async () => {
      const one = await bus();
      const waiting = one.readBlocking(topicName(), { blockMs: 15_000 });
      await new Promise((resolve) => setTimeout(resolve, 50));
      await one.close();
      expect(await waiting).toEqual([]);
      await expect(one.publish('t', {})).rejects.toMatchObject({ code: 'ERR_CLOSED' });
      await expect(one.read('t')).rejects.toMatchObject({ code: 'ERR_CLOSED' });
      await expect(one.subscribe('t', () => undefined, { group: 'g' })).rejects.toMatchObject({ code: 'ERR_CLOSED' });
      await one.close();
    });
  });

  describe('groups', () => {
    /** Errors of handlers are what these tests make; they are looked at where it matters. */
    const quiet = { group: 'g', onError: () => undefined } satisfies SubscribeOptions;

    it('hand out each message once, also those from before, in order', async () => {
      const [one, topic] = [await bus(), topicName()];
      await one.publish(topic, { n: 1 });
      const seen: unknown[] = [];
      const end = await one.subscribe(
        topic,
        ({ payload }, { deliveries }) => seen.push([payload['n'], deliveries]),
        quiet,
      );
      for (let n = 2; n <= 10; n += 1) await one.publish(topic, { n });
      await vi.waitFor(() => expect(seen).toHaveLength(10), PATIENCE);
      expect(seen).toEqual(Array.from({ length: 10 }, (_, index) => [index + 1, 1]));
      await end.close();
      await one.publish(topic, { n: 11 });
      expect(seen).toHaveLength(10);
    });

    it('share the work within one, and each gets all of it', async () => {
      const [one, topic] = [await bus(), topicName()];
      const seen: Record<string, unknown[]> = { g: [], h: [] };
      const take = (group: string) => (message: BusMessage) => seen[group]?.push(message.payload['n']);
      for (const group of ['g', 'g', 'h']) await one.subscribe(topic, take(group), { ...quiet, group });
      for (let n = 1; n <= 20; n += 1) await one.publish(topic, { n });
      const all = Array.from({ length: 20 }, (_, index) => index + 1);
      await vi.waitFor(() => {
        expect(seen['g']?.toSorted((a, b) => Number(a) - Number(b))).toEqual(all);
        expect(seen['h']).toEqual(all);
      }, PATIENCE);
    });

    it('deliver again what failed, and go on behind it', async () => {
      const [one, topic] = [await bus(), topicName()];
      const seen: unknown[] = [];
      const errors: unknown[] = [];
      await one.subscribe(
        topic,
        ({ payload }, { deliveries }) => {
          seen.push([payload['n'], deliveries]);
          if (payload['n'] === 1 && deliveries < 3) throw new Error('not yet');
        },
        { ...quiet, onError: (error) => errors.push(error) },
      );
      await one.publish(topic, { n: 1 });
      await one.publish(topic, { n: 2 });
      await vi.waitFor(() => expect(seen.at(-1)).toEqual([2, 1]), PATIENCE);
      expect(seen).toEqual([
        [1, 1],
        [1, 2],
        [1, 3],
        [2, 1],
      ]);
      expect(errors).toEqual([new Error('not yet'), new Error('not yet')]);
    });

    it('bury what always fails, without its error text, and go on', async () => {
      const [one, name] = [await bus(), randomUUID()];
      const topic = `chat:${name}`;
      const seen: unknown[] = [];
      await one.subscribe(
        topic,
        ({ payload }) => {
          seen.push(payload['n']);
          if (payload['n'] === 1) throw new TypeError('password=hunter2');
        },
        { ...quiet, maxDeliveries: 2 },
      );
      const { id } = await one.publish(topic, { n: 1 });
      await one.publish(topic, { n: 2 });
      await vi.waitFor(() => expect(seen).toEqual([1, 1, 2]), PATIENCE);
      const [letter] = await one.read(`dlq:${name}`);
      expect(letter?.payload).toEqual({
        event: 'dead_letter',
        id,
        topic,
        group: 'g',
        reason: 'handler_failed',
        deliveries: 2,
        error: 'TypeError',
        payload: { n: 1 },
        created_at: expect.stringMatching(/\.\d{6}Z$/),
      });
    });

    it('bury after five deliveries unless told otherwise', async () => {
      const [one, topic] = [await bus(), topicName()];
      const seen: number[] = [];
      const fail = (_message: BusMessage, { deliveries }: { deliveries: number }) => {
        seen.push(deliveries);
        throw new Error('never');
      };
      await one.subscribe(topic, fail, { ...quiet, deadLetterTopic: `dlq:${topic}` });
      await one.publish(topic, { n: 1 });
      await vi.waitFor(async () => expect(await one.read(`dlq:${topic}`)).toHaveLength(1), PATIENCE);
      expect(seen).toEqual([1, 2, 3, 4, 5]);
    });

    it('give back what a closed subscription was at, to another one', async () => {
      const [one, topic] = [await bus(), topicName()];
      let begun = false;
      const first = await one.subscribe(
        topic,
        (_message, { signal }) =>
          new Promise((_resolve, reject) => {
            begun = true;
            signal.addEventListener('abort', () => reject(new Error('ended')), { once: true });
          }),
        quiet,
      );
      await one.publish(topic, { n: 1 });
      await vi.waitFor(() => expect(begun).toBe(true), PATIENCE);
      await first.close();
      const seen: unknown[] = [];
      await one.subscribe(topic, ({ payload }, { deliveries }) => seen.push([payload['n'], deliveries]), {
        ...quiet,
        leaseMs: 200,
      });
      await vi.waitFor(() => expect(seen).toEqual([[1, 2]]), PATIENCE);
    });

    it('handle as many at a time as they are told', async () => {
      const [one, topic] = [await bus(), topicName()];
      const most = { now: 0, ever: 0, done: 0 };
      await one.subscribe(
        topic,
        async () => {
          most.now += 1;
          most.ever = Math.max(most.ever, most.now);
          await new Promise((resolve) => setTimeout(resolve, 30));
          most.now -= 1;
          most.done += 1;
        },
        { ...quiet, concurrency: 3 },
      );
      await Promise.all(Array.from({ length: 9 }, (_, n) => one.publish(topic, { n })));
      await vi.waitFor(() => expect(most.done).toBe(9), PATIENCE);
      expect(most.ever).toBeLessThanOrEqual(3);
    });

    it('say that a handler failed as a process warning, without its text', async () => {
      const [one, topic] = [await bus(), topicName()];
      const warned: (Error & { code?: string })[] = [];
      const listen = (warning: Error) => warned.push(warning);
      process.on('warning', listen);
      try {
        const failing = () => {
          throw new Error('password=hunter2');
        };
        await one.subscribe(topic, failing, { group: 'g', maxDeliveries: 1 });
        await one.publish(topic, { n: 1 });
        await vi.waitFor(() => expect(warned).toHaveLength(1), PATIENCE);
      } finally {
        process.off('warning', listen);
      }
      expect(warned[0]).toMatchObject({ name: 'HandrailWarning', code: 'HANDRAIL_BUS' });
      expect(warned[0]?.message).not.toContain('hunter2');
    });
  });

  describe('bounds and mistakes', () => {
    const sized = (bytes: number) => ({ t: 'x'.repeat(bytes - '{"t":""}'.length) });

    it.each<[string, unknown, unknown]>([
      ['no topic', '', {}],
      ['a topic with a blank', 'chat: a', {}],
      ['a topic with a line break', 'chat:a\n', {}],
      ['a topic that is no text', 7, {}],
      ['a topic of ours', 'idem:a', {}],
      ['no topics', [], {}],
      ['a text', 't', 'x'],
      ['an array', 't', []],
      ['nothing', 't', null],
      ['a number', 't', 1n],
      [
        'a circle',
        't',
        Object.assign(Object.create(null), {
          get self() {
            return this;
          },
        }),
      ],
      ['something that becomes a text', 't', new Date(0)],
    ])('publish refuses %s', async (_name, topic, payload) => {
      await expect((await bus()).publish(topic as string, payload as object)).rejects.toEqual(refusedArgument);
    });

    it('takes a message of the largest size, and none above', async () => {
      const [one, topic] = [await bus(), topicName()];
      await one.publish(topic, sized(MAX_ENVELOPE_BYTES));
      await expect(one.publish(topic, sized(MAX_ENVELOPE_BYTES + 1))).rejects.toThrow(`at most ${MAX_ENVELOPE_BYTES}`);
      expect(await one.read(topic)).toHaveLength(1);
    });

    it('takes the longest topic and id, and none above', async () => {
      const one = await bus();
      const long = 't'.repeat(MAX_TOPIC_CHARS - 36) + randomUUID();
      await one.publish(long, {}, { id: 'i'.repeat(MAX_TOPIC_CHARS) });
      await expect(one.publish(`${long}t`, {})).rejects.toEqual(refusedArgument);
      await expect(one.publish(long, {}, { id: 'i'.repeat(MAX_TOPIC_CHARS + 1) })).rejects.toEqual(refusedArgument);
    });

    it('takes as many topics as it says, and no more', async () => {
      const one = await bus();
      const topics = Array.from({ length: MAX_TOPICS_PER_PUBLISH }, topicName);
      expect((await one.publish(topics, { n: 1 })).topics).toEqual(topics);
      await expect(one.publish([...topics, topicName()], {})).rejects.toEqual(refusedArgument);
    });

    it.each([
      [{ limit: 0 }, { limit: MAX_READ_LIMIT + 1 }, { limit: MAX_READ_LIMIT }],
      [{ after: '' }, { after: 'a b' }, {}],
      [{ last_id: 'a' }, { limit: '5' }, { limit: 1 }],
    ])('read refuses %j and %j, and takes %j', async (low, high, right) => {
      const one = await bus();
      for (const wrong of [low, high]) await expect(one.read('t', wrong as object)).rejects.toEqual(refusedArgument);
      expect(await one.read(topicName(), right)).toEqual([]);
    });

    it('readBlocking refuses times it does not have', async () => {
      const one = await bus();
      for (const blockMs of [-1, MAX_BLOCK_MS + 1, 1.5]) {
        await expect(one.readBlocking('t', { blockMs })).rejects.toEqual(refusedArgument);
      }
    });

    it.each<object>([
      {},
      { group: '' },
      { group: 'g', concurrency: 0 },
      { group: 'g', concurrency: MAX_BUS_CONCURRENCY + 1 },
      { group: 'g', leaseMs: MIN_LEASE_MS - 1 },
      { group: 'g', leaseMs: MAX_LEASE_MS + 1 },
      { group: 'g', maxDeliveries: 0 },
      { group: 'g', maxDeliveries: MAX_DELIVERIES + 1 },
      { group: 'g', onError: 1 },
      { group: 'g', ack: true },
    ])('subscribe refuses %j', async (options) => {
      const one = await bus();
      await expect(one.subscribe('t', () => undefined, options as SubscribeOptions)).rejects.toEqual(refusedArgument);
      await expect(one.subscribe('t', 1 as never, { group: 'g' })).rejects.toEqual(refusedArgument);
    });

    it('has as many readers as it says, and no more', async () => {
      const [one, topic] = [await bus(), topicName()];
      const subscriptions: Subscription[] = [];
      for (let count = 0; count < MAX_BUS_READERS; count += 1) {
        subscriptions.push(
          await one.subscribe(topic, () => undefined, { group: `g${count}`, onError: () => undefined }),
        );
      }
      await expect(one.readBlocking(topic)).rejects.toMatchObject({
        code: 'ERR_BUSY',
        data: { limit: MAX_BUS_READERS },
      });
      await expect(one.subscribe(topic, () => undefined, { group: 'h' })).rejects.toMatchObject({ code: 'ERR_BUSY' });
      await subscriptions[0]?.close();
      expect(await one.readBlocking(topic, { blockMs: 10 })).toEqual([]);
    });
  });
}
