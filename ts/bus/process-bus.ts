import type { Bus } from './bus.js';
import { type ChatConfig, loadChatConfig } from './chat-config.js';
import { MemoryBus } from './memory.js';
import { RedisBus } from './redis.js';

/**
 * Module state, as that of `terminalRun`: functions configured by the environment have no object to
 * keep a bus in. It is built with the first call and ends with the process.
 */
let made: { readonly key: string; readonly bus: Bus } | undefined;
let given: Bus | undefined;
let hasWarned = false;

/** The bus that the environment names, or the one that was given. */
export function processBus(config: ChatConfig = loadChatConfig()): Bus {
  if (given !== undefined) return given;
  const key = JSON.stringify([config.redisUrl, config.maxLength]);
  if (made?.key !== key) {
    forget();
    made = { key, bus: busOf(config) };
  }
  return made.bus;
}

/** Puts a bus in the place of the process's own; null takes it away again, with everything that was kept. */
export function replaceProcessBus(bus: Bus | null): void {
  given = bus ?? undefined;
  forget();
}

function forget(): void {
  // Nothing waits for it: what it has been given is stored, and it keeps no process alive.
  made?.bus.close().catch(() => undefined);
  made = undefined;
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
