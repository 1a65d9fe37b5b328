import { invalidArgument } from '../config/validate.js';
import { HandrailError, isHandrailError } from '../errors.js';
import type { TextBinding } from '../native/binding.js';
import { wasmBinding } from '../native/wasm/binding.js';
import { type WasmModule, webAssembly } from '../native/wasm/web-assembly.js';
import { compileLater, compileNow } from './source.js';

/**
 * The WASM module: compiled (`WebAssembly.Module`), as bytes (`ArrayBuffer` or `Uint8Array`), or as a `Response` with
 * the bytes.
 */
export type WasmSource = object;

let binding: TextBinding | undefined;
let loading: Promise<void> | undefined;

/**
 * Loads the WASM module. In browsers, where it has to be fetched, nothing works before this has settled. Node, Deno,
 * Bun and Cloudflare Workers otherwise load it on first use. Further calls wait for the same loading.
 *
 * @param source The module. Default: the file of the package, `handrail/wasm/handrail.wasm`.
 * @throws HandrailError `ERR_NATIVE_MISSING` when the module cannot be loaded; the next call tries again.
 * `ERR_NATIVE_VERSION` when it is of another release, `ERR_INVALID_ARGUMENT` for a source that is no object. The error
 * of a promise that is given as source.
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
  // The given promise is awaited in any case: otherwise its failure would be lost.
  const givenSource = await source;
  if (binding !== undefined) return;
  loading ??= load(givenSource).finally(() => {
    loading = undefined;
  });
  await loading;
}

async function load(source: WasmSource | undefined): Promise<void> {
  const loaded = await loadBinding(() => (source === undefined ? compileLater() : compileSource(source)));
  // A caller that did not wait may have loaded it meanwhile.
  binding ??= loaded;
}

async function loadBinding(compile: () => Promise<WasmModule>): Promise<TextBinding> {
  try {
    return wasmBinding(await compile());
  } catch (cause) {
    throw loadError(cause);
  }
}

async function compileSource(source: WasmSource): Promise<WasmModule> {
  if (isBytes(source)) return webAssembly.compile(source);
  if ('arrayBuffer' in source && typeof source.arrayBuffer === 'function') {
    return webAssembly.compile(await source.arrayBuffer());
  }
  return source;
}

/** Whether `source` has bytes, also when it comes from another realm, such as a frame. */
function isBytes(source: object): source is ArrayBuffer | Uint8Array {
  return ArrayBuffer.isView(source) || Object.prototype.toString.call(source) === '[object ArrayBuffer]';
}

/** Replaces the function of the same name in the root entry, which prefers the native files. */
export function textBinding(): TextBinding {
  if (binding !== undefined) return binding;
  try {
    const module = compileNow();
    if (module !== undefined) binding = wasmBinding(module);
  } catch (cause) {
    throw loadError(cause);
  }
  if (binding === undefined) throw missingModuleError('is not loaded yet: call `await ready()` first', undefined);
  return binding;
}

function loadError(cause: unknown): HandrailError {
  if (isHandrailError(cause)) return cause;
  return missingModuleError('could not be loaded; its path is `handrail/wasm/handrail.wasm`', cause);
}

function missingModuleError(problem: string, cause: unknown): HandrailError {
  return new HandrailError('ERR_NATIVE_MISSING', `The WASM module of handrail ${problem}`, { cause });
}
