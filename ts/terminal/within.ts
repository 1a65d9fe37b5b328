import { setTimeout as pause } from 'node:timers/promises';

/** The value of `promise`, or undefined when it takes longer than `ms` milliseconds. */
export async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  const given = new AbortController();
  const late = pause(ms, undefined, { signal: given.signal }).catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    given.abort();
  }
}
