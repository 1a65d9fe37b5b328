import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { nearest } from '../config/nearest.js';
import { isHandrailError } from '../errors.js';
import { readToml, type TomlEntry } from '../redaction/toml.js';
import { shown } from './arguments.js';
import type { Option } from './command.js';
import { mistake, ownText } from './own-file.js';
import { readablePath } from './shown-path.js';
import { isTrusted } from './trust-store.js';
import { UsageError } from './usage-error.js';

/** What is looked for in the folder somebody works in, and above it. */
export const SETTINGS_FILE = 'handrail.toml';

/** What a settings file says. */
export interface SettingsFile {
  /** As messages call it. */
  readonly name: string;
  /** The folder it lies in. */
  readonly folder: string;
  /** By the name of the option; all of them are options, and of its kind. */
  readonly entries: ReadonlyMap<string, TomlEntry>;
}

/**
 * The file that is nearest to `folder`: there or above, up to the folder with a `.git`. What another user has put into a
 * folder that is not this user's says nothing here, as in `/tmp`. Undefined when there is none.
 */
export function findSettingsFile(folder: string): string | undefined {
  for (let here = folder; ; here = path.dirname(here)) {
    const file = path.join(here, SETTINGS_FILE);
    // A link that leads nowhere is found too: it must not pass for no file.
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
 * @param options All options that it may hold.
 * @param isNamed Whether the user named it. One that was found may have been put there, or changed, by a command that ran in its
 * folder; it counts when the user has said so of what is in it.
 * @throws UsageError when it cannot be read, is not to be trusted, or says something else than settings.
 */
export function readSettingsFile(file: string, options: readonly Option[], isNamed: boolean): SettingsFile {
  if (isNamed) return parsed(file, ownText(file, shownFile(file)), options);
  const text = withAdvice(() => ownText(file, shownFile(file)));
  const trusted = isTrusted(file, text);
  return withAdvice(() => {
    if (!trusted) throw mistake(`${shownFile(file)} is not trusted, or has changed since`);
    return parsed(file, text, options);
  });
}

/** What is wrong with a file that was found, and not asked for, says what to do next. */
function withAdvice<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw mistake(`${error.message}: read it, then \`handrail trust\`, or go without it: --no-config`);
  }
}

function parsed(file: string, text: string, options: readonly Option[]): SettingsFile {
  const name = shownFile(file);
  const entries = tomlEntries(text, name);
  for (const entry of entries) checkEntry(entry, name, options);
  return { name, folder: path.dirname(file), entries: new Map(entries.map((entry) => [entry.key, entry])) };
}

/** As messages call it: seen from here. */
export function shownFile(file: string): string {
  return readablePath(path.relative(process.cwd(), file));
}

function tomlEntries(text: string, name: string): readonly TomlEntry[] {
  try {
    return readToml(text, name);
  } catch (error) {
    if (!isHandrailError(error) || error.code !== 'ERR_INVALID_CONFIG') throw error;
    throw mistake(error.message);
  }
}

const KINDS: Readonly<
  Record<Option['kind'], { readonly kinds: readonly TomlEntry['kind'][]; readonly takes: string }>
> = {
  flag: { kinds: ['boolean'], takes: 'true or false' },
  value: { kinds: ['text', 'number'], takes: 'one value' },
  values: { kinds: ['list', 'text'], takes: 'a list of texts' },
};

function checkEntry({ key, line, kind, values }: TomlEntry, name: string, options: readonly Option[]): void {
  const option = options.find((known) => known.name === key);
  if (option === undefined) {
    const meant = nearest(
      key,
      options.map((known) => known.name),
    );
    const question = meant === undefined ? '; docs/configuration.md has all' : `; did you mean ${meant}?`;
    throw mistake(`${name}:${line}: there is no setting ${shown(key)}${question}`);
  }
  const { kinds, takes } = KINDS[option.kind];
  if (!kinds.includes(kind)) throw mistake(`${name}:${line}: ${key} takes ${takes}`);
  if (values.includes('')) throw mistake(`${name}:${line}: ${key} has an empty entry`);
}
