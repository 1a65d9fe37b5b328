import { setTimeout as pause } from 'node:timers/promises';

/** The value of `promise`, or undefined when it takes longer than `ms` milliseconds. */
export async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  const controller = new AbortController();
  const timeout = pause(ms, undefined, { signal: controller.signal }).catch(() => undefined);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    controller.abort();
  }
}
