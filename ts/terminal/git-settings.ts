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

/** Variables that name an editor. A command has no terminal to edit in: git would wait, or fail. */
const EDITORS: readonly string[] = ['GIT_EDITOR', 'GIT_SEQUENCE_EDITOR', 'VISUAL', 'EDITOR'];

/**
 * What commands that name git see beside `variables`, or in their place: the settings as git reads them from the
 * environment, those of the host behind and winning; and for an editor one that keeps the text, unless the host named one.
 *
 * @throws HandrailError `ERR_INVALID_ARGUMENT` when the host's count is no number or above 99.
 */
export function gitVariables(variables: ReadonlyMap<string, string>): Map<string, string> {
  const hosts = hostSettings(variables);
  const own = new Map([[COUNT, String(GIT_SETTINGS.length + hosts.length)]]);
  for (const [index, [key, value]] of [...GIT_SETTINGS, ...hosts].entries()) {
    own.set(`GIT_CONFIG_KEY_${index}`, key);
    own.set(`GIT_CONFIG_VALUE_${index}`, value);
  }
  // `git status` would refresh the index beside what it was asked for, and leave a lock where it may not remove one.
  own.set('GIT_OPTIONAL_LOCKS', '0');
  if (!EDITORS.some((name) => variables.has(name))) {
    own.set('GIT_EDITOR', ':');
    own.set('GIT_SEQUENCE_EDITOR', ':');
  }
  return own;
}

function hostSettings(variables: ReadonlyMap<string, string>): (readonly [key: string, value: string])[] {
  const count = variables.get(COUNT) ?? '0';
  if (!/^\d{1,2}$/.test(count)) {
    throw new HandrailError('ERR_INVALID_ARGUMENT', `Expected \`${COUNT}\` to be a number up to ${MAX_HOST_SETTINGS}`, {
      data: { name: COUNT },
    });
  }
  return Array.from({ length: Number(count) }, (_, index) => [
    // git refuses a setting without a name.
    variables.get(`GIT_CONFIG_KEY_${index}`) ?? '',
    variables.get(`GIT_CONFIG_VALUE_${index}`) ?? '',
  ]);
}
