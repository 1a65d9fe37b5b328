import type { Environment } from '../config/host-environment.js';
import { nearest } from '../config/nearest.js';
import { UsageError } from './usage-error.js';

/** What can be the name of a variable. */
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/**
 * The values of the variables called `names`.
 *
 * @param option What messages call the option.
 * @throws UsageError when one is not set, or empty. What is not set is never repeated: `--secret-env $TOKEN` in the place
 * of `--secret-env TOKEN` gives a value.
 */
export function secretVariables(
  names: readonly string[],
  environment: Environment,
  option = '--secret-env',
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map((name, index) => {
      const value = NAME.test(name) && Object.hasOwn(environment, name) ? environment[name] : undefined;
      if (value === undefined) throw notSet(name, index, environment, option);
      if (value === '') throw new UsageError(`${option}: the variable ${name} is empty`);
      return [name, value];
    }),
  );
}

function notSet(name: string, index: number, environment: Environment, option: string): UsageError {
  const meant = nearest(name, Object.keys(environment));
  const advice = meant === undefined ? 'it takes names, not values' : `did you mean ${meant}?`;
  return new UsageError(`${option} entry ${index + 1} is not the name of a variable that is set; ${advice}`);
}
