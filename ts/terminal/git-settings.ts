import { HandrailError } from '../errors.js';

/**
 * Settings that keep git from running programs of a repository, where commands may have put them: a file system
 * monitor, hooks, programs as remote helpers, and a bare repository among the files. Drivers and aliases may have any
 * name, so they cannot be turned off here.
 */
function ownSettings(hooksPath: string | undefined): readonly (readonly [key: string, value: string])[] {
  return [
    ['core.fsmonitor', 'false'],
    ...(hooksPath === undefined ? [] : [['core.hooksPath', hooksPath] as const]),
    ['protocol.ext.allow', 'never'],
    ['safe.bareRepository', 'explicit'],
  ];
}

/** The folder of hooks in which there is none. */
export const NO_HOOKS = '/dev/null';

/** Most settings of git that a host may pass in its own environment variables. */
const MAX_HOST_SETTINGS = 99;

const COUNT_VARIABLE = 'GIT_CONFIG_COUNT';

/** Variables that name an editor. A command has no terminal to edit in: git would wait or fail. */
const EDITOR_VARIABLES: readonly string[] = ['GIT_EDITOR', 'GIT_SEQUENCE_EDITOR', 'VISUAL', 'EDITOR'];

/**
 * The variables that commands which name git see in addition to `variables`, or in place of them: settings in the form
 * in which git reads them, those of the host last, so that they win; and an editor that leaves every text as it is,
 * unless the host named one.
 *
 * @param hooksPath The folder of the hooks that run. Undefined: that of the repository.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` when the host's count is no number or above 99.
 */
export function gitVariables(
  variables: ReadonlyMap<string, string>,
  hooksPath: string | undefined,
): Map<string, string> {
  const settings = [...ownSettings(hooksPath), ...hostSettings(variables)];
  const result = new Map([[COUNT_VARIABLE, String(settings.length)]]);
  for (const [index, [key, value]] of settings.entries()) {
    result.set(`GIT_CONFIG_KEY_${index}`, key);
    result.set(`GIT_CONFIG_VALUE_${index}`, value);
  }
  // Otherwise `git status` refreshes the index too, and leaves a lock file where it may not remove one.
  result.set('GIT_OPTIONAL_LOCKS', '0');
  if (!EDITOR_VARIABLES.some((name) => variables.has(name))) {
    result.set('GIT_EDITOR', ':');
    result.set('GIT_SEQUENCE_EDITOR', ':');
  }
  return result;
}

function hostSettings(variables: ReadonlyMap<string, string>): (readonly [key: string, value: string])[] {
  const count = variables.get(COUNT_VARIABLE) ?? '0';
  if (!/^\d{1,2}$/.test(count)) {
    throw new HandrailError(
      'ERR_INVALID_ARGUMENT',
      `Expected \`${COUNT_VARIABLE}\` to be a number up to ${MAX_HOST_SETTINGS}`,
      {
        data: { name: COUNT_VARIABLE },
      },
    );
  }
  return Array.from({ length: Number(count) }, (_, index) => [
    // git refuses a setting without a name.
    variables.get(`GIT_CONFIG_KEY_${index}`) ?? '',
    variables.get(`GIT_CONFIG_VALUE_${index}`) ?? '',
  ]);
}
