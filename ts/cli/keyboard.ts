import type { Socket } from 'node:net';
import type { ReadStream } from 'node:tty';
import { line, MAX_KEY_BYTES } from '../attach/frames.js';

/** The key that detaches: Ctrl-]. */
const DETACH = 0x1d;
/** Ctrl-C and Ctrl-D, which end a question, and detach whoever only looks on. */
const INTERRUPTS: readonly number[] = [0x03, 0x04];
const LINE_ENDS: readonly number[] = [0x0a, 0x0d];
const ERASERS: readonly number[] = [0x08, 0x7f];
/** Longest line that is typed, in characters. */
const MAX_LINE_CHARS = 256;

/** What a person types: each byte as it comes, without echo. */
export class Keyboard {
  readonly isTerminal: boolean;
  readonly #stream: ReadStream;
  #take: (bytes: Buffer) => void = () => undefined;
  readonly #onData = (bytes: Buffer): void => this.#take(bytes);

  constructor(stream: ReadStream) {
    this.#stream = stream;
    this.isTerminal = stream.isTTY === true;
  }

  /** A line of ASCII that is not shown. Undefined where the person gives up. */
  async line(): Promise<string | undefined> {
    let text = '';
    this.#open();
    return await new Promise((resolve) => {
      const take = (byte: number): void => {
        if (LINE_ENDS.includes(byte)) resolve(text);
        else if (byte === DETACH || INTERRUPTS.includes(byte)) resolve(undefined);
        else if (ERASERS.includes(byte)) text = text.slice(0, -1);
        else text = `${text}${String.fromCharCode(byte)}`.slice(0, MAX_LINE_CHARS);
      };
      this.#take = (bytes) => {
        for (const byte of bytes) take(byte);
      };
    });
  }

  /** Passes keys on to a session; with no socket, only looks for those that detach. */
  pass(socket: Socket | undefined, detach: () => void): void {
    const isDetaching = (byte: number): boolean =>
      byte === DETACH || (socket === undefined && INTERRUPTS.includes(byte));
    this.#take = (bytes) => {
      const end = this.isTerminal ? bytes.findIndex(isDetaching) : -1;
      const keys = end < 0 ? bytes : bytes.subarray(0, end);
      for (let at = 0; at < keys.length; at += MAX_KEY_BYTES) {
        socket?.write(line({ keys: keys.subarray(at, at + MAX_KEY_BYTES).toString('base64') }));
      }
      if (end >= 0) detach();
    };
    this.#open();
  }

  close(): void {
    if (this.isTerminal) this.#stream.setRawMode(false);
    this.#stream.off('data', this.#onData).pause();
  }

  #open(): void {
    if (this.isTerminal) this.#stream.setRawMode(true);
    this.#stream.off('data', this.#onData).on('data', this.#onData).resume();
  }
}
