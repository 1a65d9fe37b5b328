import { invalidArgument, textValue } from '../config/validate.js';
import type { NativeRedactor } from '../native/binding.js';
import { jsonOf } from '../native/json.js';
import { textBinding } from '../native/text-binding.js';
import { callNative } from '../native/unwrap.js';
import { type Finding, findingsOf, type Marks, MarksOfParts, MaskedText } from './marks.js';
import { nativeRedactorOptions, type RedactorOptions, secretValue } from './options.js';
import { PIECE_UNITS, piecesOf } from './pieces.js';
import { NativeBackedStream, type RedactionStream } from './stream.js';

/** A `Redactor` with the methods that it has on every host. */
export class TextRedactor {
  readonly #native: NativeRedactor;
  #addedSecrets = 0;

  /**
   * @param options What to look for; see `RedactorOptions`. Default: the built-in rules alone.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for an unknown or wrong option,
   * `ERR_INVALID_PATTERN` for a pattern that does not compile (it says which and where),
   * `ERR_INVALID_RULE_FILE` for a rule file (it says which, the line and the rule),
   * `ERR_NATIVE_MISSING`, `ERR_NATIVE_VERSION` or `ERR_NOT_SUPPORTED` when the native part cannot be loaded.
   */
  constructor(options: RedactorOptions = {}) {
    const checkedOptions = nativeRedactorOptions(options);
    const { NativeRedactor } = textBinding();
    this.#native = callNative(() => new NativeRedactor(jsonOf(checkedOptions)));
  }

  /**
   * Notes about entries of rule files that have no effect or a different effect here, such as a rule of paths alone,
   * and about built-in rules that they switch off. Each note is one sentence with file and line, without secrets. A
   * file has at most 100 notes, and a last one with the number of the others.
   */
  get ruleNotes(): readonly string[] {
    return callNative(() => this.#native.ruleNotes());
  }

  /**
   * Adds one more value that must never be shown, as if it had been among the `secrets` of the options. From now on all
   * its forms are masked in every text, in the bytes that streams of this redactor hold back, and in the output of
   * running commands of a `Terminal`: their results, their spill files and the pieces that `onOutput` has not got yet.
   * Adding a value again changes nothing.
   *
   * Costs about as much as a new `Redactor` with all known values so far; up to 10,000 of them.
   *
   * @param name The name of the value in messages and errors. At least one character.
   * @param value The secret. It needs `minSecretLength` characters, and must not be something that many texts contain:
   * a common word, a number of fewer than 10 digits, a path.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` when the value is refused: the message has its name and the reason,
   * never the value. Nothing changes then.
   * @example
   * ```ts
   * import { Redactor } from 'handrail';
   *
   * const redactor = new Redactor();
   * const stream = redactor.stream();
   * const parts = [stream.write('using correct')];
   * redactor.addSecret('DEPLOY', 'correct horse');
   * parts.push(stream.write(' horse\n'), stream.end());
   * console.log(Buffer.concat(parts).toString()); // using [REDACTED]
   * ```
   */
  addSecret(name: string, value: string): void {
    const secret = { name: textValue(name, 'name'), value: secretValue(value, 'value') };
    callNative(() => this.#native.addSecret(secret.name, secret.value));
    this.#addedSecrets += 1;
  }

  /**
   * The text with every secret masked. Colours and other escape sequences of a terminal do not hide a secret: sequences
   * around a secret stay, and those inside it are masked with it. Carriage returns and backspaces are not resolved;
   * `sanitize` does that, and `Terminal` by itself. The same holds for every method here.
   *
   * A value without quotes ends at a space, as in a shell.
   *
   * @returns The same string when nothing was found.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` when `text` is no string.
   */
  redact(text: string): string {
    if (typeof text !== 'string') throw invalidArgument('text', 'a string', text);
    return TextRedactor.redactAndCount(this, text).text;
  }

  /**
   * The bytes with every secret masked. The input need not be valid UTF-8.
   *
   * @returns The same object when nothing was found, else a new one; the input is never written to.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` when `bytes` is no `Uint8Array`.
   */
  redactBytes(bytes: Uint8Array): Uint8Array {
    if (!(bytes instanceof Uint8Array)) throw invalidArgument('bytes', 'a Uint8Array', bytes);
    // Another thread could change shared memory between the scan and the copy.
    const ownBytes = bytes.buffer instanceof ArrayBuffer ? bytes : Uint8Array.from(bytes);
    return callNative(() => this.#native.redactBytes(ownBytes)) ?? bytes;
  }

  /**
   * Returns where the secrets are, in order and without overlaps.
   *
   * @throws HandrailError `ERR_INVALID_ARGUMENT` when `text` is no string.
   * @example
   * ```ts
   * import { Redactor } from 'handrail';
   *
   * const [finding] = new Redactor().scan('password=hunter2');
   * console.log(finding?.start, finding?.end); // 9 16
   * ```
   */
  scan(text: string): readonly Finding[] {
    if (typeof text !== 'string') throw invalidArgument('text', 'a string', text);
    const foundMarks: Marks[] = [];
    this.#scan(text, (marks) => foundMarks.push(marks));
    return findingsOf(foundMarks, this.#native);
  }

  /**
   * Makes a stream that masks bytes as they arrive. It holds back only what may be the beginning of a secret; `end()`
   * returns the rest.
   *
   * @returns A new stream, for one input.
   * @example
   * ```ts
   * import { Redactor } from 'handrail';
   *
   * const stream = new Redactor().stream();
   * const parts = [stream.write('password=hun'), stream.write('ter2\n'), stream.end()];
   * console.log(Buffer.concat(parts).toString()); // password=[REDACTED]
   * ```
   */
  stream(): RedactionStream {
    return new NativeBackedStream(callNative(() => this.#native.stream()));
  }

  /**
   * Makes a web transform stream that masks, for `pipeThrough()`. It takes bytes and strings, and gives bytes.
   *
   * @returns A new stream, for one input. Input that it cannot take is an error of the stream.
   * @example
   * ```ts
   * import { Redactor } from 'handrail';
   *
   * const masked = new Blob(['password=hunter2']).stream().pipeThrough(new Redactor().transformStream());
   * console.log(await new Response(masked).text()); // password=[REDACTED]
   * ```
   */
  transformStream(): TransformStream<Uint8Array | string, Uint8Array> {
    const stream = this.stream();
    const enqueue = (controller: TransformStreamDefaultController<Uint8Array>, bytes: Uint8Array): void => {
      if (bytes.length > 0) controller.enqueue(bytes);
    };
    return new TransformStream<Uint8Array | string, Uint8Array>({
      transform(chunk, controller) {
        enqueue(controller, stream.write(chunk));
      },
      flush(controller) {
        enqueue(controller, stream.end());
      },
    });
  }

  /** Calls `use` with the marks of a text, in order. A long text is scanned in pieces that fit into the processor's cache. */
  #scan(text: string, use: (marks: Marks) => void): void {
    callNative(() => {
      if (text.length <= PIECE_UNITS) {
        const marks = this.#native.scan(text, text.length, false);
        if (marks !== null) use(marks);
        return;
      }
      for (const piece of piecesOf(text, text.length)) {
        const marks = this.#native.scan(piece, piece.length, true);
        if (marks !== null) use(marks);
      }
      const marks = this.#native.scan('', 0, false);
      if (marks !== null) use(marks);
    });
  }

  /**
   * The masked text, and how many secrets were in it.
   *
   * @internal
   */
  static redactAndCount(redactor: TextRedactor, text: string): { readonly text: string; readonly redactions: number } {
    let maskedText: MaskedText | undefined;
    redactor.#scan(text, (marks) => {
      maskedText ??= new MaskedText(text, redactor.#native);
      maskedText.add(marks);
    });
    return maskedText === undefined
      ? { text, redactions: 0 }
      : { text: maskedText.finish(), redactions: maskedText.secrets };
  }

  /**
   * The parts of a text that are joined by line ends: the text, masked, with the number of secrets in it, and each part as it is
   * masked there.
   *
   * @internal
   */
  static redactParts(
    redactor: TextRedactor,
    parts: readonly string[],
  ): { readonly text: string; readonly redactions: number; readonly parts: readonly string[] } {
    const text = parts.join('\n');
    const lists: Marks[] = [];
    redactor.#scan(text, (marks) => lists.push(marks));
    if (lists.length === 0) return { text, redactions: 0, parts };
    const masked = (part: string, marks: Marks): MaskedText => {
      const maskedText = new MaskedText(part, redactor.#native);
      maskedText.add(marks);
      return maskedText;
    };
    const marks = new MarksOfParts(lists);
    let start = 0;
    const maskedParts = parts.map((part) => {
      const end = start + part.length;
      const maskedPart = masked(part, marks.between(start, end)).finish();
      start = end + 1;
      return maskedPart;
    });
    const whole = masked(text, new MarksOfParts(lists).between(0, text.length));
    return { text: whole.finish(), redactions: whole.secrets, parts: maskedParts };
  }

  /**
   * How often a secret was added. Text that was masked when there were fewer has to be masked again.
   *
   * @internal
   */
  static addedSecretsOf(redactor: TextRedactor): number {
    return redactor.#addedSecrets;
  }

  /**
   * The redactor of the binding that an instance uses, for the terminal, which redacts natively.
   *
   * @internal
   */
  static nativeOf(redactor: TextRedactor): NativeRedactor {
    return redactor.#native;
  }

  /**
   * Whether `value` is a redactor of this copy of the package.
   *
   * @internal
   */
  static isRedactor(value: unknown): value is TextRedactor {
    return typeof value === 'object' && value !== null && #native in value;
  }
}
