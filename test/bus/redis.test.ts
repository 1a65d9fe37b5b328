import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { DEDUPE_MS, MAX_BUS_TIMEOUT_MS, PUBLISHES_PER_FORGETTING, REMEMBERED_IDS_RANGE } from '../../ts/bus/limits.js';
import { RedisBus, type RedisBusOptions } from '../../ts/bus/redis.js';
import { bookKey } from '../../ts/bus/redis-book.js';
import { describeWithRedis } from '../support/redis.js';
import { answersContract } from './answers-contract.js';
import { busContract } from './contract.js';
import { retentionContract } from './retention-contract.js';
import { trimmingContract } from './trimming-contract.js';

/** The slot of a key in a cluster, as the client of Redis counts it. */
const slotOf: (key: string) => number = createRequire(import.meta.url)('cluster-key-slot');

describeWithRedis('RedisBus', (server) => {
  const reach = () => ({ url: server.url, timeoutMs: MAX_BUS_TIMEOUT_MS });
  busContract(() => new RedisBus(reach()));
  answersContract(() => new RedisBus(reach()));
  retentionContract(
    (options) => new RedisBus({ ...reach(), ...options }),
    async (topic, group, milliseconds) => {
      const client = server.client();
      await client.hincrby(bookKey(topic), `g:${group}`, -milliseconds);
      client.disconnect();
    },
  );

  it('remembers so many ids and no more, for a day, in one hash with an end', async () => {
    const client = server.client();
    const topic = `chat:${randomUUID()}`;
    await using bus = new RedisBus({ ...reach(), rememberedIds: REMEMBERED_IDS_RANGE.min });
    const publish = (id: string) => bus.publish(topic, {}, { id });
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(Array.from({ length: 500 }, (_, n) => publish(`m${round}-${n}`)));
    }
    // Two fields for each id, the numbers of the first and the last.
    const ids = ((await client.hlen(bookKey(topic))) - 2) / 2;
    expect(ids).toBeGreaterThanOrEqual(REMEMBERED_IDS_RANGE.min);
    expect(ids).toBeLessThan(REMEMBERED_IDS_RANGE.min + PUBLISHES_PER_FORGETTING);
    expect(await client.pttl(bookKey(topic))).toBeGreaterThan(DEDUPE_MS);
    expect((await publish('m3-499')).duplicate).toBe(true);
    const [place, number] = (await client.hget(bookKey(topic), 'i:m3-499'))?.split(' ') ?? [];
    await client.hset(bookKey(topic), 'i:m3-499', `${Number(place?.split('-')[0]) - DEDUPE_MS}-0 ${number}`);
    expect((await publish('m3-499')).duplicate).toBe(false);
    expect((await publish('m3-499')).duplicate).toBe(true);
    client.disconnect();
  });

  it.each(['chat:a', 'a{b}c', '{b}', 'a{b', '{', 'a{{b}}c'])('keeps the book of %s in its slot', (topic) => {
    expect(slotOf(bookKey(topic))).toBe(slotOf(topic));
    expect(bookKey(topic)).not.toBe(bookKey(`{${topic}}`));
  });

  trimmingContract((options) => new RedisBus({ ...reach(), ...options }));
});

describe('new RedisBus', () => {
  it.each<unknown>([
    undefined,
    '',
    'localhost:6379',
    'http://localhost',
    'redis://',
    { url: 'redis://h', timeoutMs: 9 },
    { url: 'redis://h', timeoutMs: 60_001 },
    { url: 'redis://h', maxLength: 0 },
    { url: 'redis://h', maxLength: 1_000_001 },
    { url: 'redis://h', client: {} },
  ])('refuses %j, and repeats no address', (options) => {
    expect(() => new RedisBus(options as RedisBusOptions)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT', message: expect.not.stringContaining('localhost') }),
    );
  });
});
