import { HandrailError } from '../../errors.js';
import { VERSION } from '../../version.js';
import type { NativeTextBounds, TextBinding } from '../binding.js';
import { read } from '../json.js';
import type { Json, RedactorOptions } from '../reports.js';
import { WasmInstance } from './instance.js';
import { WasmRedactor } from './redactor.js';
import type { WasmModule } from './web-assembly.js';

/** The units of texts, by their numbers in `crates/wasm/src/text.rs`. */
const UNITS: readonly NativeTextBounds['unit'][] = ['bytes', 'chars', 'lines'];

/** Most memory of an instance that is used again. An instance that has grown further is dropped with its memory. */
const MAX_REUSED_MEMORY_BYTES = 64 * 1_024 * 1_024;

/**
 * The binding over a compiled WASM module. Redactors have an instance of their own, so that an instance that stops in the middle
 * of a text loses none of them.
 *
 * @throws HandrailError `ERR_NATIVE_VERSION` for a module of another release.
 */
export function wasmBinding(module: WasmModule): TextBinding {
  let redacting = new WasmInstance(module);
  assertRelease(redacting.text('version'));
  /** An instance that works. After one has stopped, its redactors are lost, and new ones are made in another. */
  const forRedactors = (): WasmInstance => {
    if (redacting.isBroken) redacting = new WasmInstance(module);
    return redacting;
  };
  let reading: WasmInstance | undefined;
  const forTexts = (): WasmInstance => {
    if (reading === undefined || reading.isBroken || reading.memoryBytes > MAX_REUSED_MEMORY_BYTES) {
      reading = new WasmInstance(module);
    }
    return reading;
  };
  return {
    NativeRedactor: class extends WasmRedactor {
      constructor(options: Json<RedactorOptions>) {
        super(forRedactors(), options);
      }
    },
    sanitize: (bytes) => forTexts().write(bytes).text('sanitize'),
    stripAnsi: (text) => forTexts().writeText(text).text('strip_ansi'),
    truncateOutput: (text, maxChars) => forTexts().writeText(text).text('truncate_output', maxChars),
    boundOutput(text, bounds) {
      const { unit, head, tail, maxLineChars = 0 } = read(bounds);
      return forTexts().writeText(text).text('bound_output', UNITS.indexOf(unit), head, tail, maxLineChars);
    },
    fitOutput: (reading) => forTexts().writeText(reading).text('fit_output'),
    excerptOutput: (text, tokens) => forTexts().writeText(text).text('excerpt_output', tokens),
    readRuleList: (list) => forTexts().writeText(list).text('read_rule_list'),
    readToml: (text) => forTexts().writeText(text).text('read_toml'),
    explain(question, redactor) {
      if (!(redactor instanceof WasmRedactor)) throw new TypeError('not a redactor of this binding');
      return redactor.explain(question);
    },
  };
}

function assertRelease(found: string): void {
  if (found === VERSION) return;
  throw new HandrailError(
    'ERR_NATIVE_VERSION',
    `The WASM module is of release ${found}, handrail is ${VERSION}; they must be equal`,
    { data: { expected: VERSION, found } },
  );
}
