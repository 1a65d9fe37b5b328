/** The bound of an embedded bus on all of its topics together. */
import { describe, expect, it, vi } from 'vitest';
import { DEDUPE_MS, MAX_ENVELOPE_BYTES, MEMORY_BYTES_RANGE } from '../../ts/bus/limits.js';
import { MemoryBus } from '../../ts/bus/memory.js';
import { MESSAGE_OVERHEAD_BYTES } from '../../ts/bus/memory-share.js';
import { LIVENESS_MS } from '../support/liveness.js';

const maxBytes = MEMORY_BYTES_RANGE.min;
/** With its id it takes a thirty-second of the bound. */
const ID_CHARS = 2;
const payload = { t: 'x'.repeat(MAX_ENVELOPE_BYTES - MESSAGE_OVERHEAD_BYTES - ID_CHARS - '{"t":""}'.length) };
const FITTING = maxBytes / MAX_ENVELOPE_BYTES;
const idOf = (n: number) => String(n).padStart(ID_CHARS, '0');
const busy = { code: 'ERR_BUSY', data: { limit: maxBytes } };
const quiet = { group: 'g', onError: () => undefined };

async function fill(bus: MemoryBus, topic: (n: number) => string, end = FITTING): Promise<void> {
  for (let n = 0; n < end; n += 1) await bus.publish(topic(n), payload, { id: idOf(n) });
}
const ids = async (bus: MemoryBus, topic: string) => (await bus.read(topic)).map(({ id }) => id);

describe('what a MemoryBus keeps in all', () => {
  it('is as much as it says; then the oldest message goes that nobody waits for, of whatever topic', async () => {
    await using bus = new MemoryBus({ maxBytes });
    await (await bus.subscribe('waiting', () => undefined, quiet)).close();
    await fill(bus, (n) => (n === 0 ? 'waiting' : `t${n % 2}`));
    expect(await ids(bus, 't1')).toHaveLength(FITTING / 2);
    await bus.publish('another', {}, { id: 'a' });
    expect(await ids(bus, 'waiting')).toEqual(['00']);
    expect((await ids(bus, 't1'))[0]).toBe('03');
    expect((await ids(bus, 't0'))[0]).toBe('02');
    await bus.publish('another', payload, { id: 'b' });
    expect((await ids(bus, 't0'))[0]).toBe('04');
  });

  it('refuses what has no room beside messages that groups wait for, on all topics or none, and takes it afterwards', async () => {
    await using bus = new MemoryBus({ maxBytes });
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    for (const topic of ['t0', 't1']) await bus.subscribe(topic, () => held, quiet);
    await fill(bus, (n) => `t${n % 2}`);
    await expect(bus.publish(['other', 't0'], payload)).rejects.toMatchObject(busy);
    expect(await bus.read('other')).toEqual([]);
    expect(await ids(bus, 't0')).toHaveLength(FITTING / 2);
    release?.();
    const publish = () =>
      bus.publish(['other', 't0'], payload).then(
        ({ topics }) => topics.length,
        () => 0,
      );
    await expect.poll(publish, { timeout: LIVENESS_MS }).toBe(2);
  });

  it('has room for the dead letters of what is in it', async () => {
    await using bus = new MemoryBus({ maxBytes });
    let isFull: (() => void) | undefined;
    const full = new Promise<void>((resolve) => {
      isFull = resolve;
    });
    const fail = async () => {
      await full;
      throw new Error('no');
    };
    await bus.subscribe('t', fail, { ...quiet, maxDeliveries: 1 });
    await fill(bus, () => 't');
    await expect(bus.publish('u', payload)).rejects.toMatchObject(busy);
    isFull?.();
    await expect
      .poll(async () => (await bus.read('dlq:t')).at(-1)?.payload['id'], { timeout: LIVENESS_MS })
      .toBe(idOf(FITTING - 1));
  });

  it('counts what small messages take, too', async () => {
    await using bus = new MemoryBus({ maxBytes });
    const count = maxBytes / MESSAGE_OVERHEAD_BYTES;
    for (let n = 0; n < count; n += 1) await bus.publish(`t${n % 10}`, {}, { id: `m${n}` });
    let kept = 0;
    for (let topic = 0; topic < 10; topic += 1) {
      for (let page = await bus.read(`t${topic}`, { after: '0-0', limit: 1_000 }); page.length > 0; ) {
        kept += page.length;
        page = await bus.read(`t${topic}`, { after: page.at(-1)?.id, limit: 1_000 });
      }
    }
    expect(kept).toBeLessThanOrEqual(maxBytes / (MESSAGE_OVERHEAD_BYTES + '{}'.length));
    expect(kept).toBeGreaterThan(count / 2);
  });

  it('is all of it where the bound lies higher', async () => {
    await using bus = new MemoryBus();
    await bus.subscribe('t', () => new Promise(() => undefined), quiet);
    await fill(bus, () => 't', 2 * FITTING);
    expect(await ids(bus, 't')).toHaveLength(2 * FITTING);
  });

  it('releases what groups block that nobody reads', async () => {
    await using bus = new MemoryBus({ maxBytes, groupIdleMs: DEDUPE_MS });
    await (await bus.subscribe('t', () => undefined, quiet)).close();
    await fill(bus, () => 't');
    await expect(bus.publish('u', payload)).rejects.toMatchObject(busy);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DEDUPE_MS });
    try {
      await bus.publish('u', payload);
    } finally {
      vi.useRealTimers();
    }
    expect((await bus.read('dlq:t')).map(({ payload: { event } }) => event)).toEqual(['group_expired']);
  });

  it('remembers the id of a message that is gone for a day', async () => {
    await using bus = new MemoryBus({ maxLength: 1 });
    for (const id of ['a', 'b']) await bus.publish('t', {}, { id });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DEDUPE_MS - 1_000 });
    try {
      expect((await bus.publish('t', {}, { id: 'a' })).duplicate).toBe(true);
      vi.setSystemTime(Date.now() + 1_000);
      expect((await bus.publish('t', {}, { id: 'a' })).duplicate).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([{ maxBytes: maxBytes - 1 }, { maxBytes: MEMORY_BYTES_RANGE.max + 1 }])('refuses %j', (options) => {
    expect(() => new MemoryBus(options)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });
});
