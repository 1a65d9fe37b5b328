/** What `untilAborted` gives when a signal came first. */
export const ABORTED: unique symbol = Symbol('aborted');

/**
 * Waits for `work` or for the first of `signals`, whichever comes first. `work` gets a signal of
 * its own that fires in the second case. Listeners are removed in every case; what `work` does
 * afterwards is ignored.
 */
export async function untilAborted<Value>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Value | PromiseLike<Value>,
): Promise<Value | typeof ABORTED> {
  const given = signals.filter((signal) => signal !== undefined);
  if (given.some((signal) => signal.aborted)) return ABORTED;
  const controller = new AbortController();
  const aborted = new Promise<typeof ABORTED>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(ABORTED), { once: true });
  });
  const forward = (): void => controller.abort();
  for (const signal of given) signal.addEventListener('abort', forward, { once: true });
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    for (const signal of given) signal.removeEventListener('abort', forward);
  }
}
