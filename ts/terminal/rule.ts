import { type Checked, checkedOptions, list, textValue } from '../config/validate.js';
import type { NativeRule } from '../native/binding.js';
import { MAX_RULE_ARGUMENTS } from './limits.js';

/**
 * A program by name (`'git'`) or absolute path, or with the arguments it must begin with
 * (`{ program: 'git', args: ['status'] }`). In `allow` also a place beneath a root: `'.venv/bin/pytest'`, `'./gradlew'`,
 * `'./node_modules/.bin/*'` (every file of that folder), `'target/**'` (everything beneath it). A program at a place is
 * trusted as an interpreter is: neither its arguments nor its code are judged, and who may write there decides what runs.
 */
export type Rule =
  | string
  | {
      /** Name without a directory, absolute path, or place: a path beneath a root, whose last part may be `*` or `**`. */
      readonly program: string;
      /** What its arguments must begin with, up to 64. Default: any arguments will do. */
      readonly args?: readonly string[] | undefined;
    };

const CHECKS = { program: textValue, args: list(MAX_RULE_ARGUMENTS, textValue) };

/** A `Rule` that was checked. Undefined `args`: with any. */
export type CheckedRule = Checked<typeof CHECKS>;

/** Checks one entry of `allow`, `deny` or `ask`. */
export function ruleValue(value: unknown, name: string): CheckedRule {
  if (typeof value === 'string') {
    return Object.freeze({ program: textValue(value, name), args: undefined });
  }
  return checkedOptions(value, name, CHECKS, 'a program, or an object with `program`');
}

/** A rule in the form that the binding takes. */
export function nativeRule({ program, args }: CheckedRule): NativeRule {
  return { program, ...(args === undefined ? {} : { args: [...args] }) };
}
