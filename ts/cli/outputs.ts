import type { Writable } from 'node:stream';

export type OutputName = 'stdout' | 'stderr';

/** The part of a stream that is needed here. */
type Target = Pick<Writable, 'write' | 'on'>;

/** How long what was written may take to reach its reader when a signal has ended the work. */
const FLUSH_MS = 250;

/**
 * The two streams that the command line writes to. Each write says when it was taken, so that
 * nothing has to listen for it; whoever stops reading is the ordinary end of a pipeline.
 */
export class Outputs {
  readonly #targets: Readonly<Record<OutputName, Target>>;
  readonly #gone = new AbortController();
  /** Writes that were not taken yet. */
  readonly #pending = new Set<Promise<void>>();
  #failure: { readonly stream: OutputName; readonly code: string } | undefined;

  constructor(stdout: Target, stderr: Target) {
    this.#targets = { stdout, stderr };
    // Each write learns by itself that it failed; without a listener the event would end the process.
    for (const target of [stdout, stderr]) target.on('error', () => undefined);
  }

  /** Fires when `write` has failed: there is nobody to work for. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** The first `write` that failed. */
  get failure(): { readonly stream: OutputName; readonly code: string } | undefined {
    return this.#failure;
  }

  /** Whether everything was taken. */
  get settled(): boolean {
    return this.#pending.size === 0;
  }

  /** Settles when `text` was taken, or could not be written. Never rejects. */
  write(stream: OutputName, text: string | Uint8Array): Promise<void> {
    return this.#send(stream, text, (error) => {
      this.#failure ??= { stream, code: error.code ?? error.name };
      this.#gone.abort();
    });
  }

  /** Writes what is said about the work to standard error: a reader who is not there misses it, and that is all. */
  remark(text: string): Promise<void> {
    return this.#send('stderr', text, () => undefined);
  }

  /** Counts what somebody else has written to standard output among what is to be taken. */
  adopt(): void {
    void this.#send('stdout', '', () => undefined);
  }

  /** Settles when everything was taken, and soon after `hurry` has fired. */
  async settle(hurry: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      const start = (): void => {
        timer = setTimeout(resolve, FLUSH_MS);
      };
      if (hurry.aborted) start();
      else hurry.addEventListener('abort', start, { once: true });
    });
    await Promise.race([Promise.all(this.#pending), late]);
    clearTimeout(timer);
  }

  #send(stream: OutputName, text: string | Uint8Array, onError: (error: NodeJS.ErrnoException) => void): Promise<void> {
    const taken = new Promise<void>((resolve) => {
      this.#targets[stream].write(text, (error) => {
        if (error) onError(error);
        resolve();
      });
    });
    this.#pending.add(taken);
    return taken.finally(() => this.#pending.delete(taken));
  }
}
