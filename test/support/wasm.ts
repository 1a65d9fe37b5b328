/** The WASM module as it is published, where it could be built. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { GET_TARGET, wasmFile } from '../../scripts/lib/wasm.mjs';

export type WasmApi = typeof import('../../ts/wasm/index.js');

export const HAS_WASM = existsSync(wasmFile);

/** What a test that needs the module is called: where there is none it says that it is skipped, and what to do. */
export const wasmTitle = (title: string): string =>
  HAS_WASM ? title : `${title} (skipped: no WASM module; ${GET_TARGET})`;

/** Tests that need the module. Where there is none, they say so; where there has to be one, they fail. */
export function describeWithWasm(title: string, define: (api: () => WasmApi) => void): void {
  if (process.env['HANDRAIL_REQUIRE_WASM'] === '1') {
    it('there is a WASM module, as HANDRAIL_REQUIRE_WASM says', () => {
      expect(HAS_WASM).toBe(true);
    });
  }
  describe.skipIf(!HAS_WASM)(wasmTitle(title), () => {
    let api: WasmApi;
    beforeAll(async () => {
      api = await wasmApi();
    });
    define(() => api);
  });
}

/** The entry of a kind of host. */
export async function wasmApi(host = 'node'): Promise<WasmApi> {
  return (await import(pathToFileURL(path.join(path.dirname(wasmFile), `${host}.js`)).href)) as WasmApi;
}
