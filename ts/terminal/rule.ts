import { listOption, optionsObject, textValue } from '../config/validate.js';
import type { NativeRule } from '../native/binding.js';
import { MAX_RULE_ARGUMENTS } from './limits.js';

/**
 * A program by name (`'git'`) or absolute path, or with the arguments it must begin with
 * (`{ program: 'git', args: ['status'] }`).
 */
export type Rule =
  | string
  | {
      /** Name without a directory, or absolute path. */
      readonly program: string;
      /** What its arguments must begin with, up to 64. Default: any arguments will do. */
      readonly args?: readonly string[] | undefined;
    };

export interface CheckedRule {
  readonly program: string;
  readonly args: readonly string[] | undefined;
}

/** One entry of `allow` or `deny`. */
export function ruleValue(value: unknown, name: string): CheckedRule {
  if (typeof value === 'string') {
    return Object.freeze({ program: textValue(value, name), args: undefined });
  }
  const given = optionsObject(value, name, ['program', 'args'], 'a program, or an object with `program`');
  return Object.freeze({
    program: textValue(given['program'], `${name}.program`),
    args: listOption(given['args'], `${name}.args`, MAX_RULE_ARGUMENTS, textValue),
  });
}

/** As the binding takes it. */
export function nativeRule({ program, args }: CheckedRule): NativeRule {
  return { program, ...(args === undefined ? {} : { args: [...args] }) };
}
