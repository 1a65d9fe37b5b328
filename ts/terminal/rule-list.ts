import type { NativeRuleList } from '../native/binding.js';
import { read } from '../native/json.js';
import { textBinding } from '../native/text-binding.js';
import { callNative } from '../native/unwrap.js';

/**
 * The rules of a list as a person types it, each as its words: `ls,npm test` is `[['ls'], ['npm', 'test']]`. Words are
 * quoted as in a shell; a comma within quotes belongs to its word. Or what is wrong with the list, to be read after its
 * name.
 */
export function readRuleList(list: string): NativeRuleList {
  return read(callNative(() => textBinding().readRuleList(list)));
}
