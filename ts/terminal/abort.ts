/** What `untilAborted` gives when a signal came first. */
export const ABORTED: unique symbol = Symbol('aborted');

/** Those who wait for one signal, and the one listener they share. */
interface Waiting {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

/**
 * Calls back when a signal fires, with one listener per signal however many wait for it: a host
 * that gives one signal to a hundred commands is not warned of a leak.
 */
export class AbortWatch {
  readonly #signals = new WeakMap<AbortSignal, Waiting>();

  /**
   * Calls `onAbort` once, when `signal` fires. A signal that fired before is not noticed.
   *
   * @returns Takes it back. The listener goes with the last one that waited.
   */
  watch(signal: AbortSignal, onAbort: () => void): () => void {
    const waiting = this.#signals.get(signal) ?? this.#listen(signal);
    // A function of its own: the same one may wait twice.
    const callback = (): void => onAbort();
    waiting.callbacks.add(callback);
    return () => {
      waiting.callbacks.delete(callback);
      if (waiting.callbacks.size > 0 || this.#signals.get(signal) !== waiting) return;
      this.#signals.delete(signal);
      signal.removeEventListener('abort', waiting.listener);
    };
  }

  #listen(signal: AbortSignal): Waiting {
    const callbacks = new Set<() => void>();
    const listener = (): void => {
      this.#signals.delete(signal);
      for (const callback of callbacks) callback();
    };
    const waiting = { callbacks, listener };
    this.#signals.set(signal, waiting);
    signal.addEventListener('abort', listener, { once: true });
    return waiting;
  }
}

/**
 * Waits for `work` or for the first of `signals`, whichever comes first. `work` gets a signal of
 * its own that fires in the second case. Listeners are removed in every case; what `work` does
 * afterwards is ignored.
 */
export async function untilAborted<Value>(
  watch: AbortWatch,
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Value | PromiseLike<Value>,
): Promise<Value | typeof ABORTED> {
  const given = signals.filter((signal) => signal !== undefined);
  if (given.some((signal) => signal.aborted)) return ABORTED;
  const controller = new AbortController();
  const aborted = new Promise<typeof ABORTED>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(ABORTED), { once: true });
  });
  const stops = given.map((signal) => watch.watch(signal, () => controller.abort()));
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    for (const stop of stops) stop();
  }
}
