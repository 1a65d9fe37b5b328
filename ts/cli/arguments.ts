import { parseArgs } from 'node:util';
import { nearest } from '../config/nearest.js';
import type { Command } from './command.js';
import { UsageError } from './usage-error.js';

/** A command line that was read. */
export interface CommandLine {
  /** Names of the flags that were given. */
  readonly flags: ReadonlySet<string>;
  /** The values of each option that was given, in order. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** The words that are neither options nor their values. */
  readonly words: readonly string[];
  /** Where an option comes from that a variable or the settings file has set, by its name. */
  readonly sources: ReadonlyMap<string, OptionSource>;
}

/** Where an option was set that is not on the command line. */
export interface OptionSource {
  /** The variable, or the settings file with its line. */
  readonly place: string;
  /** The name of the option in messages: with the place. */
  readonly label: string;
}

/** Names that messages may repeat. Others could disturb a terminal, or be a secret that was given in place of a name. */
const SHOWABLE_NAME = /^(?=.{1,24}$)-{0,2}[a-z]+(?:-[a-z]+)?$/;

/**
 * The arguments that may hold options of ours: those before `--`, and before the program where `command` takes one.
 */
export function ownArguments(args: readonly string[], command?: Command): readonly string[] {
  const end = command !== undefined && takesProgram(command) ? programIndex(args, command) : args.indexOf('--');
  return end < 0 ? args : args.slice(0, end);
}

function takesProgram({ operands }: Command): boolean {
  return operands?.completes === 'command';
}

/** The index at which the options end: at `--`, or at the first word that is neither an option nor a value of one. */
function programIndex(args: readonly string[], { options }: Command): number {
  const valued = new Set(options.filter(({ kind }) => kind !== 'flag').map(({ name }) => `--${name}`));
  return args.findIndex((arg, index) => {
    if (arg === '--') return true;
    return (!arg.startsWith('-') || arg === '-') && !valued.has(args[index - 1] ?? '');
  });
}

/**
 * Reads the arguments after the name of `command`. Where the command takes a program, everything from the program on
 * belongs to that program.
 *
 * @throws UsageError for an unknown option, or a missing value.
 */
export function readArguments(args: readonly string[], command: Command): CommandLine {
  const kinds = new Map(command.options.map(({ name, kind }) => [name, kind]));
  const options = Object.fromEntries(
    command.options.map(({ name, kind, short }) => [
      name,
      { type: kind === 'flag' ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) } as const,
    ]),
  );
  const ownArgs = takesProgram(command) ? ownArguments(args, command) : args;
  // Without `strict`, whose messages differ between releases of Node and take several lines.
  const { tokens } = parseArgs({ args: [...ownArgs], options, strict: false, allowPositionals: true, tokens: true });
  const flags = new Set<string>();
  const values = new Map<string, string[]>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const kind = kinds.get(token.name);
    if (kind === undefined) throw unknownOption(token.rawName, [...kinds.keys()]);
    if (kind === 'flag') flags.add(flagName(token));
    else values.set(token.name, [...(values.get(token.name) ?? []), optionValue(token)]);
  }
  const program = args.slice(ownArgs.length);
  return {
    flags,
    values,
    words: [...words, ...(program[0] === '--' ? program.slice(1) : program)],
    sources: new Map(),
  };
}

/**
 * The entries of an option whose value is a list such as `A,B`, without spaces around them.
 *
 * @throws UsageError for an empty entry: `--deny "$A,$B"` must fail when these variables are not set.
 */
export function listEntries(line: CommandLine, name: string): readonly string[] {
  const lists = line.values.get(name) ?? [];
  const entries = lists.flatMap((list) => list.split(',')).map((entry) => entry.trim());
  if (entries.includes('')) throw new UsageError(`${optionLabel(line, name)} has an empty entry`);
  return entries;
}

/** The name of an option in messages. */
export function optionLabel(line: CommandLine, name: string): string {
  return line.sources.get(name)?.label ?? `--${name}`;
}

/** The value of an option, the last one when it was given several times. */
export function lastValue(line: CommandLine, name: string): string | undefined {
  return line.values.get(name)?.at(-1);
}

interface OptionToken {
  readonly name: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function flagName({ name, value }: OptionToken): string {
  if (value === undefined) return name;
  throw new UsageError(`--${name} takes no value`);
}

/** The value of an option. A value that begins with a dash is taken for the next option, unless it is given with `=`. */
function optionValue({ name, value, inlineValue }: OptionToken): string {
  if (value === undefined || value === '' || (inlineValue !== true && value.startsWith('-'))) {
    throw new UsageError(`--${name} needs a value`);
  }
  return value;
}

function unknownOption(typedName: string, names: readonly string[]): UsageError {
  const probableName = typedName.startsWith('--') ? nearest(typedName.slice(2), names) : undefined;
  const question = probableName === undefined ? '' : `; did you mean --${probableName}?`;
  return new UsageError(`there is no option ${showableName(typedName)}${question}`);
}

/** The name in a form that a message may repeat. */
export function showableName(name: string): string {
  return SHOWABLE_NAME.test(name) ? name : 'of this name';
}
