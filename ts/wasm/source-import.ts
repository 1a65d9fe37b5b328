/** Where the module comes from: of an import, which Cloudflare Workers and Deno compile before the program starts. */

import type { WasmModule } from '../native/wasm/web-assembly.js';
import module from './handrail.wasm';

export function compileNow(): WasmModule | undefined {
  return module;
}

export function compileLater(): Promise<WasmModule> {
  return Promise.resolve(module);
}
