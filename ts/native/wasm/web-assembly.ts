/** The part of WebAssembly's interface that is used. Neither Node's types nor those of this project's target have it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array | ArrayBuffer) => WasmModule;
  readonly Instance: new (module: WasmModule) => { readonly exports: unknown };
  compile(bytes: Uint8Array | ArrayBuffer): Promise<WasmModule>;
  /** Compiles while it is fetched, what a server calls by its type. */
  compileStreaming(response: Response): Promise<WasmModule>;
}

/** A compiled module. */
export type WasmModule = object;

/** The host's. */
export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;
