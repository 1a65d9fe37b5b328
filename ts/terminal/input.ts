import type { ReadableStream } from 'node:stream/web';

import { describeValue } from '../config/validate.js';
import type { NativeReply } from '../native/binding.js';
import type { Failure } from '../report/end.js';

/** A piece of a command's standard input. A text is written as UTF-8. */
export type StdinPiece = string | Uint8Array;

/**
 * A source of a command's standard input: a `Readable` of Node, a web stream, or any other async iterable. The next
 * piece is asked for when the command has read the last one.
 */
export type StdinSource = AsyncIterable<StdinPiece> | ReadableStream<StdinPiece>;

/** Larger pieces are written in parts. The engine queues up to four times as many bytes. */
const MAX_PART_BYTES = 1024 * 1024;

/** Writes the input of one run. */
export interface FeedTarget {
  /** Writes bytes. `InputFeed.written` is called when the command has taken them. */
  write(request: number, bytes: Uint8Array): void;
  /** Ends the input: the source has no more. */
  end(): void;
  /** Ends the run: the source failed. */
  fail(): void;
}

/** Writes the inputs of runs, by the numbers of the runs. */
interface RunInputs {
  write(id: number, request: number, bytes: Uint8Array): void;
  endInput(id: number): void;
}

/** Reads a source of any kind. */
interface SourceReader {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  /** Gives the source up before its end. */
  giveUp(): unknown;
}

/** Whether `value` can be read piece by piece. */
export function isStdinSource(value: unknown): value is StdinSource {
  if (typeof value !== 'object' || value === null) return false;
  return Symbol.asyncIterator in value || isWebStream(value);
}

/** Feeds a source to one run: never reads ahead of the command, and gives the source up when the run ends. */
export class InputFeed {
  readonly #target: FeedTarget;
  #reader: SourceReader | undefined;
  #failure: Failure | undefined;
  #onWritten: ((isTaken: boolean) => void) | undefined;
  #lastRequest = 0;
  #isOver = false;

  constructor(target: FeedTarget) {
    this.#target = target;
  }

  /** A feed of the run whose number `id` gives, once it has started. */
  static of(engine: RunInputs, id: () => number, fail: () => void): InputFeed {
    return new InputFeed({
      write: (request, bytes) => engine.write(id(), request, bytes),
      end: () => engine.endInput(id()),
      fail,
    });
  }

  /** Why the source failed. The message may hold secrets. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Reads `source` until it ends, fails, or the run takes no more. Never rejects. */
  async read(source: StdinSource): Promise<void> {
    try {
      const reader = readerOf(source);
      this.#reader = reader;
      while (true) {
        const { done, value } = await reader.next();
        if (this.#isOver) return;
        if (done === true) break;
        if (!(await this.#writeAll(bytesOf(value)))) {
          // The command has closed its standard input, which is no failure.
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

  /** Tells the feed that a write was answered. */
  written({ request, error }: NativeReply): void {
    if (request === this.#lastRequest) this.#onWritten?.(error === undefined);
  }

  /** Tells the feed that the run has ended or takes no more input. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onWritten?.(false);
    this.#giveUpSource();
  }

  async #writeAll(bytes: Uint8Array): Promise<boolean> {
    for (let start = 0; start < bytes.length; start += MAX_PART_BYTES) {
      if (!(await this.#write(bytes.subarray(start, start + MAX_PART_BYTES)))) return false;
    }
    return true;
  }

  #write(part: Uint8Array): Promise<boolean> {
    return new Promise((resolve) => {
      this.#lastRequest += 1;
      this.#onWritten = resolve;
      this.#target.write(this.#lastRequest, part);
    });
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const reason = error instanceof Error ? error.message : describeValue(error);
    this.#failure = { code: 'input_failed', message: `the standard input could not be read on: ${reason}` };
    this.#giveUpSource();
    this.#target.fail();
  }

  /** Gives the source up. An error of the source no longer matters: its run is over. */
  #giveUpSource(): void {
    const ended = Promise.resolve().then(() => this.#reader?.giveUp());
    ended.catch(() => undefined);
  }
}

function readerOf(source: StdinSource): SourceReader {
  if (isWebStream(source)) {
    const reader = source.getReader();
    return { next: () => reader.read(), giveUp: () => reader.cancel() };
  }
  const iterator = source[Symbol.asyncIterator]();
  // A stream of Node ignores `return` while it waits for its next piece.
  const end = isDestroyable(source) ? () => source.destroy() : () => iterator.return?.();
  return { next: () => iterator.next(), giveUp: end };
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
