import type { Writable } from 'node:stream';

/** The name of a standard stream. */
export type OutputName = 'stdout' | 'stderr';

/** The methods of a stream that are used here. */
type OutputStream = Pick<Writable, 'write' | 'on'>;

/** How long pending output may take to reach its reader after a signal has ended the work, in milliseconds. */
const FLUSH_MS = 250;

/**
 * The two streams that the command line writes to. Each write settles when the reader has taken it. A reader that stops
 * reading is no error: this is how a pipeline ends.
 */
export class Outputs {
  readonly #targets: Readonly<Record<OutputName, OutputStream>>;
  readonly #gone = new AbortController();
  /** Writes that the reader has not taken yet. */
  readonly #pending = new Set<Promise<void>>();
  #failure: { readonly stream: OutputName; readonly code: string } | undefined;

  constructor(stdout: OutputStream, stderr: OutputStream) {
    this.#targets = { stdout, stderr };
    // Each write handles its own failure. Without a listener the event `error` would end the process.
    for (const target of [stdout, stderr]) target.on('error', () => undefined);
  }

  /** Fires when a write has failed: nobody reads the output any more. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** The first write that failed. */
  get failure(): { readonly stream: OutputName; readonly code: string } | undefined {
    return this.#failure;
  }

  /** Whether the reader has taken every write. */
  get settled(): boolean {
    return this.#pending.size === 0;
  }

  /** Settles when the reader has taken `text`, or when it could not be written. Never rejects. */
  write(stream: OutputName, text: string | Uint8Array): Promise<void> {
    return this.#send(stream, text, (error) => {
      this.#failure ??= { stream, code: error.code ?? error.name };
      this.#gone.abort();
    });
  }

  /** Writes a remark about the work to standard error. Failures are ignored. */
  remark(text: string): Promise<void> {
    return this.#send('stderr', text, () => undefined);
  }

  /** Counts earlier output of other code to standard output among the pending writes. */
  trackStdout(): void {
    void this.#send('stdout', '', () => undefined);
  }

  /** Settles when every write was taken, or `FLUSH_MS` after `hurry` has fired. */
  async settle(hurrySignal: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      const start = (): void => {
        timer = setTimeout(resolve, FLUSH_MS);
      };
      if (hurrySignal.aborted) start();
      else hurrySignal.addEventListener('abort', start, { once: true });
    });
    await Promise.race([Promise.all(this.#pending), timeout]);
    clearTimeout(timer);
  }

  #send(stream: OutputName, text: string | Uint8Array, onError: (error: NodeJS.ErrnoException) => void): Promise<void> {
    const writeTaken = new Promise<void>((resolve) => {
      this.#targets[stream].write(text, (error) => {
        if (error) onError(error);
        resolve();
      });
    });
    this.#pending.add(writeTaken);
    return writeTaken.finally(() => this.#pending.delete(writeTaken));
  }
}
