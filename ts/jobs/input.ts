import { HandrailError } from '../errors.js';
import { MAX_UNREAD_INPUT_BYTES, MAX_UNREAD_INPUT_PIECES } from './limits.js';

interface Piece {
  readonly bytes: Uint8Array;
  readonly onWritten: () => void;
  readonly onClosed: (error: HandrailError) => void;
}

/** The standard input of a job, which stays open: what was sent and not written yet. */
export class JobInput implements AsyncIterableIterator<Uint8Array> {
  readonly #queue: Piece[] = [];
  #unreadBytes = 0;
  #isClosed = false;
  /** The first piece of the queue, while it is being written. */
  #written: Piece | undefined;
  #wake: (() => void) | undefined;

  /**
   * Writes after all earlier input. Settles when the bytes are written.
   *
   * @throws HandrailError `ERR_CLOSED` when the command has ended or closed its input, `ERR_BUSY` when too much is unread.
   */
  write(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed) return Promise.reject(closedError());
    if (this.#unreadBytes + bytes.length > MAX_UNREAD_INPUT_BYTES) {
      const message = `The job has not read ${this.#unreadBytes} bytes of its input, and at most ${MAX_UNREAD_INPUT_BYTES} may wait`;
      return Promise.reject(new HandrailError('ERR_BUSY', message, { data: { limit: MAX_UNREAD_INPUT_BYTES } }));
    }
    if (this.#queue.length >= MAX_UNREAD_INPUT_PIECES) {
      const message = `The job has not read ${this.#queue.length} pieces of its input, and no more may wait`;
      return Promise.reject(new HandrailError('ERR_BUSY', message, { data: { limit: MAX_UNREAD_INPUT_PIECES } }));
    }
    this.#unreadBytes += bytes.length;
    return new Promise((resolve, reject) => {
      this.#queue.push({ bytes, onWritten: resolve, onClosed: reject });
      this.#wake?.();
    });
  }

  /** The command takes no more input. */
  close(): void {
    this.#isClosed = true;
    for (const { onClosed } of this.#queue.splice(0)) onClosed(closedError());
    this.#wake?.();
  }

  /** The next piece. It is asked for when the last one was written. */
  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#written !== undefined && this.#written === this.#queue[0]) {
      this.#queue.shift();
      this.#unreadBytes -= this.#written.bytes.length;
      this.#written.onWritten();
    }
    this.#written = undefined;
    while (!this.#isClosed) {
      const [piece] = this.#queue;
      if (piece !== undefined) {
        this.#written = piece;
        return { done: false, value: piece.bytes };
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return { done: true, value: undefined };
  }

  /** The command has closed its input, or has ended. */
  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function closedError(): HandrailError {
  return new HandrailError('ERR_CLOSED', 'The job takes no input any more: it has ended, or has closed its input');
}
