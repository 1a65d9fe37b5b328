import { invalidArgument } from '../config/validate.js';
import { HandrailError } from '../errors.js';
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
 * `ERR_INVALID_ARGUMENT` for a source that is no object.
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
  if (binding !== undefined) return;
  loading ??= load(source).finally(() => {
    loading = undefined;
  });
  await loading;
}

async function load(source: WasmSource | PromiseLike<WasmSource> | undefined): Promise<void> {
  try {
    binding ??= wasmBinding(source === undefined ? await compileLater() : await compiled(await source));
  } catch (cause) {
    throw missing('could not be loaded; its path is `handrail/wasm/handrail.wasm`', cause);
  }
}

async function compiled(source: WasmSource): Promise<WasmModule> {
  if (source instanceof ArrayBuffer || source instanceof Uint8Array) return webAssembly.compile(source);
  if ('arrayBuffer' in source && typeof source.arrayBuffer === 'function') {
    return webAssembly.compile(await source.arrayBuffer());
  }
  return source;
}

/** Takes the place of the root entry's: there the native files come first. */
export function textBinding(): TextBinding {
  if (binding !== undefined) return binding;
  let module: WasmModule | undefined;
  try {
    module = compileNow();
  } catch (cause) {
    throw missing('could not be loaded; its path is `handrail/wasm/handrail.wasm`', cause);
  }
  if (module === undefined) throw missing('is not loaded yet: call `await ready()` first', undefined);
  binding = wasmBinding(module);
  return binding;
}

function missing(what: string, cause: unknown): HandrailError {
  return new HandrailError('ERR_NATIVE_MISSING', `The WASM module of handrail ${what}`, { cause });
}
