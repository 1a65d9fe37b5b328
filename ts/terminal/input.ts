import type { ReadableStream } from 'node:stream/web';

import { describeValue } from '../config/validate.js';
import type { NativeReply } from '../native/binding.js';
import type { Failure } from '../report/end.js';

/** A piece of what a command reads. A text is written as UTF-8. */
export type StdinPiece = string | Uint8Array;

/**
 * Where a command's standard input comes from, piece by piece: a `Readable` of Node, a web stream, or anything else that can be
 * iterated. The next piece is asked for when the command has taken the last one.
 */
export type StdinSource = AsyncIterable<StdinPiece> | ReadableStream<StdinPiece>;

/** Larger pieces are written in parts. The engine lets four times as much wait. */
const MAX_PART_BYTES = 1024 * 1024;

/** What is done for a feed. */
export interface FeedTarget {
  /** Writes; `InputFeed.written` is told when that is done. */
  write(request: number, bytes: Uint8Array): void;
  /** Nothing more comes. */
  end(): void;
  /** The source failed. */
  fail(): void;
}

/** One way to read all kinds of sources. */
interface Reader {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  /** Says that nothing more is wanted. */
  end(): unknown;
}

/** Whether `value` can be read piece by piece. */
export function isStdinSource(value: unknown): value is StdinSource {
  if (typeof value !== 'object' || value === null) return false;
  return Symbol.asyncIterator in value || isWebStream(value);
}

/** Reads a source for one run, never ahead of what the command has taken, and lets go of it with the run. */
export class InputFeed {
  readonly #target: FeedTarget;
  #reader: Reader | undefined;
  #failure: Failure | undefined;
  #written: ((isTaken: boolean) => void) | undefined;
  #request = 0;
  #isOver = false;

  constructor(target: FeedTarget) {
    this.#target = target;
  }

  /** Why the source could not be read on. Its message may hold secrets. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Reads `source` until it ends, fails, or nothing more of it is wanted. Never rejects. */
  async read(source: StdinSource): Promise<void> {
    try {
      const reader = readerOf(source);
      this.#reader = reader;
      while (true) {
        const { done, value } = await reader.next();
        if (this.#isOver) return;
        if (done === true) break;
        if (!(await this.#writeAll(bytesOf(value)))) {
          // The command has closed its standard input, which it may.
          this.stop();
          return;
        }
      }
      this.#isOver = true;
      this.#target.end();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** What became of a piece. */
  written({ request, error }: NativeReply): void {
    if (request === this.#request) this.#written?.(error === undefined);
  }

  /** The run is over, or takes no more. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#written?.(false);
    this.#letGo();
  }

  async #writeAll(bytes: Uint8Array): Promise<boolean> {
    for (let start = 0; start < bytes.length; start += MAX_PART_BYTES) {
      if (!(await this.#write(bytes.subarray(start, start + MAX_PART_BYTES)))) return false;
    }
    return true;
  }

  #write(part: Uint8Array): Promise<boolean> {
    return new Promise((resolve) => {
      this.#request += 1;
      this.#written = resolve;
      this.#target.write(this.#request, part);
    });
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const why = error instanceof Error ? error.message : describeValue(error);
    this.#failure = { code: 'input_failed', message: `the standard input could not be read on: ${why}` };
    this.#letGo();
    this.#target.fail();
  }

  /** What a source says to that concerns no run any more. */
  #letGo(): void {
    const ended = Promise.resolve().then(() => this.#reader?.end());
    ended.catch(() => undefined);
  }
}

function readerOf(source: StdinSource): Reader {
  if (isWebStream(source)) {
    const reader = source.getReader();
    return { next: () => reader.read(), end: () => reader.cancel() };
  }
  const iterator = source[Symbol.asyncIterator]();
  // A stream of Node that waits for its next piece does not hear `return`.
  const end = isDestroyable(source) ? () => source.destroy() : () => iterator.return?.();
  return { next: () => iterator.next(), end };
}

function bytesOf(piece: unknown): Uint8Array {
  if (typeof piece === 'string') return Buffer.from(piece);
  if (piece instanceof Uint8Array) return piece;
  throw new TypeError(`expected a piece to be a string or a Uint8Array, got ${describeValue(piece)}`);
}

function isWebStream(source: object): source is ReadableStream<StdinPiece> {
  return 'getReader' in source && typeof source.getReader === 'function';
}

function isDestroyable(source: object): source is { destroy(): unknown } {
  return 'destroy' in source && typeof source.destroy === 'function';
}
