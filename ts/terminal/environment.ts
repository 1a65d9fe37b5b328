import type { Environment } from '../config/host-environment.js';
import { booleanOption, checkedOptions, invalidArgument, list, listOption, textValue } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import type { NativeVariable } from '../native/binding.js';
import { gitVariables, NO_HOOKS } from './git-settings.js';
import { MAX_ENVIRONMENT_ENTRIES } from './limits.js';

/**
 * The variables that a command sees in addition to the fixed ones, which are `LANG`, `LC_ALL`, `TERM`, `NO_COLOR`,
 * `PAGER`, `GIT_PAGER`, `GIT_TERMINAL_PROMPT`, `DEBIAN_FRONTEND` and `CI`; to a `PATH` with the folders in which
 * programs are found; to those that say where a tool chain of the host lies, such as `RUSTUP_HOME`; and to a `HOME` and
 * a `TMPDIR` that are private and new for each run. All of them can be set here as well; `PATH` then decides where
 * programs are found.
 */
export interface EnvironmentOptions {
  /** Names of the host's variables that commands see unchanged. Up to 512. Default: none. */
  readonly inherit?: readonly string[] | undefined;
  /** Variables set for every command. Wins over `inherit`. Up to 512. Default: none. */
  readonly set?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether commands get who the user is for git, and where packages come from: a `.gitconfig` in the private home with
   * `user.name`, `user.email`, `init.defaultBranch` and `core.autocrlf`; the registries and proxies of npm, pip, uv,
   * cargo and go; `TZ`. All of it without users and passwords in addresses, and without tokens. Default: true.
   */
  readonly identity?: boolean | undefined;
}

/** The variables every command starts with; nothing of the host is among them. */
const FIXED_VARIABLES: Readonly<Record<string, string>> = Object.freeze({
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
  CI: '1',
});

/** Variables that the engine sets for each run to a private empty folder, unless the host sets them. */
const PRIVATE_FOLDER_VARIABLES: readonly string[] = ['HOME', 'TMPDIR'];

/** The variables that the engine sets for every command, whatever the host's own are. */
const ENGINE_VARIABLES: readonly string[] = [...PRIVATE_FOLDER_VARIABLES, 'PATH'];

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Names that messages may repeat. Others could be a secret that was given in place of a name. */
const SHOWABLE_NAME = /^[A-Z_]{1,40}$/;

/** The environment of every command of a terminal. */
export interface ChildEnvironment {
  /** Sorted by name. HOME and TMPDIR are missing when the engine makes private ones. */
  readonly variables: readonly NativeVariable[];
  /** The variables that commands which name git see in addition, or in place of others. Sorted by name. */
  readonly git: readonly NativeVariable[];
  /** Whether commands get a private empty home. */
  readonly privateHome: boolean;
  /** Names of the host's variables that commands do not see, sorted. Their values are not kept. */
  readonly withheld: readonly string[];
}

/** Variables that a command gets of the host without being named: those of `hostVariables`. */
export type HostVariables = Iterable<readonly [name: string, value: string]>;

/** The fixed variables, then `ofHost`, then those that the host lets through, then `wayOut`, then those that the host sets. */
function variablesOf(
  { inherit = [], set = {} }: EnvironmentOptions,
  host: Environment,
  ofHost: HostVariables,
  wayOut: HostVariables,
): Map<string, string> {
  const variables = new Map<string, string>([...Object.entries(FIXED_VARIABLES), ...ofHost]);
  for (const name of inherit) {
    const value = host[name];
    if (value !== undefined) variables.set(name, value);
  }
  for (const [name, value] of wayOut) variables.set(name, value);
  for (const [name, value] of Object.entries(set)) variables.set(name, value);
  return variables;
}

/** The environment of one program in the form that the binding takes: `NAME=value`, joined by NUL. */
export function joinedEnvironment(
  options: EnvironmentOptions,
  host: Environment,
  ofHost: HostVariables,
  hooksPath: string | undefined,
  wayOut: HostVariables = [],
) {
  const variables = variablesOf(options, host, ofHost, wayOut);
  const joined = (entries: ReadonlyMap<string, string>): string =>
    [...entries].map(([name, value]) => `${name}=${value}`).join('\0');
  return {
    env: joined(variables),
    gitEnv: joined(gitVariables(variables, hooksPath)),
    privateHome: !variables.has('HOME'),
  };
}

/**
 * The environment of every command of a terminal.
 *
 * @param hooksPath The folder of the hooks of git that run. Null: that of the repository. Default: none run.
 * @param wayOut The variables about the way out of their network. Default: none.
 */
export function childEnvironment(
  options: EnvironmentOptions,
  host: Environment,
  ofHost: HostVariables = [],
  hooksPath: string | null = NO_HOOKS,
  wayOut: HostVariables = [],
): ChildEnvironment {
  const variables = variablesOf(options, host, ofHost, wayOut);
  // It decides the search path, and commands get that.
  variables.delete('PATH');
  const withheld = Object.keys(host).filter((name) => !variables.has(name) && !ENGINE_VARIABLES.includes(name));
  return Object.freeze({
    variables: sorted(variables),
    git: sorted(gitVariables(variables, hooksPath ?? undefined)),
    privateHome: !variables.has('HOME'),
    withheld: Object.freeze(withheld.sort()),
  });
}

/** Names of the variables that every command finds, or those among them that name git. */
export function variableNames(): string[] {
  const fixed = new Map(Object.entries(FIXED_VARIABLES));
  return [...new Set([...fixed.keys(), ...gitVariables(fixed, NO_HOOKS).keys(), ...ENGINE_VARIABLES])];
}

function sorted(variables: ReadonlyMap<string, string>): readonly NativeVariable[] {
  return Object.freeze([...variables].sort(byName).map(([name, value]) => Object.freeze({ name, value })));
}

function byName([left]: [string, string], [right]: [string, string]): number {
  return left < right ? -1 : 1;
}

/** Checks `env`. */
export function environmentOption(value: unknown = {}): EnvironmentOptions {
  return checkedOptions(value, 'env', {
    inherit: list(MAX_ENVIRONMENT_ENTRIES, nameValue),
    set: setOption,
    identity: identityOption,
  });
}

function nameValue(value: unknown, name: string): string {
  const text = textValue(value, name);
  if (!VARIABLE_NAME.test(text)) {
    throw new HandrailError(
      'ERR_INVALID_ARGUMENT',
      `Expected \`${name}\` to be the name of a variable (letters, digits and _)`,
      { data: { name } },
    );
  }
  return text;
}

function identityOption(value: unknown, name: string): boolean {
  return booleanOption(value, name, true);
}

function setOption(value: unknown): Readonly<Record<string, string>> | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidArgument('env.set', 'an object of names and values', value);
  }
  const entries = Object.entries(value);
  listOption(entries, 'env.set', MAX_ENVIRONMENT_ENTRIES, (entry) => entry);
  for (const [index, [name, text]] of entries.entries()) {
    nameValue(name, 'env.set key');
    if (typeof text !== 'string' || text.includes('\0')) {
      const shownName = SHOWABLE_NAME.test(name) ? `env.set.${name}` : `env.set[${index}]`;
      throw invalidArgument(shownName, 'a string without NUL characters', text);
    }
  }
  return Object.freeze(Object.fromEntries(entries)) as Readonly<Record<string, string>>;
}

/** Variables that name the socket of a program of the user. */
const SOCKET_VARIABLES: readonly string[] = [
  'SSH_AUTH_SOCK',
  'DOCKER_HOST',
  'CONTAINER_HOST',
  'DBUS_SESSION_BUS_ADDRESS',
  'TMUX',
];
/** The path in such a value: `/a`, `unix:///a`, `unix:path=/a,guid=1`, `/a,1,0`. */
const SOCKET_PATH = /^(?:unix:(?:\/\/|path=))?(\/[^,;]+)/;

/** The paths of sockets that variables name. */
export function namedSockets(variables: readonly { readonly name: string; readonly value: string }[]): string[] {
  const named = variables.filter(({ name }) => SOCKET_VARIABLES.includes(name));
  return named.flatMap(({ value }) => SOCKET_PATH.exec(value)?.[1] ?? []);
}
