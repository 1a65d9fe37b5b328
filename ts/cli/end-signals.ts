/** Signals with which a person or a service manager ends the command line. */
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Listens for these signals until it is disposed of. */
export class EndSignals implements Disposable {
  readonly #ended = new AbortController();
  #first: NodeJS.Signals | null = null;

  constructor() {
    for (const signal of END_SIGNALS) process.on(signal, this.#end);
  }

  /** Fires when the first signal comes. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** The first signal that came. Null when none did. */
  get first(): NodeJS.Signals | null {
    return this.#first;
  }

  [Symbol.dispose](): void {
    for (const signal of END_SIGNALS) process.off(signal, this.#end);
  }

  readonly #end = (signal: NodeJS.Signals): void => {
    this.#first ??= signal;
    this.#ended.abort();
  };
}
