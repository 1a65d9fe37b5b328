import path from 'node:path';

import { hostHome } from '../config/host-environment.js';
import {
  booleanOption,
  integerOption,
  invalidArgument,
  listOption,
  nameOption,
  optionsObject,
  textOption,
  textValue,
} from '../config/validate.js';
import { HandrailError } from '../errors.js';
import type { NativeChangesConfig, NativeFilesConfig } from '../native/binding.js';
import { Redactor } from '../redaction/redactor.js';
import { MAX_LIST_ENTRIES } from '../terminal/limits.js';
import { givenRedactor, withMaskedErrors } from '../terminal/masked-errors.js';
import type { ProtectedPlaces } from '../terminal/native-config.js';
import { type CheckedRoot, type Root, rootsOption } from '../terminal/options.js';
import { type ChangesOptions, changesOption } from './changes.js';
import { DEFAULT_MAX_READ_BYTES, MAX_READ_BYTES } from './limits.js';

/** What protects files inside of the roots. Checked once, at construction. */
export interface FileGuardOptions {
  /** Directory where relative paths start. A relative directory is joined to the default. Default: the first root. */
  readonly cwd?: string | undefined;
  /**
   * Places that may not be read (keys, credentials, histories, what `/proc` tells of processes, devices):
   * `'default'`, or `'none'` to read whatever lies in the roots. Default: `'default'`.
   */
  readonly readBlocklist?: 'default' | 'none' | undefined;
  /**
   * Places that may not be written (`.git`, start-up files of shells, settings of editors and agents
   * that start programs, system folders): `'default'` or `'none'`. Default: `'default'`.
   */
  readonly writeBlocklist?: 'default' | 'none' | undefined;
  /** Whether `.env` and `.env.*` are refused, or read with their values masked. Default: `'refuse'`. */
  readonly dotenv?: 'refuse' | 'mask' | undefined;
  /** Ids of rules of the two lists that do not apply, such as `git.metadata`. Default: none. */
  readonly lift?: readonly string[] | undefined;
  /** Further absolute paths that may not be written, each with all below it. Default: none. */
  readonly protect?: readonly string[] | undefined;
  /**
   * Whether a value that was masked in a file that was read, searched or edited is masked in everything from then on, as
   * if `addSecret` had been told: what commands and sessions print of it without its name as well. Only values of at least
   * 8 characters (or `minSecretLength`, if that is more) that look random are: words, numbers, paths and what has blanks
   * are not. Nothing is learned from outputs. The last 256 values of together 16 KiB are kept, by the redactor: toolkits
   * that share one share them. Default: true.
   */
  readonly learnSecrets?: boolean | undefined;
  /**
   * What happens when a file with several names is written: `'refuse'` refuses the call, `'break'` makes the written name
   * a file of its own, and the other names keep the old content. Default: `'refuse'`.
   */
  readonly hardLinks?: 'refuse' | 'break' | undefined;
  /**
   * Whether files that even their owner may not write to (mode 0444) may be changed, moved and removed; they keep their
   * mode. Default: false; such a call is refused (`read_only`), for root as well.
   */
  readonly replaceReadOnly?: boolean | undefined;
  /**
   * Whether a file is overwritten where no new file can take its place: the file is mounted by itself, its folder takes no
   * files, or a new file could not have its owner, group or mode. Such a change is not one step: a reader may see a part of
   * it. The old content is kept in a private file (in the same folder, or in `/var/tmp`) until the new content is on the
   * disk, and is put back when that fails. Default: false; such a call is refused (`in_place_only` or `access_not_kept`).
   */
  readonly inPlace?: boolean | undefined;
  /**
   * Whether new content is on the disk before it gets its name, so that a power cut leaves the old file or the new one.
   * With `false` a change is faster, and a power cut within half a minute may leave an empty file. Default: true.
   */
  readonly sync?: boolean | undefined;
  /** Largest file that is held and edited, in bytes; of a larger one lines are read. Default: 10 MiB. Range: 1 to 256 MiB. */
  readonly maxReadBytes?: number | undefined;
  /**
   * Whether what each call replaces is kept, so that the call can be taken back, and one that was killed half way is taken
   * back by the next `Files` of these roots. See `ChangesOptions`. Default: `{}` for the files of a toolkit, else false.
   */
  readonly changes?: ChangesOptions | false | undefined;
}

/** Where files may be read and changed, and how. */
export interface FilesOptions extends FileGuardOptions {
  /**
   * Directories to work in; nothing is changed in one of mode `'ro'`. Default: none, so that every call is refused. See
   * `Root`.
   */
  readonly roots?: readonly Root[] | undefined;
  /** Whether every path of the machine may be used, but for the two lists. Not together with `roots`. Default: false. */
  readonly allowAll?: boolean | undefined;
  /** The redactor that masks secrets in what is read. Default: a `Redactor` with the default rules. */
  readonly redactor?: Redactor | undefined;
}

/** The options with every default filled in. Frozen. */
export interface CheckedFilesOptions {
  readonly roots: readonly CheckedRoot[] | undefined;
  readonly cwd: string | undefined;
  readonly home: string | undefined;
  readonly readRules: boolean;
  readonly writeRules: boolean;
  readonly dotenvReads: 'block' | 'mask';
  readonly lifted: readonly string[];
  readonly protectedPaths: readonly string[];
  readonly learnSecrets: boolean;
  readonly hardLinks: 'refuse' | 'break';
  readonly replaceReadOnly: boolean;
  readonly inPlace: boolean;
  readonly sync: boolean;
  readonly maxReadBytes: number;
  readonly changes: NativeChangesConfig | undefined;
  readonly redactor: Redactor | undefined;
}

/** The keys of `FileGuardOptions`. */
export const GUARD_KEYS = [
  'cwd',
  'readBlocklist',
  'writeBlocklist',
  'dotenv',
  'lift',
  'protect',
  'learnSecrets',
  'hardLinks',
  'replaceReadOnly',
  'inPlace',
  'sync',
  'maxReadBytes',
  'changes',
] as const;

const KEYS = [...GUARD_KEYS, 'roots', 'allowAll', 'redactor'] as const;

const LISTS = ['default', 'none'] as const;

/** Checks the options of the file engine. */
export function checkFilesOptions(options: unknown): CheckedFilesOptions {
  return withMaskedErrors(givenRedactor(options), () => checkedOptions(options));
}

function checkedOptions(options: unknown): CheckedFilesOptions {
  const given = optionsObject(options, 'options', KEYS);
  const allowAll = booleanOption(given['allowAll'], 'allowAll', false);
  if (allowAll && given['roots'] !== undefined) {
    throw new HandrailError('ERR_INVALID_ARGUMENT', 'Give either `roots` or `allowAll`', { data: { name: 'roots' } });
  }
  const size = { min: 1, max: MAX_READ_BYTES, unit: 'bytes' };
  return Object.freeze({
    roots: allowAll ? undefined : (rootsOption(given['roots']) ?? []),
    cwd: textOption(given['cwd'], 'cwd'),
    home: hostHome(),
    readRules: nameOption(given['readBlocklist'], 'readBlocklist', LISTS) !== 'none',
    writeRules: nameOption(given['writeBlocklist'], 'writeBlocklist', LISTS) !== 'none',
    dotenvReads: nameOption(given['dotenv'], 'dotenv', ['refuse', 'mask']) === 'mask' ? 'mask' : 'block',
    lifted: listOption(given['lift'], 'lift', MAX_LIST_ENTRIES, textValue) ?? [],
    protectedPaths: listOption(given['protect'], 'protect', MAX_LIST_ENTRIES, absolutePath) ?? [],
    learnSecrets: booleanOption(given['learnSecrets'], 'learnSecrets', true),
    hardLinks: nameOption(given['hardLinks'], 'hardLinks', ['refuse', 'break']) ?? 'refuse',
    replaceReadOnly: booleanOption(given['replaceReadOnly'], 'replaceReadOnly', false),
    inPlace: booleanOption(given['inPlace'], 'inPlace', false),
    sync: booleanOption(given['sync'], 'sync', true),
    maxReadBytes: integerOption(given['maxReadBytes'], 'maxReadBytes', size, DEFAULT_MAX_READ_BYTES),
    changes: changesOption(given['changes']),
    redactor: redactorOption(given['redactor']),
  });
}

function absolutePath(value: unknown, name: string): string {
  const text = textValue(value, name);
  if (!path.isAbsolute(text)) throw invalidArgument(name, 'an absolute path', value);
  return text;
}

function redactorOption(value: unknown): Redactor | undefined {
  if (value === undefined || Redactor.isRedactor(value)) return value;
  throw invalidArgument('redactor', 'a Redactor made by this copy of handrail', value);
}

/** The configuration of the file engine for the binding. */
export function nativeFilesConfig(checked: CheckedFilesOptions): NativeFilesConfig {
  const { roots, cwd, home, lifted, protectedPaths, changes, redactor: _, ...others } = checked;
  const start = path.resolve(roots?.[0]?.path ?? process.cwd(), cwd ?? '');
  return {
    ...others,
    ...(home === undefined ? {} : { home }),
    ...(changes === undefined ? {} : { changes }),
    cwd: start,
    lifted: [...lifted],
    protectedPaths: [...protectedPaths],
  };
}

/** The guards that apply to redirections of scripts, which write without the file engine. */
export function writeGuards({ writeBlocklist, lift, protect }: FileGuardOptions): ProtectedPlaces {
  return { writeRules: writeBlocklist !== 'none', lifted: lift ?? [], protectedPaths: protect ?? [] };
}
