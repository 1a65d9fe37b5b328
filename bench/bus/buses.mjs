// The buses that are compared: RedisBus, its baseline (ioredis called directly), and MemoryBus.
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { MemoryBus, RedisBus } from '../../dist/index.js';

const GROUP = 'bench';

function handrailBus(bus) {
  return {
    publish: (topic, message) => bus.publish(topic, message),
    count: async (topic) => (await bus.read(topic, { limit: 1_000 })).length,
    subscribe: (topic, handler) => bus.subscribe(topic, ({ payload }) => handler(payload), { group: GROUP }),
    close: () => bus.close(),
  };
}

/** The cheapest bus over Redis streams: no deduplication, no lease, and no recovery after a lost connection. */
function plainClient(port) {
  const connect = () => new Redis({ port, replyMapping: 'legacy' });
  // A blocking read occupies its connection.
  const [commands, blockingReads] = [connect(), connect()];
  let isOpen = true;
  async function consume(topic, handler) {
    while (isOpen) {
      const reply = await blockingReads
        .xreadgroup('GROUP', GROUP, 'one', 'COUNT', 1, 'BLOCK', 1_000, 'STREAMS', topic, '>')
        .catch(() => null);
      for (const [entryId, fields] of reply?.[0]?.[1] ?? []) {
        handler(JSON.parse(fields[3]));
        await commands.xack(topic, GROUP, entryId);
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
      for (const connection of [commands, blockingReads]) connection.disconnect();
    },
  };
}

export const BASELINE = 'ioredis';
export const BUS_NAMES = ['RedisBus', BASELINE, 'MemoryBus'];

/** @param {number} port of the Redis server */
export function createBuses(port) {
  const redisBus = handrailBus(new RedisBus(`redis://127.0.0.1:${port}`));
  return { RedisBus: redisBus, [BASELINE]: plainClient(port), MemoryBus: handrailBus(new MemoryBus()) };
}
