import { invalidArgument } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import type { NativeRedactStream } from '../native/binding.js';
import { joinBytes } from '../native/join-bytes.js';
import { callNative } from '../native/unwrap.js';
import { isHighSurrogate, piecesOf } from './pieces.js';

/** Masks one stream of bytes. `Redactor.stream()` makes it. */
export interface RedactionStream {
  /**
   * Takes the next piece and returns what is certain by now, which may be nothing.
   *
   * @param chunk A piece of any length; a string counts as UTF-8.
   * @returns Masked bytes, to be joined in this order.
   * @throws HandrailError `ERR_CLOSED` after `end()`, `ERR_INVALID_ARGUMENT` for anything but a
   * string or a `Uint8Array`.
   */
  write(chunk: Uint8Array | string): Uint8Array;
  /**
   * To be called when nothing was written for a while, say 100 ms: gives what can be shown of a line
   * that has not ended, so that a prompt (`Password: `) is seen by whoever is to answer it. That is all
   * up to the last word, or with it when it is one without digits that ends with `:`, `?` or `>`; but
   * nothing from a word on that may name a secret, unless the line asks for it, nothing of a line over
   * 4 KiB or of one in a private key, and nothing when a pattern of the options can match blanks. What is written next is masked as if there had been no pause.
   *
   * @returns Masked bytes that `write()` and `end()` will not give again; often none.
   * @throws HandrailError `ERR_CLOSED` after `end()`.
   */
  idle(): Uint8Array;
  /**
   * Ends the stream and returns what was held back.
   *
   * @returns The last masked bytes, which may be none.
   * @throws HandrailError `ERR_CLOSED` when called again.
   */
  end(): Uint8Array;
  /** The number of secrets masked so far. */
  readonly findings: number;
  /**
   * The number of secrets masked so far, by the id of the rule (see `Finding.rule`), without rules that masked nothing:
   * `{ password: 2, 'known-value': 1 }`. Each reading is a new object.
   */
  readonly counts: Readonly<Record<string, number>>;
}

const EMPTY = new Uint8Array(0);
const encoder = new TextEncoder();

/** The stream over the binding. Joins strings that were cut between the halves of a character. */
export class StreamOverNative implements RedactionStream {
  readonly #native: NativeRedactStream;
  /** A high surrogate that waits for its other half, or nothing. */
  #half = '';
  #ended = false;

  constructor(native: NativeRedactStream) {
    this.#native = native;
  }

  write(chunk: Uint8Array | string): Uint8Array {
    this.#assertOpen();
    if (typeof chunk === 'string') return this.#writeText(chunk);
    const bytes = this.#bytes(chunk);
    return bytes.length === 0 ? EMPTY : callNative(() => this.#native.write(bytes));
  }

  idle(): Uint8Array {
    this.#assertOpen();
    return callNative(() => this.#native.idle());
  }

  end(): Uint8Array {
    this.#assertOpen();
    this.#ended = true;
    const rest = this.#half === '' ? EMPTY : this.#flushHalf();
    const last = callNative(() => this.#native.end());
    return rest.length === 0 ? last : joinBytes([rest, last]);
  }

  get findings(): number {
    return callNative(() => this.#native.findings());
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(callNative(() => this.#native.counts()).map(({ rule, count }) => [rule, count]));
  }

  #writeText(chunk: string): Uint8Array {
    const text = this.#half === '' ? chunk : this.#half + chunk;
    const end = isHighSurrogate(text, text.length - 1) ? text.length - 1 : text.length;
    this.#half = text.slice(end);
    const written: Uint8Array[] = [];
    for (const piece of piecesOf(text, end)) {
      written.push(callNative(() => this.#native.writeText(piece, piece.length)));
    }
    if (written.length > 1) return joinBytes(written);
    return written[0] ?? EMPTY;
  }

  #bytes(chunk: unknown): Uint8Array {
    if (!(chunk instanceof Uint8Array)) {
      throw invalidArgument('chunk', 'a string or a Uint8Array', chunk);
    }
    if (this.#half === '') return chunk;
    const half = encoder.encode(this.#half);
    this.#half = '';
    return joinBytes([half, chunk]);
  }

  #flushHalf(): Uint8Array {
    const bytes = encoder.encode(this.#half);
    this.#half = '';
    return callNative(() => this.#native.write(bytes));
  }

  #assertOpen(): void {
    if (this.#ended) {
      throw new HandrailError('ERR_CLOSED', 'This redaction stream was ended');
    }
  }
}
