import type {
  NativeBounded,
  NativeBounds,
  NativeChosen,
  NativeDocument,
  NativeRedactorOptions,
  NativeVerdict,
  TextBinding,
} from '../binding.js';
import { WasmInstance } from './instance.js';
import { WasmRedactor } from './redactor.js';
import type { WasmModule } from './web-assembly.js';

/** As `crates/wasm/src/text.rs` numbers them. */
const UNITS: readonly NativeBounds['unit'][] = ['bytes', 'chars', 'lines'];

/** The part of the binding that needs no machine, over a compiled module. */
export function wasmBinding(module: WasmModule): TextBinding {
  let instance: WasmInstance | undefined;
  /** What has stopped in the middle of a call is not used again; redactors in it are lost, new ones work. */
  const running = (): WasmInstance => {
    if (instance === undefined || instance.isBroken) instance = new WasmInstance(module);
    return instance;
  };
  return {
    NativeRedactor: class extends WasmRedactor {
      constructor(options: NativeRedactorOptions) {
        super(running(), options);
      }
    },
    sanitize: (bytes) => running().write(bytes).text('sanitize'),
    stripAnsi: (text) => running().writeText(text).text('strip_ansi'),
    truncateOutput: (text, maxChars) => running().writeText(text).text('truncate_output', maxChars),
    boundOutput: (text, { unit, head, tail, maxLineChars = 0 }) =>
      running().writeText(text).json<NativeBounded>('bound_output', UNITS.indexOf(unit), head, tail, maxLineChars),
    excerptOutput: (text, tokens) => running().writeText(text).json<NativeChosen>('excerpt_output', tokens),
    readToml: (text) => running().writeText(text).json<NativeDocument>('read_toml'),
    explain(question, redactor) {
      if (!(redactor instanceof WasmRedactor)) throw new TypeError('not a redactor of this binding');
      return JSON.parse(redactor.explain(question)) as NativeVerdict;
    },
  };
}
