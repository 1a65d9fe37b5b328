/**
 * The source of the module in browsers: a request to the server. For other hosts the build replaces this file with
 * another one that has the same two functions.
 */
import { type WasmModule, webAssembly } from '../native/wasm/web-assembly.js';

/** Undefined where the module cannot be loaded synchronously. */
export function compileNow(): WasmModule | undefined {
  return undefined;
}

export async function compileLater(): Promise<WasmModule> {
  // Bundlers recognise this form and include the file.
  const response = await fetch(new URL('./handrail.wasm', import.meta.url));
  if (!response.ok) throw new Error(`the server answers with status ${response.status}`);
  const isNamed = response.headers.get('content-type') === 'application/wasm';
  return isNamed ? webAssembly.compileStreaming(response) : webAssembly.compile(await response.arrayBuffer());
}
