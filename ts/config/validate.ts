import { HandrailError } from '../errors.js';
import { probableName } from './nearest.js';

/**
 * Checks for options and arguments. Every message names the option, the expected value, and the type of the given
 * value. It shows the value itself only where that cannot be a secret.
 */

/** Options with every default filled in. */
export type Filled<Options> = { readonly [Key in keyof Options]-?: Exclude<Options[Key], undefined> };

/** Values that messages may show as mistyped names of an enumeration. */
const SHOWABLE_NAME = /^[a-z][a-z-]{0,23}$/;

/** Keys that messages may show: the name of every option consists of letters. */
const SHOWABLE_KEY = /^[A-Za-z]{1,24}$/;

/** A description such as `-1 (number)`, `a string` or `null`, which helps to find the mistake and never shows a secret. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'undefined';
  if (Array.isArray(value)) return 'an array';
  switch (typeof value) {
    case 'number':
    case 'boolean':
      return `\`${String(value)}\` (${typeof value})`;
    case 'bigint':
      return 'a bigint';
    case 'object':
      return 'an object';
    default:
      return `a ${typeof value}`;
  }
}

/** The error every check below throws. */
export function invalidArgument(name: string, expected: string, value: unknown): HandrailError {
  return new HandrailError(
    'ERR_INVALID_ARGUMENT',
    `Expected \`${name}\` to be ${expected}, got ${describeValue(value)}`,
    { data: { name } },
  );
}

/**
 * Checks that a value is an object without other keys than `known`. Unknown keys are errors, never ignored.
 *
 * @param expected The expected value in words. Default: an object.
 */
export function optionsObject(
  value: unknown,
  name: string,
  knownKeys: readonly string[],
  expected = 'an object',
): Record<string, unknown> {
  if (!isPlainObject(value)) throw invalidArgument(name, expected, value);
  for (const key of Object.keys(value)) {
    if (knownKeys.includes(key)) continue;
    const probable = probableName(key, knownKeys);
    const listIntroduction = probable === undefined ? '; known' : `; did you mean \`${probable}\`? Known`;
    throw new HandrailError(
      'ERR_INVALID_ARGUMENT',
      `Unknown key in \`${name}\`: ${showKey(key)}${listIntroduction} are ${knownKeys.join(', ')}`,
      { data: { name } },
    );
  }
  return value;
}

/** A check for each option of an object. A check gets the value, and the name for messages. */
type OptionChecks = Readonly<Record<string, (value: unknown, name: string) => unknown>>;

/** The values that the checks of a table return, by the names of the options. */
export type Checked<Checks extends OptionChecks> = { readonly [Name in keyof Checks]: ReturnType<Checks[Name]> };

/**
 * Checks every option of an object by a table, which is the one list of the options that are known. Frozen.
 *
 * @param name The name of the object in messages. The name `options` is left out before the names of its keys.
 * @param expected The expected value in words. Default: an object.
 */
export function checkedOptions<Checks extends OptionChecks>(
  value: unknown,
  name: string,
  checks: Checks,
  expected?: string,
): Checked<Checks> {
  const givenOptions = optionsObject(value, name, Object.keys(checks), expected);
  const entries = Object.entries(checks).map(([key, check]) => [
    key,
    check(givenOptions[key], name === 'options' ? key : `${name}.${key}`),
  ]);
  return Object.freeze(Object.fromEntries(entries)) as Checked<Checks>;
}

/** A check for a table: a whole number within `range`, or `fallback`. */
export function integer(range: Range, fallback: number): (value: unknown, name: string) => number {
  return (value, name) => integerOption(value, name, range, fallback);
}

/** A check for a table: an array of at most `maximum` entries. */
export function list<Entry>(
  maximum: number,
  entry: (value: unknown, name: string) => Entry,
): (value: unknown, name: string) => readonly Entry[] | undefined {
  return (value, name) => listOption(value, name, maximum, entry);
}

/** A check for a table: one of `names`. */
export function oneOf<Name extends string>(names: readonly Name[]): (value: unknown, name: string) => Name | undefined {
  return (value, name) => nameOption(value, name, names);
}

/** A signal. Undefined when absent. */
export function signalOption(value: unknown, name: string): AbortSignal | undefined {
  if (value === undefined || value instanceof AbortSignal) return value;
  throw invalidArgument(name, 'an AbortSignal', value);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The key in a form that a message may show. */
function showKey(key: string): string {
  return SHOWABLE_KEY.test(key) ? `\`${key}\`` : 'a key that no option looks like';
}

/** Inclusive bounds of a number, with the unit used in messages. */
export interface Range {
  readonly min: number;
  readonly max: number;
  readonly unit: string;
}

/** A whole number within `range`; `fallback` when the option is absent. */
export function integerOption(value: unknown, name: string, range: Range, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < range.min || value > range.max) {
    throw invalidArgument(name, `a whole number of ${range.unit} from ${range.min} to ${range.max}`, value);
  }
  return value;
}

/** `true` or `false`; `fallback` when absent. */
export function booleanOption(value: unknown, name: string, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (typeof value !== 'boolean') throw invalidArgument(name, 'a boolean', value);
  return value;
}

/** A string without NUL, at least one character long. Undefined when absent. */
export function textOption(value: unknown, name: string): string | undefined {
  return value === undefined ? undefined : textValue(value, name);
}

/** A string without NUL, at least one character long. */
export function textValue(value: unknown, name: string): string {
  if (typeof value !== 'string') throw invalidArgument(name, 'a string', value);
  if (value === '') throw invalidArgument(name, 'a string that is not empty', value);
  if (value.includes('\0')) {
    throw invalidArgument(name, 'a string without NUL characters', value);
  }
  return value;
}

/** An array, at most `maximum` long, its entries checked by `entry`. Undefined when absent. */
export function listOption<Entry>(
  value: unknown,
  name: string,
  maximum: number,
  entry: (value: unknown, name: string) => Entry,
): readonly Entry[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw invalidArgument(name, 'an array', value);
  if (value.length > maximum) {
    throw new HandrailError(
      'ERR_INVALID_ARGUMENT',
      `Expected \`${name}\` to have at most ${maximum} entries, got ${value.length}`,
      { data: { name } },
    );
  }
  return Object.freeze(Array.from(value, (item, index) => entry(item, `${name}[${index}]`)));
}

/** One of `names`. Undefined when absent. */
export function nameOption<Name extends string>(
  value: unknown,
  name: string,
  names: readonly Name[],
): Name | undefined {
  if (value === undefined) return undefined;
  const matchingName = names.find((candidate) => candidate === value);
  if (matchingName !== undefined) return matchingName;
  const shownValue =
    typeof value === 'string' && SHOWABLE_NAME.test(value) ? `'${value}' (string)` : describeValue(value);
  throw new HandrailError(
    'ERR_INVALID_ARGUMENT',
    `Expected \`${name}\` to be one of ${names.map((candidate) => `'${candidate}'`).join(', ')}, got ${shownValue}`,
    { data: { name } },
  );
}

/** A function. Undefined when absent. */
export function functionOption<Callback>(value: unknown, name: string): Callback | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'function') throw invalidArgument(name, 'a function', value);
  return value as Callback;
}

/** The variables of these names, each read once: strings, or undefined where they are not set. */
export function environmentArgument<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Readonly<Record<Name, string | undefined>> {
  if (!isPlainObject(value)) throw invalidArgument('env', 'an object with variables by name', value);
  const entries = names.map((name): [Name, string | undefined] => {
    const variable = value[name];
    if (variable === undefined || typeof variable === 'string') return [name, variable];
    throw invalidArgument(`env.${name}`, 'a string or undefined', variable);
  });
  return Object.fromEntries(entries) as Record<Name, string | undefined>;
}
