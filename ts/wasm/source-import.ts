/** The source of the module in Cloudflare Workers and Deno: an import, which they compile before the program starts. */

import type { WasmModule } from '../native/wasm/web-assembly.js';
import module from './handrail.wasm';

export function compileNow(): WasmModule | undefined {
  return module;
}

export function compileLater(): Promise<WasmModule> {
  return Promise.resolve(module);
}
