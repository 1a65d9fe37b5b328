import type { NativeChunk } from '../native/binding.js';
import type { OutputChunk } from './call.js';

/**
 * Passes output to a caller's function and keeps the first error that it threw. After an error nothing more is passed.
 */
export class OutputTap {
  readonly #onOutput: (chunk: OutputChunk) => unknown;
  readonly #onFailure: () => void;
  #failure: { readonly error: unknown } | undefined;

  /** @param onFailure Called once, when `onOutput` threw or rejected. */
  constructor(onOutput: (chunk: OutputChunk) => unknown, onFailure: () => void) {
    this.#onOutput = onOutput;
    this.#onFailure = onFailure;
  }

  /** Passes one piece. Never throws, and a promise that it returns never rejects. */
  readonly take = (chunk: NativeChunk): unknown => {
    if (this.#failure !== undefined) return undefined;
    try {
      const stream = chunk.stream === 'stderr' ? 'stderr' : 'stdout';
      const outcome = this.#onOutput({ stream, text: chunk.text });
      if (!isThenable(outcome)) return undefined;
      return Promise.resolve(outcome).catch((error: unknown) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  };

  /** Throws the error that the caller's function threw, if any. */
  rethrow(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    this.#onFailure();
  }
}

/** Whether `value` is a promise, of whatever library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
