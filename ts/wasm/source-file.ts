/** The source of the module in Node and Bun: a file. */
import { readFileSync } from 'node:fs';

import { type WasmModule, webAssembly } from '../native/wasm/web-assembly.js';

const FILE = new URL('./handrail.wasm', import.meta.url);

export function compileNow(): WasmModule | undefined {
  return new webAssembly.Module(readFileSync(FILE));
}

export function compileLater(): Promise<WasmModule> {
  return webAssembly.compile(readFileSync(FILE));
}
