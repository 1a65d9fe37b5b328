/**
 * Options that are not on the command line: what a variable of the environment says, else the settings file. What both leave open
 * has the default of the option.
 */
import path from 'node:path';
import { type Environment, hostEnvironment } from '../config/host-environment.js';
import { nearest } from '../config/nearest.js';
import { type CommandLine, lastValue, readArguments } from './arguments.js';
import type { Command, Option } from './command.js';
import { COMMANDS } from './command-table.js';
import { findSettingsFile, readSettingsFile, type SettingsFile } from './settings-file.js';
import { UsageError } from './usage-error.js';

/** What names of our variables begin with. */
const PREFIX = 'HANDRAIL_';

/** A command line with its settings. */
export interface SettledLine extends CommandLine {
  /** The settings file that was read, as messages call it. Undefined when there is none. */
  readonly file: string | undefined;
}

/** Options that variables and files can say too, each once. */
export const SETTINGS: readonly Option[] = settingsOf(COMMANDS);

/** `HANDRAIL_SECRET_ENV` for `secret-env`. */
export function variableOf(name: string): string {
  return `${PREFIX}${name.toUpperCase().replaceAll('-', '_')}`;
}

/**
 * Reads what stands after the name of `command`, and its settings.
 *
 * @param settings Those that are looked for. Default: the settings among the options of `command`.
 * @throws UsageError as `readArguments()`, and for a variable or a file that cannot be used.
 */
export function readSettled(
  args: readonly string[],
  command: Command,
  settings: readonly Option[] = command.options.filter(({ setting }) => setting !== undefined),
): SettledLine {
  const line = readArguments(args, command);
  const environment = hostEnvironment();
  checkNames(environment);
  const file = settingsFile(line, environment);
  const flags = new Set(line.flags);
  const values = new Map(line.values);
  const sources = new Map<string, string>();
  for (const option of settings) {
    const { name } = option;
    if (flags.has(name) || values.has(name)) continue;
    const given = fromEnvironment(option, environment) ?? fromFile(option, file);
    if (given === undefined) continue;
    sources.set(name, given.source);
    if (option.kind !== 'flag') values.set(name, given.values);
    else if (given.values[0] === 'true') flags.add(name);
  }
  return { flags, values, words: line.words, sources, file: file?.name };
}

/**
 * Refuses a variable whose name is a letter away from that of a setting: `HANDRAIL_DENNY` must not deny nothing. Other
 * names, such as the `HANDRAIL_PORT` of a service, are those of others.
 */
function checkNames(environment: Environment): void {
  const names = ['config', ...SETTINGS.map(({ name }) => name)].map(variableOf);
  for (const given of Object.keys(environment)) {
    if (!given.startsWith(PREFIX) || names.includes(given)) continue;
    const meant = nearest(given, names, 1);
    if (meant === undefined) continue;
    throw new UsageError(
      `there is no setting ${given.replace(/\p{C}/gu, '?')}; did you mean ${meant}?`,
      'ERR_INVALID_CONFIG',
    );
  }
}

interface Given {
  readonly values: readonly string[];
  /** What messages call it. */
  readonly source: string;
}

function settingsFile(line: CommandLine, environment: Environment): SettingsFile | undefined {
  const named = lastValue(line, 'config');
  if (line.flags.has('no-config')) {
    if (named !== undefined) throw new UsageError('--config and --no-config do not go together');
    return undefined;
  }
  const folder = workingFolder();
  if (folder === undefined) return undefined;
  const given = named ?? variable('config', environment);
  const file = given === undefined ? findSettingsFile(folder) : path.resolve(folder, given);
  return file === undefined ? undefined : readSettingsFile(file, SETTINGS, given !== undefined);
}

/** Undefined where somebody has removed it. */
function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

function variable(name: string, environment: Environment): string | undefined {
  const value = environment[variableOf(name)];
  // As of an option: `HANDRAIL_DENY="$LIST"` without this variable must not deny nothing.
  if (value === '') throw new UsageError(`${variableOf(name)} is empty`, 'ERR_INVALID_CONFIG');
  return value;
}

function fromEnvironment({ name, kind }: Option, environment: Environment): Given | undefined {
  const value = variable(name, environment);
  if (value === undefined) return undefined;
  const source = variableOf(name);
  if (kind === 'flag' && value !== 'true' && value !== 'false') {
    throw new UsageError(`${source} takes true or false`, 'ERR_INVALID_CONFIG');
  }
  return { values: [value], source };
}

function fromFile({ name, completes }: Option, file: SettingsFile | undefined): Given | undefined {
  const entry = file?.entries.get(name);
  if (file === undefined || entry === undefined) return undefined;
  const isPath = completes === 'files' || completes === 'folders';
  const values = isPath ? entry.values.map((value) => path.resolve(file.folder, value)) : entry.values;
  return { values, source: `${file.name}:${entry.line}: ${name}` };
}

function settingsOf(commands: readonly Command[]): readonly Option[] {
  const settings = commands.flatMap(({ options }) => options).filter(({ setting }) => setting !== undefined);
  return [...new Map(settings.map((option) => [option.name, option])).values()];
}
