import {
  booleanOption,
  checkedOptions,
  integer,
  invalidArgument,
  list,
  listOption,
  textValue,
} from '../config/validate.js';
import type { NativeRedactorOptions } from '../native/binding.js';
import { MAX_RULE_FILES, type RuleFile, ruleFileValue } from './rule-file.js';

/** Most known values, most substrings and most patterns of one redactor. */
export const MAX_REDACTION_ENTRIES = 1_000;

/** Longest pattern, in UTF-16 units. */
export const MAX_PATTERN_CHARS = 4_096;

/** Default of `minSecretLength`, in characters. */
export const DEFAULT_MIN_SECRET_LENGTH = 6;

/** The largest `minSecretLength`, in characters. */
export const MAX_MIN_SECRET_LENGTH = 1_024;

/** What a `Redactor` searches for. Every part is optional. Without options only the built-in rules apply. */
export interface RedactorOptions {
  /**
   * Values that must never be shown, also in their base64, URL-encoded, JSON, XML, shell-escaped
   * and hexadecimal forms.
   * As a record, the key is the name used in findings and labels. Up to 1,000. Default: none.
   */
  readonly secrets?: Readonly<Record<string, string>> | readonly string[] | undefined;
  /** Texts that are masked wherever they occur, whatever their length. Up to 1,000. Default: none. */
  readonly substrings?: readonly string[] | undefined;
  /**
   * Regular expressions in the syntax of Rust's `regex` crate (linear time; no look-around, no
   * back-references), matched within one line. The whole match is masked. Up to 1,000, of 4,096
   * characters each. Default: none.
   */
  readonly patterns?: readonly string[] | undefined;
  /** Which built-in rules apply: all, none, or those with these ids. Default: `'default'`. */
  readonly rules?: 'default' | 'none' | readonly string[] | undefined;
  /**
   * Your own rules, in the TOML format of gitleaks; `readRuleFile` reads a file. They are added to the built-in rules.
   * A file switches built-in rules off only with `disabledRules` and `useDefault = true`. Up to 64 files with 10,000
   * rules together; see `RuleFile`. Default: none.
   */
  readonly ruleFiles?: readonly RuleFile[] | undefined;
  /**
   * A known value with fewer characters is refused, because masking it wherever it occurs would garble texts. Default:
   * 6. Range: 1 to 1,024.
   */
  readonly minSecretLength?: number | undefined;
  /** Whether masks are `[REDACTED:rule-id]` instead of `[REDACTED]`. Default: false. */
  readonly label?: boolean | undefined;
}

const MIN_LENGTH_RANGE = { min: 1, max: MAX_MIN_SECRET_LENGTH, unit: 'characters' };

const CHECKS = {
  secrets: secretsOption,
  substrings: list(MAX_REDACTION_ENTRIES, textValue),
  patterns: list(MAX_REDACTION_ENTRIES, patternValue),
  rules: rulesOption,
  ruleFiles: list(MAX_RULE_FILES, ruleFileValue),
  minSecretLength: integer(MIN_LENGTH_RANGE, DEFAULT_MIN_SECRET_LENGTH),
  label: (value: unknown, name: string) => booleanOption(value, name, false),
};

/** Checks the options and returns them in the form that the binding takes. */
export function nativeRedactorOptions(options: unknown): NativeRedactorOptions {
  const {
    substrings = [],
    patterns = [],
    ruleFiles = [],
    rules,
    ...others
  } = checkedOptions(options, 'options', CHECKS);
  return { ...others, ...rules, substrings: [...substrings], patterns: [...patterns], ruleFiles: [...ruleFiles] };
}

function secretsOption(value: unknown): { name: string; value: string }[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) {
    const values = listOption(value, 'secrets', MAX_REDACTION_ENTRIES, secretValue) ?? [];
    return values.map((secret, index) => ({ name: `secret-${index + 1}`, value: secret }));
  }
  if (typeof value !== 'object' || value === null) {
    throw invalidArgument('secrets', 'an object of names and values, or an array of values', value);
  }
  // Messages name the values by position, because a name may be confidential too.
  const entries = Object.entries(value);
  listOption(entries, 'secrets', MAX_REDACTION_ENTRIES, (entry) => entry);
  return entries.map(([name, secret], index) => ({
    name,
    value: secretValue(secret, `secrets[${index}]`),
  }));
}

/** Checks a known value. The message never shows it. */
export function secretValue(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') {
    throw invalidArgument(name, 'a string that is not empty', value);
  }
  return value;
}

function patternValue(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_PATTERN_CHARS) {
    throw invalidArgument(name, `a pattern of 1 to ${MAX_PATTERN_CHARS} characters`, value);
  }
  return value;
}

function rulesOption(value: unknown): Pick<NativeRedactorOptions, 'rules' | 'ruleIds'> {
  if (value === undefined || value === 'default') return { rules: 'default' };
  if (value === 'none') return { rules: 'none' };
  if (!Array.isArray(value)) {
    throw invalidArgument('rules', "'default', 'none' or an array of rule ids", value);
  }
  const ids = listOption(value, 'rules', MAX_REDACTION_ENTRIES, textValue) ?? [];
  return { rules: 'only', ruleIds: [...ids] };
}
