/**
 * Where the module comes from: in browsers. The build puts the file for another kind of host in place of this one;
 * all of them have these two functions.
 */
import { type WasmModule, webAssembly } from '../native/wasm/web-assembly.js';

/** Undefined where the module cannot be had at once. */
export function compileNow(): WasmModule | undefined {
  return undefined;
}

export async function compileLater(): Promise<WasmModule> {
  // Written this way, bundlers take the file with them.
  const response = await fetch(new URL('./handrail.wasm', import.meta.url));
  if (!response.ok) throw new Error(`the server answers with status ${response.status}`);
  const isNamed = response.headers.get('content-type') === 'application/wasm';
  return isNamed ? webAssembly.compileStreaming(response) : webAssembly.compile(await response.arrayBuffer());
}
