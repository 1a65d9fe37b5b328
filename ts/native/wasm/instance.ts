import { HandrailError } from '../../errors.js';
import { jsonOf } from '../json.js';
import type { WasmModule } from './web-assembly.js';
import { webAssembly } from './web-assembly.js';

/** What `crates/wasm` exports: a function takes numbers and what is in the input, and says what is in the output. */
interface WasmExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  input(length: number): number;
  output(): number;
  output_length(): number;
  redactor_free(redactor: number): void;
  stream_free(stream: number): void;
  stream_findings(stream: number): number;
}

/** Functions that leave something in the output. */
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

const NOTHING = 0;
const ERROR = 2;
/** More is no size of memory here. */
const MAX_INPUT_BYTES = 2 ** 31 - 1;
/** A unit of UTF-16 takes at most so many bytes as UTF-8. */
const BYTES_PER_UNIT = 3;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A running module, and the one way to call it: arguments in, result out, errors with their codes. */
export class WasmInstance {
  readonly #exports: WasmExports;
  #broken = false;

  constructor(module: WasmModule) {
    this.#exports = new webAssembly.Instance(module).exports as WasmExports;
  }

  /** Whether it stopped in the middle of a call: nothing in it can be relied on any more. */
  get isBroken(): boolean {
    return this.#broken;
  }

  /** It never becomes less. */
  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Makes `bytes` the input. */
  write(bytes: Uint8Array): this {
    this.#room(bytes.length).set(bytes);
    return this;
  }

  /** Makes `text` the input, as UTF-8; half a character becomes U+FFFD. */
  writeText(text: string): this {
    const room = this.#room(text.length * BYTES_PER_UNIT);
    this.#room(encoder.encodeInto(text, room).written);
    return this;
  }

  /** Makes `value` the input, as JSON. */
  writeJson(value: object): this {
    return this.writeText(jsonOf(value));
  }

  /** The result, in the module's memory until the next call; undefined for nothing. */
  call(...[name, ...values]: Call): Uint8Array | undefined {
    const functions = this.#exports as unknown as Record<typeof name, (...numbers: number[]) => number>;
    const status = this.#guarded(() => functions[name](...values));
    if (status === NOTHING) return undefined;
    const result = this.#view(this.#exports.output(), this.#exports.output_length());
    if (status !== ERROR) return result;
    const { code, message } = JSON.parse(decoder.decode(result)) as { code: string; message: string };
    throw Object.assign(new Error(message), { code });
  }

  /** The result as bytes of its own. */
  bytes(...call: Call): Uint8Array {
    return this.call(...call)?.slice() ?? new Uint8Array(0);
  }

  text(...call: Call): string {
    return decoder.decode(this.call(...call));
  }

  json<Value>(...call: Call): Value {
    return JSON.parse(this.text(...call)) as Value;
  }

  /** A number that stands for something in the module. */
  handle(...call: Call): number {
    const [number = 0] = numbersIn(this.bytes(...call));
    return number;
  }

  /** Those that the result is made of. */
  numbers(...call: Call): Uint32Array {
    return numbersIn(this.bytes(...call));
  }

  findings(stream: number): number {
    return this.#guarded(() => this.#exports.stream_findings(stream));
  }

  /** Gives back what `handle` stands for. */
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

  /** Made anew each time: memory that grows leaves older views empty. Numbers come with a sign, and have none. */
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
