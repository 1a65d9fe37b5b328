/** The part of the WebAssembly interface that is used. Neither the types of Node nor those of the compile target have it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array | ArrayBuffer) => WasmModule;
  readonly Instance: new (module: WasmModule) => { readonly exports: unknown };
  compile(bytes: Uint8Array | ArrayBuffer): Promise<WasmModule>;
  /** Compiles a module while it is fetched. The server has to send it with its media type. */
  compileStreaming(response: Response): Promise<WasmModule>;
}

/** A compiled module. */
export type WasmModule = object;

/** The WebAssembly interface of the host. */
export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;
