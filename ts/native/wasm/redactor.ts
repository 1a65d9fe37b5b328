import type { NativeRedactor, NativeRedactStream } from '../binding.js';
import type { Decision, Json, Question, RedactorOptions } from '../reports.js';
import type { WasmInstance } from './instance.js';

/** Most bytes that the module gets at once. Its memory grows with its input, and never shrinks. */
const PIECE_BYTES = 1 << 20;

/** Frees redactors and streams that are unreachable, in hosts that report this. */
const finalizers =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<() => void>((release) => {
        release();
      });

/** A redactor in the WASM module. */
export class WasmRedactor implements NativeRedactor {
  readonly #instance: WasmInstance;
  readonly #handle: number;

  constructor(instance: WasmInstance, options: Json<RedactorOptions>) {
    this.#instance = instance;
    const handle = instance.writeText(options).handle('redactor_new');
    this.#handle = handle;
    finalizers?.register(this, () => {
      instance.free('redactor', handle);
    });
  }

  get isLost(): boolean {
    return this.#instance.isBroken;
  }

  ruleNotes(): string[] {
    return this.#instance.json('redactor_notes', this.#handle);
  }

  addSecret(name: string, value: string): void {
    this.#instance.writeJson({ name, value }).call('redactor_add_secret', this.#handle);
  }

  redactBytes(bytes: Uint8Array): Uint8Array | null {
    if (bytes.length > PIECE_BYTES) return this.#redactPieces(bytes);
    return this.#instance.write(bytes).call('redact_bytes', this.#handle)?.slice() ?? null;
  }

  /** Masks a long input in pieces. The output of a stream does not depend on how its input is cut. */
  #redactPieces(bytes: Uint8Array): Uint8Array | null {
    const stream = new WasmRedactStream(this.#instance, this.#handle);
    const masked = new GrowingBuffer(bytes.length);
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      stream.writeInto(masked, bytes.subarray(start, start + PIECE_BYTES));
    }
    masked.add(stream.end());
    return stream.findings() === 0 ? null : masked.finish();
  }

  scan(piece: string, _length: number, more: boolean): Uint32Array | null {
    const marks = this.#instance.writeText(piece).numbers('scan', this.#handle, more ? 1 : 0);
    return marks.length === 0 ? null : marks;
  }

  mask(code: number): string {
    return this.#instance.text('mask', this.#handle, code);
  }

  rule(code: number): string {
    return this.#instance.text('rule', this.#handle, code);
  }

  stream(): NativeRedactStream {
    return new WasmRedactStream(this.#instance, this.#handle);
  }

  explain(question: Json<Question>): Json<Decision> {
    return this.#instance.writeText(question).text('explain', this.#handle);
  }
}

type Count = { readonly rule: string; readonly count: number };

/** A redaction stream in the WASM module. */
class WasmRedactStream implements NativeRedactStream {
  readonly #instance: WasmInstance;
  readonly #handle: number;
  /** The final counts, once the stream has ended. */
  #finalCounts: { readonly findings: number; readonly counts: Count[] } | undefined;

  constructor(instance: WasmInstance, redactor: number) {
    this.#instance = instance;
    const handle = instance.handle('stream_new', redactor);
    this.#handle = handle;
    finalizers?.register(
      this,
      () => {
        instance.free('stream', handle);
      },
      this,
    );
  }

  write(bytes: Uint8Array): Uint8Array {
    if (bytes.length <= PIECE_BYTES) return this.#instance.write(bytes).bytes('stream_write', this.#handle);
    const masked = new GrowingBuffer(bytes.length);
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      this.writeInto(masked, bytes.subarray(start, start + PIECE_BYTES));
    }
    return masked.finish();
  }

  writeInto(masked: GrowingBuffer, piece: Uint8Array): void {
    masked.add(this.#instance.write(piece).call('stream_write', this.#handle));
  }

  writeText(text: string): Uint8Array {
    return this.#instance.writeText(text).bytes('stream_write', this.#handle);
  }

  idle(): Uint8Array {
    return this.#instance.bytes('stream_idle', this.#handle);
  }

  end(): Uint8Array {
    const rest = this.#instance.bytes('stream_end', this.#handle);
    this.#finalCounts = { findings: this.findings(), counts: this.counts() };
    finalizers?.unregister(this);
    this.#instance.free('stream', this.#handle);
    return rest;
  }

  findings(): number {
    return this.#finalCounts?.findings ?? this.#instance.findings(this.#handle);
  }

  counts(): Count[] {
    if (this.#finalCounts !== undefined) return this.#finalCounts.counts;
    const counts = this.#instance.json<[rule: string, count: number][]>('stream_counts', this.#handle);
    return counts.map(([rule, count]) => ({ rule, count }));
  }
}

/** Concatenated bytes, in a buffer of the expected size that grows if there are more. */
class GrowingBuffer {
  #bytes: Uint8Array;
  #length = 0;

  constructor(expected: number) {
    this.#bytes = new Uint8Array(expected);
  }

  add(part: Uint8Array = new Uint8Array(0)): void {
    const length = this.#length + part.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(length + (length >> 2));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(part, this.#length);
    this.#length = length;
  }

  finish(): Uint8Array {
    return this.#bytes.length === this.#length ? this.#bytes : this.#bytes.slice(0, this.#length);
  }
}
