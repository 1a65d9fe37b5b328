import { HandrailError } from '../../errors.js';
import { jsonOf } from '../json.js';
import type { WasmModule } from './web-assembly.js';
import { webAssembly } from './web-assembly.js';

/** The exports of `crates/wasm`. A function takes numbers and the input, and returns what the output has. */
interface WasmExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  input(length: number): number;
  output(): number;
  output_length(): number;
  redactor_free(redactor: number): void;
  stream_free(stream: number): void;
  stream_findings(stream: number): number;
}

/** Calls of functions whose result is in the output. */
type Call =
  | ['version' | 'redactor_new' | 'sanitize' | 'strip_ansi' | 'read_toml' | 'read_rule_list']
  | ['redactor_notes' | 'redactor_add_secret' | 'redact_bytes' | 'stream_new' | 'explain', redactor: number]
  | ['scan', redactor: number, more: number]
  | ['mask' | 'rule', redactor: number, code: number]
  | ['stream_write' | 'stream_idle' | 'stream_end' | 'stream_counts', stream: number]
  | ['truncate_output', maxChars: number]
  | ['bound_output', unit: number, head: number, tail: number, maxLineChars: number]
  | ['fit_output']
  | ['excerpt_output', tokens: number];

/** The status of a call without a result. */
const NO_RESULT = 0;
/** The status of a call that failed. */
const FAILED = 2;
/** The largest input: the memory of a module cannot grow further. */
const MAX_INPUT_BYTES = 2 ** 31 - 1;
/** Most bytes that a UTF-16 unit takes in UTF-8. */
const BYTES_PER_UNIT = 3;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** An instance of the module. Its methods write the input, call a function, and read the result or throw its error. */
export class WasmInstance {
  readonly #exports: WasmExports;
  #broken = false;

  constructor(module: WasmModule) {
    this.#exports = new webAssembly.Instance(module).exports as WasmExports;
  }

  /** Whether it has stopped in the middle of a call, and cannot be used any more. */
  get isBroken(): boolean {
    return this.#broken;
  }

  /** The size of its memory, which never shrinks. */
  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Sets the input to `bytes`. */
  write(bytes: Uint8Array): this {
    this.#room(bytes.length).set(bytes);
    return this;
  }

  /** Sets the input to `text`, as UTF-8. An unpaired surrogate becomes U+FFFD. */
  writeText(text: string): this {
    const room = this.#room(text.length * BYTES_PER_UNIT);
    this.#room(encoder.encodeInto(text, room).written);
    return this;
  }

  /** Sets the input to `value`, as JSON. */
  writeJson(value: object): this {
    return this.writeText(jsonOf(value));
  }

  /** Calls a function. The result is a view of the module's memory that the next call overwrites; undefined for no result. */
  call(...[name, ...values]: Call): Uint8Array | undefined {
    const functions = this.#exports as unknown as Record<typeof name, (...numbers: number[]) => number>;
    const status = this.#guarded(() => functions[name](...values));
    if (status === NO_RESULT) return undefined;
    const result = this.#view(this.#exports.output(), this.#exports.output_length());
    if (status !== FAILED) return result;
    const { code, message } = JSON.parse(decoder.decode(result)) as { code: string; message: string };
    throw Object.assign(new Error(message), { code });
  }

  /** Calls a function, and copies the result. */
  bytes(...call: Call): Uint8Array {
    return this.call(...call)?.slice() ?? new Uint8Array(0);
  }

  text(...call: Call): string {
    return decoder.decode(this.call(...call));
  }

  json<Value>(...call: Call): Value {
    return JSON.parse(this.text(...call)) as Value;
  }

  /** Calls a function whose result is the number of a redactor or a stream. */
  handle(...call: Call): number {
    const [number = 0] = numbersIn(this.bytes(...call));
    return number;
  }

  /** Calls a function whose result is a list of numbers. */
  numbers(...call: Call): Uint32Array {
    return numbersIn(this.bytes(...call));
  }

  findings(stream: number): number {
    return this.#guarded(() => this.#exports.stream_findings(stream));
  }

  /** Frees a redactor or a stream. */
  free(kind: 'redactor' | 'stream', handle: number): void {
    if (!this.#broken) this.#guarded(() => this.#exports[`${kind}_free`](handle));
  }

  #room(length: number): Uint8Array {
    if (length > MAX_INPUT_BYTES) {
      throw new HandrailError('ERR_INVALID_ARGUMENT', `The WASM module takes texts of up to ${MAX_INPUT_BYTES} bytes`);
    }
    return this.#view(
      this.#guarded(() => this.#exports.input(length)),
      length,
    );
  }

  /** A new view each time, because memory that grows detaches older views. Addresses arrive signed, and are unsigned. */
  #view(start: number, length: number): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, start >>> 0, length >>> 0);
  }

  #guarded<Value>(work: () => Value): Value {
    if (this.#broken) throw new Error('the module has stopped in an earlier call');
    try {
      return work();
    } catch (error) {
      this.#broken = true;
      throw error;
    }
  }
}

function numbersIn(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / Uint32Array.BYTES_PER_ELEMENT);
}
