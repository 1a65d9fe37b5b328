/** The published WASM module, where it could be built. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { GET_TARGET, wasmFile } from '../../scripts/lib/wasm.mjs';

export type WasmApi = typeof import('../../ts/wasm/index.js');

export const HAS_WASM = existsSync(wasmFile);

/** The title of a test that needs the module. Without the module it says that the test is skipped, and how to build the module. */
export const wasmTitle = (title: string): string =>
  HAS_WASM ? title : `${title} (skipped: no WASM module; ${GET_TARGET})`;

/** Defines tests that need the module. Without it they are skipped; with HANDRAIL_REQUIRE_WASM=1 its absence is a failure. */
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

/** Imports the entry for a kind of host. */
export async function wasmApi(host = 'node'): Promise<WasmApi> {
  return (await import(pathToFileURL(path.join(path.dirname(wasmFile), `${host}.js`)).href)) as WasmApi;
}
