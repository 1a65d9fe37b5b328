import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { nearest } from '../config/nearest.js';
import { isHandrailError } from '../errors.js';
import { readToml, type TomlEntry } from '../redaction/toml.js';
import { showableName } from './arguments.js';
import type { Option } from './command.js';
import { configError, readFileOfThisUser } from './own-file.js';
import { readablePath } from './shown-path.js';
import { isTrusted } from './trust-store.js';
import { UsageError } from './usage-error.js';

/** The name of settings files. They are searched in the working directory and above it. */
export const SETTINGS_FILE = 'handrail.toml';

/** A settings file that was read. */
export interface SettingsFile {
  /** Its name in messages. */
  readonly name: string;
  /** The folder that the file lies in. */
  readonly folder: string;
  /** The entries by the name of their option. Each names an option and has a value of its kind. */
  readonly entries: ReadonlyMap<string, TomlEntry>;
}

/**
 * The settings file nearest to `folder`: in it or above it, up to a folder with a `.git`. A file of another user in a
 * folder of another user, such as `/tmp`, is passed over. Undefined when there is none.
 */
export function findSettingsFile(folder: string): string | undefined {
  for (let here = folder; ; here = path.dirname(here)) {
    const file = path.join(here, SETTINGS_FILE);
    // A link that leads nowhere counts as a file, and is an error when it is read.
    if (isOwn(file) || (isOwn(here) && lstatSync(file, { throwIfNoEntry: false }) !== undefined)) return file;
    if (existsSync(path.join(here, '.git')) || path.dirname(here) === here) return undefined;
  }
}

function isOwn(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.uid === process.geteuid?.();
}

/**
 * Reads a settings file.
 *
 * @param options The options that the file may set.
 * @param isNamed Whether the user named the file. A file that was found may have been written by a command that ran in
 * its folder, so it has to be trusted with its present content.
 * @throws UsageError when it cannot be read, is not trusted, or holds anything but settings.
 */
export function readSettingsFile(file: string, options: readonly Option[], isNamed: boolean): SettingsFile {
  if (isNamed) return parseSettings(file, readFileOfThisUser(file, shownFile(file)), options);
  const text = withTrustAdvice(() => readFileOfThisUser(file, shownFile(file)));
  const trusted = isTrusted(file, text);
  return withTrustAdvice(() => {
    if (!trusted) throw configError(`${shownFile(file)} is not trusted, or has changed since`);
    return parseSettings(file, text, options);
  });
}

/** Adds advice to the error about a file that was found, and not named. */
function withTrustAdvice<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw configError(`${error.message}: read it, then \`handrail trust\`, or go without it: --no-config`);
  }
}

function parseSettings(file: string, text: string, options: readonly Option[]): SettingsFile {
  const name = shownFile(file);
  const entries = tomlEntries(text, name);
  for (const entry of entries) checkEntry(entry, name, options);
  return { name, folder: path.dirname(file), entries: new Map(entries.map((entry) => [entry.key, entry])) };
}

/** The path of the file for messages, relative to the working directory. */
export function shownFile(file: string): string {
  return readablePath(path.relative(process.cwd(), file));
}

function tomlEntries(text: string, name: string): readonly TomlEntry[] {
  try {
    return readToml(text, name);
  } catch (error) {
    if (!isHandrailError(error) || error.code !== 'ERR_INVALID_CONFIG') throw error;
    throw configError(error.message);
  }
}

const ACCEPTED_KINDS: Readonly<
  Record<Option['kind'], { readonly kinds: readonly TomlEntry['kind'][]; readonly takes: string }>
> = {
  flag: { kinds: ['boolean'], takes: 'true or false' },
  value: { kinds: ['text', 'number'], takes: 'one value' },
  values: { kinds: ['list', 'text'], takes: 'a list of texts' },
};

function checkEntry({ key, line, kind, values }: TomlEntry, name: string, options: readonly Option[]): void {
  const option = options.find((known) => known.name === key);
  if (option === undefined) {
    const probableName = nearest(
      key,
      options.map((known) => known.name),
    );
    const question = probableName === undefined ? '; docs/configuration.md has all' : `; did you mean ${probableName}?`;
    throw configError(`${name}:${line}: there is no setting ${showableName(key)}${question}`);
  }
  const { kinds, takes } = ACCEPTED_KINDS[option.kind];
  if (!kinds.includes(kind)) throw configError(`${name}:${line}: ${key} takes ${takes}`);
  if (values.includes('')) throw configError(`${name}:${line}: ${key} has an empty entry`);
}
