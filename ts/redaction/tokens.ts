import { loadNative } from '../native/loader.js';
import { callNative } from '../native/unwrap.js';

/** The estimated number of tokens of a text, as `ExcerptOptions.tokens` counts them. */
export function estimateTokens(text: string): number {
  return callNative(() => loadNative().binding.estimateTokens(text));
}
