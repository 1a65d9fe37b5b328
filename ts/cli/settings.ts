/**
 * Options that are not on the command line come from an environment variable, else from the settings file, else they
 * have their default.
 */
import path from 'node:path';
import { type Environment, hostEnvironment } from '../config/host-environment.js';
import { nearest } from '../config/nearest.js';
import { type CommandLine, lastValue, type OptionSource, readArguments } from './arguments.js';
import type { Command, Option } from './command.js';
import { COMMANDS } from './command-table.js';
import { findSettingsFile, readSettingsFile, type SettingsFile } from './settings-file.js';
import { UsageError } from './usage-error.js';

/** The prefix of our environment variables. */
const VARIABLE_PREFIX = 'HANDRAIL_';

/** A command line with its settings. */
export interface LineWithSettings extends CommandLine {
  /** The name of the settings file that was read, for messages. Undefined when there is none. */
  readonly file: string | undefined;
}

/** The options that variables and settings files can set too, each once. */
export const SETTINGS: readonly Option[] = settingsOf(COMMANDS);

/** The variable of an option, such as `HANDRAIL_SECRET_ENV` for `secret-env`. */
export function variableOf(name: string): string {
  return `${VARIABLE_PREFIX}${name.toUpperCase().replaceAll('-', '_')}`;
}

/**
 * Reads the arguments after the name of `command`, and its settings.
 *
 * @param settings The settings to read. Default: those among the options of `command`.
 * @throws UsageError as `readArguments()`, and for a variable or a file that cannot be used.
 */
export function readLineWithSettings(
  args: readonly string[],
  command: Command,
  settings: readonly Option[] = command.options.filter(({ setting }) => setting !== undefined),
): LineWithSettings {
  const line = readArguments(args, command);
  const environment = hostEnvironment();
  checkVariableNames(environment);
  const file = settingsFile(line, environment);
  const flags = new Set(line.flags);
  const values = new Map(line.values);
  const sources = new Map<string, OptionSource>();
  for (const option of settings) {
    const { name } = option;
    if (flags.has(name) || values.has(name)) continue;
    const layer = (spelling: string) => layerOf(spelling, line, environment);
    if (option.alternative !== undefined && layer(option.alternative) < layer(name)) continue;
    const setting = fromEnvironment(option, environment) ?? fromFile(option, file);
    if (setting === undefined) continue;
    sources.set(name, setting.source);
    if (option.kind !== 'flag') values.set(name, setting.values);
    else if (setting.values[0] === 'true') flags.add(name);
  }
  return { flags, values, words: line.words, sources, file: file?.name };
}

/**
 * Refuses a variable whose name differs from that of a setting by one letter: `HANDRAIL_DENNY` must not be ignored.
 * Other names, such as `HANDRAIL_PORT`, may belong to other programs.
 */
function checkVariableNames(environment: Environment): void {
  const names = ['config', ...SETTINGS.map(({ name }) => name)].map(variableOf);
  for (const variableName of Object.keys(environment)) {
    if (!variableName.startsWith(VARIABLE_PREFIX) || names.includes(variableName)) continue;
    const probableName = nearest(variableName, names, 1);
    if (probableName === undefined) continue;
    throw new UsageError(
      `there is no setting ${variableName.replace(/\p{C}/gu, '?')}; did you mean ${probableName}?`,
      'ERR_INVALID_CONFIG',
    );
  }
}

/** How far from the command line a setting is set: on it, by a variable, or in the file at most. */
function layerOf(name: string, { flags, values }: CommandLine, environment: Environment): number {
  if (flags.has(name) || values.has(name)) return 0;
  return variableValue(name, environment) === undefined ? 2 : 1;
}

interface SettingValue {
  readonly values: readonly string[];
  readonly source: OptionSource;
}

function settingsFile(line: CommandLine, environment: Environment): SettingsFile | undefined {
  const namedFile = lastValue(line, 'config');
  if (line.flags.has('no-config')) {
    if (namedFile !== undefined) throw new UsageError('--config and --no-config do not go together');
    return undefined;
  }
  const folder = workingFolder();
  if (folder === undefined) return undefined;
  const givenPath = namedFile ?? variableValue('config', environment);
  const file = givenPath === undefined ? findSettingsFile(folder) : path.resolve(folder, givenPath);
  return file === undefined ? undefined : readSettingsFile(file, SETTINGS, givenPath !== undefined);
}

/** The working directory. Undefined when it was removed. */
function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

function variableValue(name: string, environment: Environment): string | undefined {
  const value = environment[variableOf(name)];
  // As for an option: `HANDRAIL_DENY="$LIST"` must fail when this variable is not set.
  if (value === '') throw new UsageError(`${variableOf(name)} is empty`, 'ERR_INVALID_CONFIG');
  return value;
}

function fromEnvironment({ name, kind }: Option, environment: Environment): SettingValue | undefined {
  const value = variableValue(name, environment);
  if (value === undefined) return undefined;
  const source = variableOf(name);
  if (kind === 'flag' && value !== 'true' && value !== 'false') {
    throw new UsageError(`${source} takes true or false`, 'ERR_INVALID_CONFIG');
  }
  return { values: [value], source: { place: source, label: source } };
}

function fromFile({ name, completes }: Option, file: SettingsFile | undefined): SettingValue | undefined {
  const entry = file?.entries.get(name);
  if (file === undefined || entry === undefined) return undefined;
  const isPath = completes === 'files' || completes === 'folders';
  const values = isPath ? entry.values.map((value) => path.resolve(file.folder, value)) : entry.values;
  const place = `${file.name}:${entry.line}`;
  return { values, source: { place, label: `${place}: ${name}` } };
}

function settingsOf(commands: readonly Command[]): readonly Option[] {
  const settings = commands.flatMap(({ options }) => options).filter(({ setting }) => setting !== undefined);
  return [...new Map(settings.map((option) => [option.name, option])).values()];
}
