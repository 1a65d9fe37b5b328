/** What every bus promises of ids, of old messages and of groups that left, as tests over one that is made by the caller. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Bus, BusMessage, SubscribeOptions } from '../../ts/bus/bus.js';
import {
  DEFAULT_GROUP_IDLE_MS,
  GROUP_IDLE_RANGE,
  MAX_AGE_RANGE,
  MAX_READ_LIMIT,
  REMEMBERED_IDS_RANGE,
} from '../../ts/bus/limits.js';
import { LIVENESS_MS } from '../support/liveness.js';

/** Much longer than anything here takes; waiting ends as soon as there is something. */
const PATIENCE = { timeout: LIVENESS_MS, interval: 10 };

export interface RetentionOptions {
  readonly maxLength?: number;
  readonly maxAgeMs?: number;
  readonly groupIdleMs?: number;
  readonly rememberedIds?: number;
}

const numbered = (messages: readonly BusMessage[]) => messages.map(({ payload }) => payload['n']);
const countTo = (end: number, start = 1) => Array.from({ length: end - start + 1 }, (_, index) => start + index);

/** @param later Lets so much time pass for the group. */
export function retentionContract(
  make: (options: RetentionOptions) => Bus,
  later: (topic: string, group: string, milliseconds: number) => unknown,
): void {
  const open: Bus[] = [];
  const opened = (options: RetentionOptions): Bus => {
    const made = make(options);
    open.push(made);
    return made;
  };
  const topicName = () => `chat:${randomUUID()}`;
  const all = (one: Bus, topic: string) => one.read(topic, { after: '0-0', limit: MAX_READ_LIMIT });
  const lettersOf = async (one: Bus, topic: string) =>
    (await all(one, topic.replace('chat:', 'dlq:'))).map(({ payload }) => payload);
  const quiet = { group: 'g', onError: () => undefined } satisfies SubscribeOptions;

  async function publishAll(one: Bus, topic: string, values: readonly number[]): Promise<number> {
    const published = await Promise.all(values.map((n) => one.publish(topic, { n }, { id: `m${n}` })));
    return published.reduce((sum, { givenUp }) => sum + givenUp, 0);
  }

  /** A group that was there and is not any more. */
  async function gone(one: Bus, topic: string): Promise<void> {
    await (await one.subscribe(topic, () => undefined, quiet)).close();
  }

  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(open.splice(0).map((made) => made.close()));
  });

  describe('ids of messages that are gone', () => {
    const { min } = REMEMBERED_IDS_RANGE;

    it.each([
      [min, false],
      [3 * min, true],
    ])('of %s remembered ones, the one before 1,100 others is known: %s', async (rememberedIds, isKnown) => {
      const [one, topic] = [opened({ maxLength: 10, rememberedIds }), topicName()];
      await one.publish(topic, { n: 'first' }, { id: 'first' });
      await publishAll(one, topic, countTo(100));
      expect(numbered(await all(one, topic))).not.toContain('first');
      expect((await one.publish(topic, { n: 'first' }, { id: 'first' })).duplicate).toBe(true);
      for (const start of [101, 601]) await publishAll(one, topic, countTo(start + 499, start));
      expect((await one.publish(topic, { n: 'first' }, { id: 'first' })).duplicate).toBe(isKnown);
      // What came last is known in either case.
      expect((await one.publish(topic, { n: 1_100 }, { id: 'm1100' })).duplicate).toBe(true);
    });
  });

  describe('old messages', () => {
    const maxAgeMs = MAX_AGE_RANGE.min;

    it.each([
      [maxAgeMs, [3], ['expired', 'expired']],
      [undefined, [1, 2, 3], []],
    ])('with a bound of %s ms %j is kept', async (bound, kept, reasons) => {
      const [one, topic] = [opened(bound === undefined ? {} : { maxAgeMs: bound }), topicName()];
      await gone(one, topic);
      await publishAll(one, topic, [1, 2]);
      await pause(maxAgeMs);
      expect(await publishAll(one, topic, [3])).toBe(reasons.length);
      expect(numbered(await all(one, topic))).toEqual(kept);
      const letters = await lettersOf(one, topic);
      expect(letters.map(({ reason, payload }) => [reason, payload])).toEqual(
        reasons.map((reason, index) => [reason, { n: index + 1 }]),
      );
    });

    it('are handed to no handler, though nothing new has come', async () => {
      const [one, topic] = [opened({ maxAgeMs }), topicName()];
      await publishAll(one, topic, [1]);
      await pause(maxAgeMs);
      const seen: unknown[] = [];
      await one.subscribe(topic, ({ payload }) => seen.push(payload['n']), quiet);
      await vi.waitFor(async () => expect(await lettersOf(one, topic)).toHaveLength(1), PATIENCE);
      expect(await lettersOf(one, topic)).toMatchObject([
        { id: 'm1', reason: 'expired', deliveries: 0, payload: { n: 1 } },
      ]);
      await publishAll(one, topic, [2]);
      await vi.waitFor(() => expect(seen).toEqual([2]), PATIENCE);
    });
  });

  describe('a group that left', () => {
    const maxLength = 10;

    it.each([
      [DEFAULT_GROUP_IDLE_MS, maxLength],
      [GROUP_IDLE_RANGE.max, 64],
    ])('blocks its topic for %s ms: then %s messages are left of 64', async (groupIdleMs, left) => {
      const [one, topic] = [opened({ maxLength, groupIdleMs }), topicName()];
      await gone(one, topic);
      expect(await publishAll(one, topic, countTo(60))).toBe(0);
      expect(await all(one, topic)).toHaveLength(60);
      await later(topic, 'g', DEFAULT_GROUP_IDLE_MS);
      expect(await publishAll(one, topic, countTo(64, 61))).toBe(0);
      expect(numbered(await all(one, topic))).toEqual(countTo(64, 65 - left));
      const notice = { event: 'group_expired', topic, group: 'g', created_at: expect.stringMatching(/\.\d{6}Z$/) };
      expect(await lettersOf(one, topic)).toEqual(left === maxLength ? [notice] : []);
    });

    it('is none as long as somebody reads, however slowly', async () => {
      const [one, topic] = [opened({ maxLength }), topicName()];
      let release: (() => void) | undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const seen: unknown[] = [];
      const slow = async ({ payload }: BusMessage) => {
        await held;
        seen.push(payload['n']);
      };
      await one.subscribe(topic, slow, quiet);
      await publishAll(one, topic, countTo(60));
      await later(topic, 'g', 2 * DEFAULT_GROUP_IDLE_MS);
      await publishAll(one, topic, countTo(64, 61));
      vi.useRealTimers();
      release?.();
      await vi.waitFor(() => expect(seen).toEqual(countTo(64)), PATIENCE);
      expect(await lettersOf(one, topic)).toEqual([]);
    });

    it('begins with what is kept when it comes again', async () => {
      const [one, topic] = [opened({ maxLength }), topicName()];
      await gone(one, topic);
      await publishAll(one, topic, countTo(60));
      await later(topic, 'g', DEFAULT_GROUP_IDLE_MS);
      await publishAll(one, topic, countTo(64, 61));
      const seen: unknown[] = [];
      await one.subscribe(topic, ({ payload }) => seen.push(payload['n']), quiet);
      await vi.waitFor(() => expect(seen).toEqual(countTo(64, 55)), PATIENCE);
    });
  });

  it.each<RetentionOptions>([
    { maxAgeMs: MAX_AGE_RANGE.min - 1 },
    { maxAgeMs: MAX_AGE_RANGE.max + 1 },
    { groupIdleMs: GROUP_IDLE_RANGE.min - 1 },
    { groupIdleMs: GROUP_IDLE_RANGE.max + 1 },
    { rememberedIds: REMEMBERED_IDS_RANGE.min - 1 },
    { rememberedIds: REMEMBERED_IDS_RANGE.max + 1 },
  ])('refuses the options %j', (options) => {
    expect(() => make(options)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });
}
