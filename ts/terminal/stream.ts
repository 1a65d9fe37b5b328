import type { CommandResult } from '../report/result.js';
import type { OutputChunk } from './call.js';

/** Starts the command. The next piece waits until the promise that `onOutput` returned settles. */
export type StartStreamed = (
  onOutput: ((chunk: OutputChunk) => unknown) | undefined,
  stop: AbortSignal,
) => Promise<CommandResult>;

interface QueuedPiece {
  readonly chunk: OutputChunk;
  readonly onAccepted: () => void;
}

/**
 * The output of one command, piece by piece, and its result. Made by `Terminal.stream()`.
 *
 * The command starts when the stream is iterated or asked for its result. Leaving the loop early ends the command and
 * everything that it started. A command that writes faster than the loop reads has to wait.
 */
export class CommandStream implements AsyncIterable<OutputChunk> {
  readonly #start: StartStreamed;
  readonly #pieces: AsyncGenerator<OutputChunk, void, undefined>;
  #result: Promise<CommandResult> | undefined;

  /** @internal */
  constructor(start: StartStreamed) {
    this.#start = start;
    this.#pieces = this.#iterate();
  }

  /**
   * The pieces of output. There is one sequence: a second loop continues where the first ended.
   *
   * Rejects as `Terminal.run()` does.
   */
  [Symbol.asyncIterator](): AsyncGenerator<OutputChunk, void, undefined> {
    return this.#pieces;
  }

  /**
   * The result. When it is asked for before the first piece, it starts the command, and the loop gets no pieces.
   * Otherwise it comes when the loop has read all pieces or was left.
   *
   * @returns As `Terminal.run()`: `cancelled` when the loop was left early.
   * @throws As `Terminal.run()`.
   */
  result(): Promise<CommandResult> {
    this.#result ??= this.#start(undefined, new AbortController().signal);
    return this.#result;
  }

  async *#iterate(): AsyncGenerator<OutputChunk, void, undefined> {
    if (this.#result === undefined) {
      const stop = new AbortController();
      const queue = new PieceQueue();
      const result = this.#start(queue.add, stop.signal);
      this.#result = result;
      const ended = result.then(queue.end, queue.end);
      try {
        for (let next = await queue.take(); next !== undefined; next = await queue.take()) {
          yield next.chunk;
          next.onAccepted();
        }
      } finally {
        stop.abort();
        queue.drop();
        await ended;
      }
    }
    await this.#result;
  }
}

/** A queue of pieces between a command and a loop. The engine bounds its length. */
class PieceQueue {
  #queue: QueuedPiece[] = [];
  #isOver = false;
  #isDropping = false;
  #wake: (() => void) | undefined;

  /** Adds a piece; settles when the loop has taken it. */
  readonly add = (chunk: OutputChunk): Promise<void> | undefined => {
    if (this.#isDropping) return undefined;
    return new Promise((taken) => {
      this.#queue.push({ chunk, onAccepted: taken });
      this.#wake?.();
    });
  };

  /** Says that no more pieces will come. */
  readonly end = (): void => {
    this.#isOver = true;
    this.#wake?.();
  };

  /** Waits for the next piece; undefined after the last one. */
  async take(): Promise<QueuedPiece | undefined> {
    while (true) {
      const next = this.#queue.shift();
      if (next !== undefined || this.#isOver) return next;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Throws away all pieces, now and later: the loop was left. */
  drop(): void {
    this.#isDropping = true;
    for (const { onAccepted: taken } of this.#queue.splice(0)) taken();
  }
}
