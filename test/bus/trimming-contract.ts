/** What every bus promises of messages that it keeps no longer, as tests over one that is made by the caller. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Bus, BusMessage, SubscribeOptions } from '../../ts/bus/bus.js';
import { MAX_READ_LIMIT, MIN_LEASE_MS, SLOW_GROUP_FACTOR } from '../../ts/bus/limits.js';
import { LIVENESS_MS } from '../support/liveness.js';

/** Much longer than anything here takes; waiting ends as soon as there is something. */
const PATIENCE = { timeout: LIVENESS_MS, interval: 10 };

const numbered = (messages: readonly BusMessage[]) => messages.map(({ payload }) => payload['n']);

export function trimmingContract(make: (options: { readonly maxLength: number }) => Bus): void {
  const open: Bus[] = [];
  const bus = (options: { readonly maxLength: number }): Promise<Bus> => {
    const made = make(options);
    open.push(made);
    return Promise.resolve(made);
  };
  const topicName = () => `chat:${randomUUID()}`;

  afterEach(async () => {
    await Promise.all(open.splice(0).map((made) => made.close()));
  });

  describe('a bound on what is kept', () => {
    const maxLength = 10;
    const most = maxLength * SLOW_GROUP_FACTOR;
    const quiet = { group: 'g', onError: () => undefined } satisfies SubscribeOptions;
    const countTo = (end: number, start = 1) => Array.from({ length: end - start + 1 }, (_, index) => start + index);
    const kept = async (one: Bus, topic: string) =>
      numbered(await one.read(topic, { after: '0-0', limit: MAX_READ_LIMIT }));
    const lettersOf = (one: Bus, topic: string) =>
      one.read(topic.replace('chat:', 'dlq:'), { after: '0-0', limit: MAX_READ_LIMIT });

    async function publishAll(one: Bus, topic: string, values: readonly number[]): Promise<number> {
      let givenUp = 0;
      for (const n of values) givenUp += (await one.publish(topic, { n }, { id: `m${n}` })).givenUp;
      return givenUp;
    }

    /** A group that was there and is not any more. */
    async function gone(one: Bus, topic: string, group: string): Promise<void> {
      await (await one.subscribe(topic, () => undefined, { ...quiet, group })).close();
    }

    it('holds where no group is, and where each has handled everything', async () => {
      const [one, topic] = [await bus({ maxLength }), topicName()];
      expect(await publishAll(one, topic, countTo(50))).toBe(0);
      expect(await kept(one, topic)).toEqual(countTo(50, 41));
      const seen: unknown[] = [];
      await one.subscribe(topic, ({ payload }) => seen.push(payload['n']), quiet);
      for (const n of countTo(80, 51)) {
        expect((await one.publish(topic, { n })).givenUp).toBe(0);
        await vi.waitFor(() => expect(seen.at(-1)).toBe(n), PATIENCE);
      }
      expect(seen).toEqual(countTo(80, 41));
      expect((await kept(one, topic)).length).toBeLessThanOrEqual(maxLength + 1);
      expect(await lettersOf(one, topic)).toEqual([]);
    });

    it('gives a slow group ten times as much, and gets back behind it when it has caught up', async () => {
      const [one, topic] = [await bus({ maxLength }), topicName()];
      await gone(one, topic, 'g');
      expect(await publishAll(one, topic, countTo(most))).toBe(0);
      expect(await kept(one, topic)).toEqual(countTo(most));
      const seen: unknown[] = [];
      await one.subscribe(topic, ({ payload }) => seen.push(payload['n']), quiet);
      await vi.waitFor(() => expect(seen).toEqual(countTo(most)), PATIENCE);
      await publishAll(one, topic, countTo(most + 20, most + 1));
      await vi.waitFor(() => expect(seen).toEqual(countTo(most + 20)), PATIENCE);
      await publishAll(one, topic, [most + 21]);
      expect((await kept(one, topic)).length).toBeLessThanOrEqual(maxLength + 1);
      expect(await lettersOf(one, topic)).toEqual([]);
    });

    it('makes dead letters of what lies beyond that, one for each group that has not handled it, and warns once', async () => {
      const [one, topic, other] = [await bus({ maxLength }), topicName(), topicName()];
      const warned: Error[] = [];
      const listen = (warning: Error) => warned.push(warning);
      process.on('warning', listen);
      try {
        for (const group of ['g', 'h']) await gone(one, topic, group);
        await gone(one, other, 'g');
        expect(await publishAll(one, topic, countTo(most))).toBe(0);
        expect((await one.publish([topic, other], { n: 'both' }, { id: 'both' })).givenUp).toBe(2);
        expect(await one.publish([topic, other], { n: 'both' }, { id: 'both' })).toMatchObject({
          duplicate: true,
          givenUp: 0,
        });
        expect((await one.publish(topic, { n: 'last' })).givenUp).toBe(2);
        await vi.waitFor(() => expect(warned).toHaveLength(1), PATIENCE);
      } finally {
        process.off('warning', listen);
      }
      expect(warned[0]).toMatchObject({ name: 'HandrailWarning', code: 'HANDRAIL_BUS' });
      expect(warned[0]?.message).toContain(topic);
      expect(await kept(one, topic)).toEqual([...countTo(most, 3), 'both', 'last']);
      const letters = await lettersOf(one, topic);
      expect(letters.map(({ payload }) => [payload['id'], payload['group']])).toEqual(
        ['m1', 'm2'].flatMap((id) => ['g', 'h'].map((group) => [id, group])),
      );
      expect(new Set(letters.map(({ id }) => id)).size).toBe(4);
      expect(letters[0]?.payload).toEqual({
        event: 'dead_letter',
        id: 'm1',
        topic,
        group: 'g',
        reason: 'trimmed',
        deliveries: 0,
        payload: { n: 1 },
        created_at: expect.stringMatching(/\.\d{6}Z$/),
      });
      expect(await lettersOf(one, other)).toEqual([]);
    });

    it('has one letter for what a handler is at when it is given up, and what it does then changes nothing', async () => {
      const [one, topic] = [await bus({ maxLength }), topicName()];
      const seen: unknown[] = [];
      let release: (() => void) | undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const fail = async ({ payload }: BusMessage) => {
        seen.push(payload['n']);
        await held;
        if (payload['n'] === 1) throw new Error('no');
      };
      await one.subscribe(topic, fail, { ...quiet, maxDeliveries: 1 });
      await publishAll(one, topic, [1]);
      await vi.waitFor(() => expect(seen).toEqual([1]), PATIENCE);
      expect(await publishAll(one, topic, countTo(most + 2, 2))).toBe(2);
      release?.();
      await vi.waitFor(() => expect(seen.at(-1)).toBe(most + 2), PATIENCE);
      expect(seen).toEqual([1, ...countTo(most + 2, 3)]);
      expect((await lettersOf(one, topic)).map(({ payload: { id, deliveries } }) => [id, deliveries])).toEqual([
        ['m1', 1],
        ['m2', 0],
      ]);
    });

    it('makes no letters of letters, which have a bound of their own', async () => {
      const [one, topic] = [await bus({ maxLength: 1 }), `dlq:${randomUUID()}`];
      await gone(one, topic, 'g');
      expect(await publishAll(one, topic, countTo(50))).toBe(0);
      expect(await kept(one, topic)).toEqual(countTo(50));
      expect(await one.read(`dlq:${topic}`)).toEqual([]);
    });

    it('loses nothing of 2,000 messages while a group is slow, and names every one that was lost to a group that is gone', async () => {
      const total = 2_000;
      const [one, slow, left] = [await bus({ maxLength: 100 }), topicName(), topicName()];
      const seen = { slow: [] as unknown[], left: [] as unknown[] };
      let published = 0;
      // This group is 500 behind all the time: five times maxLength.
      const late = async ({ payload: { n } }: BusMessage) => {
        while (published < Math.min(Number(n) + 500, total)) await new Promise(setImmediate);
        seen.slow.push(n);
      };
      await one.subscribe(slow, late, quiet);
      const some = await one.subscribe(left, ({ payload }) => seen.left.push(payload['n']), quiet);
      const given = { slow: 0, left: 0 };
      for (const n of countTo(total)) {
        given.slow += (await one.publish(slow, { n })).givenUp;
        given.left += (await one.publish(left, { n })).givenUp;
        published = n;
        await vi.waitFor(() => expect(n - seen.slow.length).toBeLessThan(600), PATIENCE);
        if (n === 150) await some.close();
      }
      await vi.waitFor(() => expect(seen.slow).toEqual(countTo(total)), { ...PATIENCE, timeout: 2 * LIVENESS_MS });
      expect(given.slow).toBe(0);
      const handled = seen.left.length;
      const again = ({ payload }: BusMessage) => seen.left.push(payload['n']);
      await one.subscribe(left, again, { ...quiet, leaseMs: MIN_LEASE_MS });
      await vi.waitFor(() => expect(seen.left.at(-1)).toBe(total), PATIENCE);
      expect(handled).toBeGreaterThan(0);
      expect(new Set(seen.left).size + given.left).toBe(total);
      expect(given.left).toBeGreaterThanOrEqual(total - 1_000 - 150);
      const letters = (await lettersOf(one, left)).map(({ payload }) => (payload['payload'] as { n: number }).n);
      expect(letters).toHaveLength(given.left);
      expect([...new Set([...letters, ...(seen.left as number[])])].toSorted((a, b) => a - b)).toEqual(countTo(total));
    });
  });
}
