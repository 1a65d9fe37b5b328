import { setTimeout as pause } from 'node:timers/promises';

/** What `promise` gives, or nothing when it takes longer. */
export async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  const given = new AbortController();
  const late = pause(ms, undefined, { signal: given.signal }).catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    given.abort();
  }
}
