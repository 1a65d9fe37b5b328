import { invalidArgument, optionsObject, textValue } from '../config/validate.js';
import { HandrailError } from '../errors.js';

/** How many rule files one redactor takes. */
export const MAX_RULE_FILES = 64;

/** The largest rule file, in bytes. */
export const MAX_RULE_FILE_BYTES = 4 * 1_024 * 1_024;

/**
 * Rules in the TOML format of gitleaks.
 *
 * A rule is matched line by line with its `id`, `regex`, `secretGroup`, `entropy`, `keywords` and allowlists
 * (`regexes`, `regexTarget`, `stopwords`, `condition`). Without `secretGroup` the first group that is not empty is
 * masked, or else the whole match. `[extend] disabledRules` switches built-in rules off when `useDefault = true` stands
 * beside it. Entries without a meaning for texts are left out: `paths` and `commits`, rules of paths alone, and rules
 * with `skipReport`. `redactor.ruleNotes` names the rules that were switched off or left out. `extend.path` and
 * `extend.url` are errors: give these files as well.
 *
 * Allowlists apply to the rules of their own file, never to built-in rules. A rule with the id of a built-in rule
 * applies in addition to it. Allowlists see lines without their line ends. An empty regular expression or stopword in
 * an allowlist is left out.
 *
 * The total size of all compiled regular expressions of a redactor is limited. The rule that exceeds the limit is an
 * error.
 */
export interface RuleFile {
  /** The name that messages use for the file, if it reads like a name. */
  readonly name: string;
  /** The text of the file. Up to 4 MiB. */
  readonly toml: string;
}

/** Checks an entry of `ruleFiles`. The message never shows its content. */
export function ruleFileValue(value: unknown, name: string): { name: string; toml: string } {
  const givenFields = optionsObject(value, name, ['name', 'toml'], 'a rule file with a name and its TOML');
  const { toml } = givenFields;
  if (typeof toml !== 'string') throw invalidArgument(`${name}.toml`, 'a string', toml);
  // The native part counts the bytes. A text with more UTF-16 units than accepted bytes is too large in any case.
  if (toml.length > MAX_RULE_FILE_BYTES) {
    throw new HandrailError('ERR_INVALID_RULE_FILE', `${name} has more than ${MAX_RULE_FILE_BYTES} bytes`);
  }
  return { name: textValue(givenFields['name'], `${name}.name`), toml };
}
