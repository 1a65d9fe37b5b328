import { parseArgs } from 'node:util';
import { nearest } from '../config/nearest.js';
import type { Command } from './command.js';
import { UsageError } from './usage-error.js';

/** What stood on a command line. */
export interface CommandLine {
  /** Names of the flags that were given. */
  readonly flags: ReadonlySet<string>;
  /** The values of each option that was given, in order. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** What is no option. */
  readonly words: readonly string[];
  /** What messages call an option that a variable or the settings file has given, by its name. */
  readonly sources: ReadonlyMap<string, string>;
}

/** Names that are repeated in a message: nothing that could disturb a terminal, and no secret that was given as one. */
const SHOWABLE = /^(?=.{1,24}$)-{0,2}[a-z]+(?:-[a-z]+)?$/;

/**
 * What stands before `--`, and before the program where `command` takes one: there, and only there,
 * are options of ours.
 */
export function ownArguments(args: readonly string[], command?: Command): readonly string[] {
  const end = command !== undefined && takesProgram(command) ? programIndex(args, command) : args.indexOf('--');
  return end < 0 ? args : args.slice(0, end);
}

function takesProgram({ operands }: Command): boolean {
  return operands?.completes === 'command';
}

/** Where the options end: at `--`, or at the first word that is neither an option nor the value of one. */
function programIndex(args: readonly string[], { options }: Command): number {
  const valued = new Set(options.filter(({ kind }) => kind !== 'flag').map(({ name }) => `--${name}`));
  return args.findIndex((arg, index) => {
    if (arg === '--') return true;
    return (!arg.startsWith('-') || arg === '-') && !valued.has(args[index - 1] ?? '');
  });
}

/**
 * Reads what stands after the name of `command`. Where it takes a program, everything from the program
 * on belongs to the program.
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
  const own = takesProgram(command) ? ownArguments(args, command) : args;
  // Not `strict`: its messages differ between releases of Node and take several lines.
  const { tokens } = parseArgs({ args: [...own], options, strict: false, allowPositionals: true, tokens: true });
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
  const program = args.slice(own.length);
  return {
    flags,
    values,
    words: [...words, ...(program[0] === '--' ? program.slice(1) : program)],
    sources: new Map(),
  };
}

/**
 * The entries of an option whose value is a list: `A,B`, with blanks around them left out.
 *
 * @throws UsageError for an empty one: `--deny "$A,$B"` without these variables must not deny nothing.
 */
export function listEntries(line: CommandLine, name: string): readonly string[] {
  const lists = line.values.get(name) ?? [];
  const entries = lists.flatMap((list) => list.split(',')).map((entry) => entry.trim());
  if (entries.includes('')) throw new UsageError(`${said(line, name)} has an empty entry`);
  return entries;
}

/** What messages call an option that was given. */
export function said(line: CommandLine, name: string): string {
  return line.sources.get(name) ?? `--${name}`;
}

/** The value of an option that was given, the last one when there are several. */
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

/** A value that begins with a dash is more likely the next option, unless `=` says otherwise. */
function optionValue({ name, value, inlineValue }: OptionToken): string {
  if (value === undefined || value === '' || (inlineValue !== true && value.startsWith('-'))) {
    throw new UsageError(`--${name} needs a value`);
  }
  return value;
}

function unknownOption(given: string, names: readonly string[]): UsageError {
  const meant = given.startsWith('--') ? nearest(given.slice(2), names) : undefined;
  const question = meant === undefined ? '' : `; did you mean --${meant}?`;
  return new UsageError(`there is no option ${shown(given)}${question}`);
}

/** `name` as it may stand in a message. */
export function shown(name: string): string {
  return SHOWABLE.test(name) ? name : 'of this name';
}
