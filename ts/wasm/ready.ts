import { invalidArgument } from '../config/validate.js';
import { HandrailError, isHandrailError } from '../errors.js';
import type { TextBinding } from '../native/binding.js';
import { wasmBinding } from '../native/wasm/binding.js';
import { type WasmModule, webAssembly } from '../native/wasm/web-assembly.js';
import { compileLater, compileNow } from './source.js';

/** The module: compiled (`WebAssembly.Module`), its bytes (`ArrayBuffer` or `Uint8Array`), or a `Response` that has them. */
export type WasmSource = object;

let binding: TextBinding | undefined;
let loading: Promise<void> | undefined;

/**
 * Loads the WASM module. Where it must be fetched, in browsers, nothing works before this has settled; Node, Deno, Bun and
 * Cloudflare Workers load it on first use, and this does it earlier. Calls after the first one wait for the same.
 *
 * @param source Where to take the module from. Default: the file of the package, `handrail/wasm/handrail.wasm`.
 * @throws HandrailError `ERR_NATIVE_MISSING` when the module cannot be loaded; the next call tries again.
 * `ERR_NATIVE_VERSION` when it is of another release, `ERR_INVALID_ARGUMENT` for a source that is no object. What a promise of a
 * source fails with.
 * @example
 * ```ts
 * import { ready, Redactor } from 'handrail/wasm';
 *
 * await ready();
 * console.log(new Redactor().redact('password=hunter2')); // password=[REDACTED]
 * ```
 */
export async function ready(source?: WasmSource | PromiseLike<WasmSource>): Promise<void> {
  if (source !== undefined && (typeof source !== 'object' || source === null)) {
    throw invalidArgument('source', 'a WebAssembly.Module, its bytes or a Response', source);
  }
  // What was given is waited for in any case: nobody else would hear that it failed.
  const given = await source;
  if (binding !== undefined) return;
  loading ??= load(given).finally(() => {
    loading = undefined;
  });
  await loading;
}

async function load(source: WasmSource | undefined): Promise<void> {
  const loaded = await made(() => (source === undefined ? compileLater() : compiled(source)));
  // Whoever did not wait may have loaded it meanwhile.
  binding ??= loaded;
}

async function made(compile: () => Promise<WasmModule>): Promise<TextBinding> {
  try {
    return wasmBinding(await compile());
  } catch (cause) {
    throw notLoaded(cause);
  }
}

async function compiled(source: WasmSource): Promise<WasmModule> {
  if (isBytes(source)) return webAssembly.compile(source);
  if ('arrayBuffer' in source && typeof source.arrayBuffer === 'function') {
    return webAssembly.compile(await source.arrayBuffer());
  }
  return source;
}

/** Of any realm: a frame has an `ArrayBuffer` of its own. */
function isBytes(source: object): source is ArrayBuffer | Uint8Array {
  return ArrayBuffer.isView(source) || Object.prototype.toString.call(source) === '[object ArrayBuffer]';
}

/** Takes the place of the root entry's: there the native files come first. */
export function textBinding(): TextBinding {
  if (binding !== undefined) return binding;
  try {
    const module = compileNow();
    if (module !== undefined) binding = wasmBinding(module);
  } catch (cause) {
    throw notLoaded(cause);
  }
  if (binding === undefined) throw missing('is not loaded yet: call `await ready()` first', undefined);
  return binding;
}

function notLoaded(cause: unknown): HandrailError {
  if (isHandrailError(cause)) return cause;
  return missing('could not be loaded; its path is `handrail/wasm/handrail.wasm`', cause);
}

function missing(what: string, cause: unknown): HandrailError {
  return new HandrailError('ERR_NATIVE_MISSING', `The WASM module of handrail ${what}`, { cause });
}
