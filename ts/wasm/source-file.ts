/** Where the module comes from: of a file, in Node and Bun. */
import { readFileSync } from 'node:fs';

import { type WasmModule, webAssembly } from '../native/wasm/web-assembly.js';

const FILE = new URL('./handrail.wasm', import.meta.url);

export function compileNow(): WasmModule | undefined {
  return new webAssembly.Module(readFileSync(FILE));
}

export function compileLater(): Promise<WasmModule> {
  return webAssembly.compile(readFileSync(FILE));
}
