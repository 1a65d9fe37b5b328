import type { Environment } from '../config/host-environment.js';
import { nearest } from '../config/nearest.js';
import { UsageError } from './usage-error.js';

/** Accepted names of variables. */
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/**
 * The values of the variables with these names.
 *
 * @param option The name of the option in messages.
 * @throws UsageError when a variable is not set, or empty. The message does not repeat a name that is not set: it is a
 * secret when somebody wrote `--secret-env $TOKEN` for `--secret-env TOKEN`.
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
  const advice = probableName === undefined ? 'it takes names, not values' : `did you mean ${probableName}?`;
  return new UsageError(`${option} entry ${index + 1} is not the name of a variable that is set; ${advice}`);
}
