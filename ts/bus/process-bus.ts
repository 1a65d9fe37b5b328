import type { Bus } from './bus.js';
import { type ChatConfig, loadChatConfig } from './chat-config.js';
import { MemoryBus } from './memory.js';
import { RedisBus } from './redis.js';

/**
 * The bus of functions that the environment configures, which have no object to keep it in. It is created with the
 * first call and ends with the process.
 */
let ownBus: { readonly key: string; readonly bus: Bus } | undefined;
/** A bus that a caller has set in place of it. */
let replacedBus: Bus | undefined;
let hasWarned = false;

/** The bus that a caller has set, or else the one of the environment. */
export function processBus(config: ChatConfig = loadChatConfig()): Bus {
  if (replacedBus !== undefined) return replacedBus;
  const key = JSON.stringify([config.redisUrl, config.maxLength]);
  if (ownBus?.key !== key) {
    closeOwnBus();
    ownBus = { key, bus: busOf(config) };
  }
  return ownBus.bus;
}

/** Sets the bus of the process. With null the next call creates a new one from the environment. */
export function replaceProcessBus(bus: Bus | null): void {
  replacedBus = bus ?? undefined;
  closeOwnBus();
}

function closeOwnBus(): void {
  // Nobody waits for this: published messages are stored, and an idle bus keeps no process alive.
  ownBus?.bus.close().catch(() => undefined);
  ownBus = undefined;
}

function busOf({ redisUrl, maxLength }: ChatConfig): Bus {
  if (redisUrl !== undefined) {
    return new RedisBus({ url: redisUrl, ...(maxLength === undefined ? {} : { maxLength }) });
  }
  if (!hasWarned) {
    hasWarned = true;
    process.emitWarning('REDIS_URL is not set: messages stay in this process', {
      type: 'HandrailWarning',
      code: 'HANDRAIL_BUS',
    });
  }
  return new MemoryBus();
}
