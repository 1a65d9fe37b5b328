// Who can carry a message: the bus over Redis, the client alone as one would write it, and the bus of this process.
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { MemoryBus, RedisBus } from '../../dist/index.js';

const GROUP = 'bench';

function ours(bus) {
  return {
    publish: (topic, message) => bus.publish(topic, message),
    count: async (topic) => (await bus.read(topic, { limit: 1_000 })).length,
    subscribe: (topic, handler) => bus.subscribe(topic, ({ payload }) => handler(payload), { group: GROUP }),
    close: () => bus.close(),
  };
}

/** No dedupe, no lease, no way back after a cut: what is cheapest. */
function client(port) {
  const connect = () => new Redis({ port, replyMapping: 'legacy' });
  const [commands, waiting] = [connect(), connect()];
  let isOpen = true;
  async function consume(topic, handler) {
    while (isOpen) {
      const answer = await waiting
        .xreadgroup('GROUP', GROUP, 'one', 'COUNT', 1, 'BLOCK', 1_000, 'STREAMS', topic, '>')
        .catch(() => null);
      for (const [place, fields] of answer?.[0]?.[1] ?? []) {
        handler(JSON.parse(fields[3]));
        await commands.xack(topic, GROUP, place);
      }
    }
  }
  return {
    publish: (topic, message) => commands.xadd(topic, '*', 'id', randomUUID(), 'payload', JSON.stringify(message)),
    count: (topic) => commands.xlen(topic),
    async subscribe(topic, handler) {
      await commands.xgroup('CREATE', topic, GROUP, '0', 'MKSTREAM');
      consume(topic, handler);
    },
    close() {
      isOpen = false;
      for (const connection of [commands, waiting]) connection.disconnect();
    },
  };
}

export const NAMES = ['RedisBus', 'ioredis', 'MemoryBus'];

/** @param {number} port */
export function rivals(port) {
  const made = [ours(new RedisBus(`redis://127.0.0.1:${port}`)), client(port), ours(new MemoryBus())];
  return Object.fromEntries(NAMES.map((name, index) => [name, made[index]]));
}
