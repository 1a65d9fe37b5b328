import { invalidArgument, optionsObject, textValue } from '../config/validate.js';
import { HandrailError } from '../errors.js';

/** How many rule files one redactor takes. */
export const MAX_RULE_FILES = 64;

/** The largest rule file, in bytes. */
export const MAX_RULE_FILE_BYTES = 4 * 1_024 * 1_024;

/**
 * Rules in the TOML format of gitleaks.
 *
 * A rule is found in one line at a time, as `id`, `regex`, `secretGroup`, `entropy`, `keywords` and
 * its allowlists (`regexes`, `regexTarget`, `stopwords`, `condition`) say; without `secretGroup`
 * the first group that holds something is masked, or the whole match. `[extend] disabledRules`
 * switches built-in rules off when `useDefault = true` stands beside it; `redactor.ruleNotes` says
 * which. What means nothing for a text is left out: `paths` and `commits`,
 * rules of paths alone, rules with `skipReport`. `redactor.ruleNotes` says which rules that
 * concerns. `extend.path` and `extend.url` are errors: give these files as well.
 *
 * Allowlists let through what rules of their own file match, never what a built-in rule finds. A
 * rule with the id of a built-in one applies beside it. What an allowlist looks at, a line as well,
 * has no line end, and an empty regular expression or stopword in one is left out.
 *
 * What all regular expressions of a redactor may take together is limited: the rule that passes that
 * is an error.
 */
export interface RuleFile {
  /** The name that messages use for the file, if it reads like a name. */
  readonly name: string;
  /** The text of the file. Up to 4 MiB. */
  readonly toml: string;
}

/** One entry of `ruleFiles`; a message about it never shows what is in it. */
export function ruleFileValue(value: unknown, name: string): { name: string; toml: string } {
  const given = optionsObject(value, name, ['name', 'toml'], 'a rule file with a name and its TOML');
  const { toml } = given;
  if (typeof toml !== 'string') throw invalidArgument(`${name}.toml`, 'a string', toml);
  // Bytes are counted natively. A text with more units than bytes are accepted need not cross.
  if (toml.length > MAX_RULE_FILE_BYTES) {
    throw new HandrailError('ERR_INVALID_RULE_FILE', `${name} has more than ${MAX_RULE_FILE_BYTES} bytes`);
  }
  return { name: textValue(given['name'], `${name}.name`), toml };
}
