import { invalidArgument } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import type { NativeRedactStream } from '../native/binding.js';
import { joinBytes } from '../native/join-bytes.js';
import { callNative } from '../native/unwrap.js';
import { isHighSurrogate, piecesOf } from './pieces.js';

/** Masks one stream of bytes. `Redactor.stream()` makes it. */
export interface RedactionStream {
  /**
   * Takes the next piece and returns the masked bytes that are certain by now, which may be none.
   *
   * @param chunk A piece of any length; a string counts as UTF-8.
   * @returns Masked bytes, to be joined in this order.
   * @throws HandrailError `ERR_CLOSED` after `end()`, `ERR_INVALID_ARGUMENT` for anything but a
   * string or a `Uint8Array`.
   */
  write(chunk: Uint8Array | string): Uint8Array;
  /**
   * Returns the part of an unfinished line that can be shown already. Call it when nothing was written for a while, say
   * 100 ms, so that a reader sees a prompt such as `Password: `. The part goes up to the last word, and includes that
   * word when it has no digits and ends with `:`, `?` or `>`. It stops before a word that may name a secret, unless the
   * line asks for the secret. It is empty for a line over 4 KiB, inside a private key, and when a pattern of the
   * options can match spaces. Later input is masked as if there had been no pause.
   *
   * @returns Masked bytes that `write()` and `end()` will not give again; often none.
   * @throws HandrailError `ERR_CLOSED` after `end()`.
   */
  idle(): Uint8Array;
  /**
   * Ends the stream and returns the bytes that were held back.
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

const NO_BYTES = new Uint8Array(0);
const encoder = new TextEncoder();

/** The stream of the binding. It joins strings that were cut between the halves of a character. */
export class NativeBackedStream implements RedactionStream {
  readonly #native: NativeRedactStream;
  /** A high surrogate that waits for its other half, or an empty string. */
  #highSurrogate = '';
  #ended = false;

  constructor(native: NativeRedactStream) {
    this.#native = native;
  }

  write(chunk: Uint8Array | string): Uint8Array {
    this.#assertOpen();
    if (typeof chunk === 'string') return this.#writeText(chunk);
    const bytes = this.#bytes(chunk);
    return bytes.length === 0 ? NO_BYTES : callNative(() => this.#native.write(bytes));
  }

  idle(): Uint8Array {
    this.#assertOpen();
    return callNative(() => this.#native.idle());
  }

  end(): Uint8Array {
    this.#assertOpen();
    this.#ended = true;
    const lastCharacter = this.#highSurrogate === '' ? NO_BYTES : this.#writeHighSurrogate();
    const last = callNative(() => this.#native.end());
    return lastCharacter.length === 0 ? last : joinBytes([lastCharacter, last]);
  }

  get findings(): number {
    return callNative(() => this.#native.findings());
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(callNative(() => this.#native.counts()).map(({ rule, count }) => [rule, count]));
  }

  #writeText(chunk: string): Uint8Array {
    const text = this.#highSurrogate === '' ? chunk : this.#highSurrogate + chunk;
    const end = isHighSurrogate(text, text.length - 1) ? text.length - 1 : text.length;
    this.#highSurrogate = text.slice(end);
    const maskedPieces: Uint8Array[] = [];
    for (const piece of piecesOf(text, end)) {
      maskedPieces.push(callNative(() => this.#native.writeText(piece, piece.length)));
    }
    if (maskedPieces.length > 1) return joinBytes(maskedPieces);
    return maskedPieces[0] ?? NO_BYTES;
  }

  #bytes(chunk: unknown): Uint8Array {
    if (!(chunk instanceof Uint8Array)) {
      throw invalidArgument('chunk', 'a string or a Uint8Array', chunk);
    }
    if (this.#highSurrogate === '') return chunk;
    const surrogateBytes = encoder.encode(this.#highSurrogate);
    this.#highSurrogate = '';
    return joinBytes([surrogateBytes, chunk]);
  }

  #writeHighSurrogate(): Uint8Array {
    const bytes = encoder.encode(this.#highSurrogate);
    this.#highSurrogate = '';
    return callNative(() => this.#native.write(bytes));
  }

  #assertOpen(): void {
    if (this.#ended) {
      throw new HandrailError('ERR_CLOSED', 'This redaction stream was ended');
    }
  }
}
