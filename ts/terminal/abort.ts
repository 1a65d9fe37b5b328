/** Returned by `untilAborted` when a signal fired before the work was finished. */
export const ABORTED: unique symbol = Symbol('aborted');

/** The callbacks that wait for one signal, and the listener on it that calls them all. */
interface SharedListener {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

/**
 * Calls back when a signal fires, with one listener per signal however many wait for it: a host
 * that gives one signal to a hundred commands is not warned of a leak.
 */
export class AbortWatch {
  readonly #signals = new WeakMap<AbortSignal, SharedListener>();

  /**
   * Calls `onAbort` once, when `signal` fires. A signal that fired before is not noticed.
   *
   * @returns A function that stops watching. The last one to be called removes the listener.
   */
  watch(signal: AbortSignal, onAbort: () => void): () => void {
    const sharedListener = this.#signals.get(signal) ?? this.#listen(signal);
    // A new function for each call: a set would keep the same `onAbort` only once.
    const callback = (): void => onAbort();
    sharedListener.callbacks.add(callback);
    return () => {
      sharedListener.callbacks.delete(callback);
      if (sharedListener.callbacks.size > 0 || this.#signals.get(signal) !== sharedListener) return;
      this.#signals.delete(signal);
      signal.removeEventListener('abort', sharedListener.listener);
    };
  }

  #listen(signal: AbortSignal): SharedListener {
    const callbacks = new Set<() => void>();
    const listener = (): void => {
      this.#signals.delete(signal);
      for (const callback of callbacks) callback();
    };
    const sharedListener = { callbacks, listener };
    this.#signals.set(signal, sharedListener);
    signal.addEventListener('abort', listener, { once: true });
    return sharedListener;
  }
}

/**
 * Waits for `work` or for the first of `signals`, whichever comes first. `work` gets a signal that fires as soon as one
 * of `signals` does. Every listener is removed in the end, and a later outcome of `work` is ignored.
 */
export async function untilAborted<Value>(
  watch: AbortWatch,
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Value | PromiseLike<Value>,
): Promise<Value | typeof ABORTED> {
  const givenSignals = signals.filter((signal) => signal !== undefined);
  if (givenSignals.some((signal) => signal.aborted)) return ABORTED;
  const controller = new AbortController();
  const aborted = new Promise<typeof ABORTED>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(ABORTED), { once: true });
  });
  const stops = givenSignals.map((signal) => watch.watch(signal, () => controller.abort()));
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    for (const stop of stops) stop();
  }
}
