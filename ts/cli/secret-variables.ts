import type { Environment } from '../config/host-environment.js';
import { nearest } from '../config/nearest.js';
import { UsageError } from './usage-error.js';

/**
 * Names that an error repeats: capital letters in words of a usual length, after the first with a digit or two. Values
 * that somebody gave in place of a name (`--secret-env $TOKEN`) look different: they have small letters, digits among
 * the letters, or no words.
 */
const SHOWABLE_VARIABLE = /^[A-Z]{2,14}(?:_[A-Z]{1,14}\d{0,2}){0,5}$/;

/** Accepted names of variables. */
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/**
 * The values of the variables with these names.
 *
 * @param option The name of the option in messages.
 * @throws UsageError when a variable is not set, or empty. The message repeats a name that is not set only where it
 * cannot be taken for a value: it is a secret when somebody wrote `--secret-env $TOKEN` for `--secret-env TOKEN`.
 */
export function secretVariables(
  names: readonly string[],
  environment: Environment,
  option = '--secret-env',
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map((name, index) => {
      const value = VARIABLE_NAME.test(name) && Object.hasOwn(environment, name) ? environment[name] : undefined;
      if (value === undefined) throw notSetError(name, index, environment, option);
      if (value === '') throw new UsageError(`${option}: the variable ${name} is empty`);
      return [name, value];
    }),
  );
}

function notSetError(name: string, index: number, environment: Environment, option: string): UsageError {
  const probableName = nearest(name, Object.keys(environment));
  const question = probableName === undefined ? undefined : `did you mean ${probableName}?`;
  const isValue = Object.values(environment).includes(name);
  if (SHOWABLE_VARIABLE.test(name) && !isValue) {
    return new UsageError(`${option}: the variable ${name} is not set; ${question ?? 'is it exported?'}`);
  }
  const advice = question ?? 'it takes names, not values';
  return new UsageError(`${option} entry ${index + 1} is not the name of a variable that is set; ${advice}`);
}
