/** Signals a person or a supervisor ends the command line with. */
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Listens for a signal that ends the work, until it is disposed of. */
export class EndSignals implements Disposable {
  readonly #ended = new AbortController();
  #first: NodeJS.Signals | null = null;

  constructor() {
    for (const signal of END_SIGNALS) process.on(signal, this.#end);
  }

  /** Fires with the first signal. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Which signal came first. Null when none did. */
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
