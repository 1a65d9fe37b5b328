import type { CommandResult } from '../report/result.js';
import type { OutputChunk } from './call.js';

/** Starts the command; a piece counts as taken when what `onOutput` returned has settled. */
export type StartStreamed = (
  onOutput: ((chunk: OutputChunk) => unknown) | undefined,
  stop: AbortSignal,
) => Promise<CommandResult>;

interface Waiting {
  readonly chunk: OutputChunk;
  readonly taken: () => void;
}

/**
 * The output of one command, piece by piece, and its result. Made by `Terminal.stream()`.
 *
 * Nothing starts before it is iterated or asked for its result. Leaving the loop early ends the command and everything it started,
 * before the loop is left. A command that writes faster than the loop takes waits.
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
   * The pieces, once: a second loop goes on where the first ended.
   *
   * Rejects as `Terminal.run()` does.
   */
  [Symbol.asyncIterator](): AsyncGenerator<OutputChunk, void, undefined> {
    return this.#pieces;
  }

  /**
   * The result. Asked for before the first piece was, it starts the command, whose pieces are then not told; after that it
   * comes when the loop has taken all of them, or was left.
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
      const handoff = new Handoff();
      const result = this.#start(handoff.give, stop.signal);
      this.#result = result;
      const ended = result.then(handoff.end, handoff.end);
      try {
        for (let next = await handoff.take(); next !== undefined; next = await handoff.take()) {
          yield next.chunk;
          next.taken();
        }
      } finally {
        stop.abort();
        handoff.drop();
        await ended;
      }
    }
    await this.#result;
  }
}

/** Pieces on their way from a command to a loop. The engine bounds how many are not taken. */
class Handoff {
  #waiting: Waiting[] = [];
  #isOver = false;
  #isDropping = false;
  #wake: (() => void) | undefined;

  /** Settles when the loop has taken the piece. */
  readonly give = (chunk: OutputChunk): Promise<void> | undefined => {
    if (this.#isDropping) return undefined;
    return new Promise((taken) => {
      this.#waiting.push({ chunk, taken });
      this.#wake?.();
    });
  };

  /** No more will come. */
  readonly end = (): void => {
    this.#isOver = true;
    this.#wake?.();
  };

  /** The next piece; undefined after the last. */
  async take(): Promise<Waiting | undefined> {
    while (true) {
      const next = this.#waiting.shift();
      if (next !== undefined || this.#isOver) return next;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Nobody takes what there is, or what comes. */
  drop(): void {
    this.#isDropping = true;
    for (const { taken } of this.#waiting.splice(0)) taken();
  }
}
