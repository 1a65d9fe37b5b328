/**
 * Handrail in WASM: masking secrets, shortening outputs and judging commands, with the same results as the root entry.
 * For browsers, Cloudflare Workers, Deno, Bun and Node on any platform. Commands, sessions and files need the native
 * files, and are not in this entry.
 *
 * @module handrail/wasm
 */
export {
  HandrailError,
  type HandrailErrorCode,
  type HandrailErrorData,
  type HandrailErrorOptions,
  isHandrailError,
} from '../errors.js';
export type { Finding } from '../redaction/marks.js';
export {
  DEFAULT_MIN_SECRET_LENGTH,
  MAX_MIN_SECRET_LENGTH,
  MAX_PATTERN_CHARS,
  MAX_REDACTION_ENTRIES,
  type RedactorOptions,
} from '../redaction/options.js';
export { MAX_RULE_FILE_BYTES, MAX_RULE_FILES, type RuleFile } from '../redaction/rule-file.js';
export type { RedactionStream } from '../redaction/stream.js';
export {
  type BoundedText,
  type BoundOptions,
  boundOutput,
  type Excerpt,
  type ExcerptOptions,
  excerptOutput,
  MAX_OUTPUT_CHARS,
  sanitize,
  stripAnsi,
  truncateOutput,
} from '../redaction/text.js';
export { TextRedactor as Redactor } from '../redaction/text-redactor.js';
export type { Decision, Reason } from '../report/decision.js';
export { type ExplainOptions, explain } from '../terminal/explain.js';
export type { Rule } from '../terminal/rule.js';
export { ready, type WasmSource } from './ready.js';
