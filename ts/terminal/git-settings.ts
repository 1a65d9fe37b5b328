import { HandrailError } from '../errors.js';

/**
 * Settings that make git run what lies in a repository, where commands may have put it: a monitor, hooks, remote
 * helpers that are programs, and a whole repository made of plain files. Names of drivers and aliases are free, so none
 * of those can be turned off here.
 */
export const GIT_SETTINGS: readonly (readonly [key: string, value: string])[] = Object.freeze([
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['protocol.ext.allow', 'never'],
  ['safe.bareRepository', 'explicit'],
]);

/** Settings that a host may pass in the same way. */
const MAX_HOST_SETTINGS = 99;

const COUNT = 'GIT_CONFIG_COUNT';

/**
 * Adds the settings as git reads them from the environment. Those of the host come behind and win.
 *
 * @throws HandrailError `ERR_INVALID_ARGUMENT` when the host's count is no number or above 99.
 */
export function addGitSettings(variables: Map<string, string>): void {
  const hosts = hostSettings(variables);
  for (const [index, [key, value]] of [...GIT_SETTINGS, ...hosts].entries()) {
    assign(variables, `GIT_CONFIG_KEY_${index}`, key);
    assign(variables, `GIT_CONFIG_VALUE_${index}`, value);
  }
  variables.set(COUNT, String(GIT_SETTINGS.length + hosts.length));
}

/** What is missing stays missing: git names it. */
function hostSettings(variables: ReadonlyMap<string, string>): (readonly [string | undefined, string | undefined])[] {
  const count = variables.get(COUNT) ?? '0';
  if (!/^\d{1,2}$/.test(count)) {
    throw new HandrailError('ERR_INVALID_ARGUMENT', `Expected \`${COUNT}\` to be a number up to ${MAX_HOST_SETTINGS}`, {
      data: { name: COUNT },
    });
  }
  return Array.from({ length: Number(count) }, (_, index) => [
    variables.get(`GIT_CONFIG_KEY_${index}`),
    variables.get(`GIT_CONFIG_VALUE_${index}`),
  ]);
}

function assign(variables: Map<string, string>, name: string, value: string | undefined): void {
  if (value === undefined) variables.delete(name);
  else variables.set(name, value);
}
