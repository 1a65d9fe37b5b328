import { readFileSync } from 'node:fs';
import path from 'node:path';

import { isWithoutNative } from '../errors.js';
import type { TextBinding } from './binding.js';
import { ownPackage } from './installation.js';
import { loadNative } from './loader.js';
import { wasmBinding } from './wasm/binding.js';
import { webAssembly } from './wasm/web-assembly.js';

/** The path of the WASM module in this package. */
const WASM_FILE = ['dist', 'wasm', 'handrail.wasm'];

let loaded: TextBinding | undefined;

/**
 * The functions for redaction, texts and judgement. They are those of the native files or, where this machine has none, those
 * of the WASM module, which give the same results.
 *
 * @throws HandrailError the error of `loadNative`, when the module is missing too, or when there are native files of another
 * release.
 */
export function textBinding(): TextBinding {
  loaded ??= findTextBinding(() => loadNative().binding, path.join(ownPackage(), ...WASM_FILE));
  return loaded;
}

/** The same with a given search, for tests. */
export function findTextBinding(native: () => TextBinding, wasmFile: string): TextBinding {
  try {
    return native();
  } catch (error) {
    const binding = isWithoutNative(error) ? wasmBindingIn(wasmFile) : undefined;
    if (binding === undefined) throw error;
    return binding;
  }
}

/** Undefined when the file is missing, unreadable or damaged, and where WebAssembly is switched off. */
function wasmBindingIn(file: string): TextBinding | undefined {
  try {
    return wasmBinding(new webAssembly.Module(readFileSync(file)));
  } catch {
    return undefined;
  }
}
