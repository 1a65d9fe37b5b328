import { readFileSync } from 'node:fs';
import path from 'node:path';

import { isWithoutNative } from '../errors.js';
import type { TextBinding } from './binding.js';
import { ownPackage } from './installation.js';
import { loadNative } from './loader.js';
import { wasmBinding } from './wasm/binding.js';
import { webAssembly } from './wasm/web-assembly.js';

/** Where the build puts the module. */
const WASM_FILE = ['dist', 'wasm', 'handrail.wasm'];

let loaded: TextBinding | undefined;

/**
 * Redaction, texts and judgement: of the native files, or where there are none for this machine of the WASM module, which
 * gives the same results.
 *
 * @throws HandrailError what `loadNative` throws, when the module is missing as well or the native files are there and are
 * of another release.
 */
export function textBinding(): TextBinding {
  loaded ??= findTextBinding(() => loadNative().binding, path.join(ownPackage(), ...WASM_FILE));
  return loaded;
}

/** The same with a search of its own, for tests. */
export function findTextBinding(native: () => TextBinding, wasmFile: string): TextBinding {
  try {
    return native();
  } catch (error) {
    const binding = isWithoutNative(error) ? wasmIn(wasmFile) : undefined;
    if (binding === undefined) throw error;
    return binding;
  }
}

/** Undefined for a file that is not there, may not be read or is damaged, and where WebAssembly is switched off. */
function wasmIn(file: string): TextBinding | undefined {
  try {
    return wasmBinding(new webAssembly.Module(readFileSync(file)));
  } catch {
    return undefined;
  }
}
