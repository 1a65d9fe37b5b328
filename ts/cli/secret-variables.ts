import type { Environment } from '../config/host-environment.js';
import { Redactor } from '../redaction/redactor.js';
import { UsageError } from './usage-error.js';

/** What can be the name of a variable. */
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/** How names of variables are written. Everything else could be a value that stands in the wrong place. */
const USUAL_NAME = /^[A-Z_][A-Z0-9_]{0,63}$/;

/**
 * The values of the variables called `names`.
 *
 * @throws UsageError when one is not set, or empty. One that is not set is named only when it can be nothing but a name:
 * `--secret-env $TOKEN` in the place of `--secret-env TOKEN` gives a value.
 */
export function secretVariables(names: readonly string[], environment: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map((name, index) => {
      const value = NAME.test(name) && Object.hasOwn(environment, name) ? environment[name] : undefined;
      if (value === undefined) throw notSet(name, index);
      if (value === '') throw new UsageError(`--secret-env: the variable ${name} is empty`);
      return [name, value];
    }),
  );
}

function notSet(name: string, index: number): UsageError {
  const isName = USUAL_NAME.test(name) && new Redactor().scan(name).length === 0;
  return new UsageError(
    isName
      ? `--secret-env: the variable ${name} is not set`
      : `--secret-env entry ${index + 1} is not the name of a variable that is set; it takes names, not values`,
  );
}
