/** What holds agents that answer each other, as tests over a bus that is made by the caller. */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Bus, BusMessage } from '../../ts/bus/bus.js';
import { DEFAULT_MAX_HOPS, MAX_HOPS, MAX_MESSAGES_PER_MINUTE } from '../../ts/bus/limits.js';
import { type SendMessageOptions, sendMessage } from '../../ts/compat/chat.js';
import { LIVENESS_MS } from '../support/liveness.js';

/** Much longer than anything here takes; waiting ends as soon as there is something. */
const PATIENCE = { timeout: LIVENESS_MS, interval: 10 };

const hopsIn = ({ payload }: BusMessage) => (payload['metadata'] as { _bus?: { hops: number } })._bus?.hops;

export function answersContract(make: () => Bus): void {
  const open: Bus[] = [];
  const opened = (): Bus => {
    const made = make();
    open.push(made);
    return made;
  };

  afterEach(async () => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    await Promise.all(open.splice(0).map((made) => made.close()));
  });

  describe('agents that answer each other', () => {
    /** Two agents, each of which answers whatever it gets. Returns the topics, and the errors of their answers. */
    async function argue(bus: Bus, options: SendMessageOptions) {
      const conversationId = randomUUID();
      const names = ['A', 'B'].map((name) => `${name}${randomUUID()}`);
      const refused: unknown[] = [];
      for (const [index, name] of names.entries()) {
        const answer = async () => {
          await new Promise(setImmediate);
          const answered = sendMessage(`agent:${names[1 - index]}`, 'And you?', { ...options, bus, conversationId });
          await answered.catch((error) => refused.push(error));
        };
        await bus.subscribe(`chat:${name}`, answer, { group: name });
      }
      await sendMessage(`agent:${names[0]}`, 'How are you?', { bus, conversationId });
      return { topic: `chat:${conversationId}`, refused };
    }

    it.each([3, undefined])('end after %s hops, with a reason', async (maxHops) => {
      const bus = opened();
      const most = maxHops ?? DEFAULT_MAX_HOPS;
      const { topic, refused } = await argue(bus, { maxHops });
      await vi.waitFor(() => expect(refused).toHaveLength(1), PATIENCE);
      expect(refused[0]).toMatchObject({ code: 'ERR_BUS', data: { reason: 'too_many_hops', limit: most } });
      const messages = await bus.read(topic);
      expect(messages.map(hopsIn)).toEqual([undefined, ...Array.from({ length: most }, (_, index) => index + 1)]);
    });

    it('go on where nothing holds them', async () => {
      const bus = opened();
      const { topic, refused } = await argue(bus, { maxHops: MAX_HOPS });
      await vi.waitFor(async () => expect((await bus.read(topic)).length).toBeGreaterThan(60), PATIENCE);
      expect(refused).toEqual([]);
    });

    it('count on from a message that a program has read itself, whole or its payload', async () => {
      const [bus, topic] = [opened(), `chat:${randomUUID()}`];
      await sendMessage(topic, 'one', { bus });
      for (const hops of [1, 2]) {
        const [cause] = (await bus.read(topic, { limit: 1 })) as [BusMessage];
        await sendMessage(topic, 'next', { bus, cause: hops === 1 ? cause : (cause.payload as never) });
      }
      const [cause] = (await bus.read(topic, { limit: 1 })) as [BusMessage];
      expect(hopsIn(cause)).toBe(2);
      await expect(sendMessage(topic, 'x', { bus, cause, maxHops: 2 })).rejects.toMatchObject({ code: 'ERR_BUS' });
      expect(await bus.read(topic)).toHaveLength(3);
    });

    it.each([-1, 'x', Number.NaN, null, {}])('take %j in place of a count for none', async (hops) => {
      const [bus, topic] = [opened(), `chat:${randomUUID()}`];
      await sendMessage(topic, 'x', { bus, cause: { metadata: { _bus: { hops } } } as never });
      expect((await bus.read(topic)).map(hopsIn)).toEqual([1]);
    });
  });

  describe('a sender in a hurry', () => {
    const send = (bus: Bus, topic: string, messagesPerMinute?: number) =>
      sendMessage(topic, 'x', { bus, messagesPerMinute });

    it('is told when it may send again, and is then let', async () => {
      vi.useFakeTimers({ toFake: ['performance'] });
      const [bus, topic] = [opened(), `chat:${randomUUID()}`];
      await send(bus, topic, 2);
      vi.advanceTimersByTime(20_000);
      await send(bus, topic, 2);
      for (const _again of [1, 2]) {
        await expect(send(bus, topic, 2)).rejects.toMatchObject({
          code: 'ERR_BUS',
          message: expect.stringContaining('Send again in 40 s'),
          data: { reason: 'rate_limited', limit: 2, retryAfterMs: 40_000 },
        });
      }
      vi.advanceTimersByTime(40_000);
      await send(bus, topic, 2);
      await expect(send(bus, topic, 2)).rejects.toMatchObject({ data: { retryAfterMs: 20_000 } });
      expect(await bus.read(topic)).toHaveLength(3);
    });

    it('is held alone, and on this bus alone', async () => {
      const [bus, other, topic] = [opened(), opened(), `chat:${randomUUID()}`];
      vi.stubEnv('AGENT_NAME', 'A');
      await send(bus, topic, 1);
      await expect(send(bus, topic, 1)).rejects.toMatchObject({ data: { reason: 'rate_limited' } });
      await send(other, topic, 1);
      vi.stubEnv('AGENT_NAME', 'B');
      await send(bus, topic, 1);
    });

    it('sends what it likes where nothing holds it', async () => {
      const [bus, topic] = [opened(), `chat:${randomUUID()}`];
      for (let count = 0; count < 80; count += 1) await send(bus, topic);
      expect(await bus.read(topic)).toHaveLength(80);
    });
  });

  it.each([
    { messagesPerMinute: 0 },
    { messagesPerMinute: MAX_MESSAGES_PER_MINUTE + 1 },
    { maxHops: 0 },
    { maxHops: MAX_HOPS + 1 },
    { cause: 'x' },
    { cause: null },
  ])('sendMessage refuses %j', async (options) => {
    const given = { ...options, bus: opened() } as SendMessageOptions;
    await expect(sendMessage('chat:c', 'x', given)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });
}
