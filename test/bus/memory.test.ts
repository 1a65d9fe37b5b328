import { describe, expect, it, vi } from 'vitest';
import {
  DEFAULT_TOPIC_MESSAGES,
  MAX_DEAD_LETTERS,
  MAX_ENVELOPE_BYTES,
  MAX_MEMORY_GROUPS,
  MAX_MEMORY_TOPICS,
  MAX_TOPIC_BYTES,
  MAX_TOPIC_MESSAGES,
} from '../../ts/bus/limits.js';
import { MemoryBus } from '../../ts/bus/memory.js';
import { answersContract } from './answers-contract.js';
import { busContract } from './contract.js';
import { retentionContract } from './retention-contract.js';
import { trimmingContract } from './trimming-contract.js';

const busy = (limit: number) => expect.objectContaining({ code: 'ERR_BUSY', data: { limit } });

describe('MemoryBus', () => {
  busContract(() => new MemoryBus());
  answersContract(() => new MemoryBus());
  retentionContract(
    (options) => new MemoryBus(options),
    (_topic, _group, milliseconds) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds }),
  );
  trimmingContract((options) => new MemoryBus(options));

  it('keeps as many messages as it is told; a cursor that was trimmed away is an error', async () => {
    await using bus = new MemoryBus({ maxLength: 2 });
    for (const id of ['a', 'b']) await bus.publish('t', { n: id }, { id });
    expect(await bus.read('t', { after: 'a' })).toHaveLength(1);
    await bus.publish('t', { n: 'c' }, { id: 'c' });
    expect((await bus.read('t')).map(({ id }) => id)).toEqual(['b', 'c']);
    await expect(bus.read('t', { after: 'a' })).rejects.toMatchObject({
      code: 'ERR_BUS',
      data: { reason: 'cursor_lost', oldest: 'b' },
    });
  });

  it('refuses a message that has no room in bytes beside what a group has not handled, on all topics or none', async () => {
    await using bus = new MemoryBus();
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await bus.subscribe('t', () => held, { group: 'g' });
    const payload = { t: 'x'.repeat(MAX_ENVELOPE_BYTES - '{"t":""}'.length) };
    for (let n = 0; n < MAX_TOPIC_BYTES / MAX_ENVELOPE_BYTES; n += 1) await bus.publish('t', payload, { id: `m${n}` });
    await expect(bus.publish(['other', 't'], { n: 3 })).rejects.toEqual(busy(DEFAULT_TOPIC_MESSAGES));
    expect(await bus.read('other')).toEqual([]);
    release?.();
    await expect
      .poll(() =>
        bus.publish('t', { n: 3 }).then(
          ({ givenUp }) => givenUp,
          () => 'refused',
        ),
      )
      .toBe(0);
  });

  it('keeps as many bytes of a topic as it says', async () => {
    await using bus = new MemoryBus();
    const fitting = MAX_TOPIC_BYTES / MAX_ENVELOPE_BYTES;
    const payload = { t: 'x'.repeat(MAX_ENVELOPE_BYTES - '{"t":""}'.length) };
    for (let n = 0; n < fitting; n += 1) await bus.publish('t', payload, { id: `m${n}` });
    expect((await bus.read('t', { after: '0-0', limit: 1 }))[0]?.id).toBe('m0');
    await bus.publish('t', {}, { id: 'one more'.replace(' ', '-').replace(' ', '-') });
    expect((await bus.read('t', { after: '0-0', limit: 1 }))[0]?.id).toBe('m1');
  });

  it('keeps as many dead letters of a topic as it says, whatever its groups have handled', async () => {
    await using bus = new MemoryBus({ maxLength: 1 });
    await (await bus.subscribe('dlq:t', () => undefined, { group: 'g' })).close();
    for (let n = 0; n < MAX_DEAD_LETTERS; n += 1) await bus.publish('dlq:t', { n }, { id: `m${n}` });
    expect((await bus.read('dlq:t', { after: '0-0', limit: 1 }))[0]?.id).toBe('m0');
    expect((await bus.publish('dlq:t', {})).givenUp).toBe(0);
    expect((await bus.read('dlq:t', { after: '0-0', limit: 1 }))[0]?.id).toBe('m1');
  });

  it('has as many topics and groups as it says; to look at a topic does not make it', async () => {
    await using bus = new MemoryBus();
    for (let n = 0; n < MAX_MEMORY_TOPICS; n += 1) await bus.publish(`t${n}`, {});
    expect(await bus.read('another')).toEqual([]);
    await expect(bus.publish('another', {})).rejects.toEqual(busy(MAX_MEMORY_TOPICS));
    for (let n = 0; n < MAX_MEMORY_GROUPS; n += 1) {
      await (await bus.subscribe('t1', () => undefined, { group: `g${n}` })).close();
    }
    await expect(bus.subscribe('t1', () => undefined, { group: 'more' })).rejects.toEqual(busy(MAX_MEMORY_GROUPS));
  });

  it.each([{ maxLength: 0 }, { maxLength: MAX_TOPIC_MESSAGES + 1 }, { topicMessages: 1 }])('refuses %j', (options) => {
    expect(() => new MemoryBus(options)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });
});
