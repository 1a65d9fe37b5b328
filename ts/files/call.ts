import {
  booleanOption,
  type Filled,
  integerOption,
  invalidArgument,
  listOption,
  optionsObject,
} from '../config/validate.js';
import {
  DEFAULT_DIRECTORY_ENTRIES,
  DEFAULT_GLOB_PATHS,
  DEFAULT_GREP_RESULTS,
  DEFAULT_READ_LINES,
  MAX_DIRECTORY_ENTRIES,
  MAX_EDITS,
  MAX_GREP_CONTEXT,
  MAX_LIST_DEPTH,
  MAX_READ_BYTES,
  MAX_READ_LINES,
  MAX_SEARCH_RESULTS,
} from './limits.js';

/** Which lines are read. */
export interface ReadOptions {
  /** Number of the first line, from 1. Default: 1. */
  readonly offset?: number | undefined;
  /** Most lines. Default: 2,000. Range: 1 to 268,435,456. */
  readonly limit?: number | undefined;
  /** Most bytes: whole lines as far as they fit, at least one. Default: no bound beside the lines. */
  readonly maxBytes?: number | undefined;
}

/** How a file is written. */
export interface WriteOptions {
  /**
   * What becomes of a file that is there: `'always'` it is replaced, `'known'` only when its content
   * was read by this engine and has not changed since. Default: `'always'`.
   */
  readonly overwrite?: 'always' | 'known' | undefined;
}

/** One replacement in a file. */
export interface Edit {
  /** The text to replace. It has to be in the file exactly once; line ends of either kind count as the same. */
  readonly old: string;
  /** What replaces it; it gets the line ends of the file. */
  readonly new: string;
  /** Replace it wherever it is. Default: false. */
  readonly all?: boolean | undefined;
  /** Replace this one of several occurrences, from 1. Default: none, it has to be there exactly once. */
  readonly occurrence?: number | undefined;
}

/** How edits are applied. */
export interface EditOptions {
  /** Replace the first of several occurrences instead of refusing. Default: false. */
  readonly first?: boolean | undefined;
}

/** How a patch is applied. */
export interface PatchOptions {
  /** Only find out whether it can be applied: nothing is written. Default: false. */
  readonly dryRun?: boolean | undefined;
  /**
   * Whether a file is removed of which the patch gives no lines: always, or only when its current content was read or
   * written through this object before. Default: `'always'`.
   */
  readonly overwrite?: 'always' | 'known' | undefined;
}

/** How much of a directory is listed. */
export interface ListOptions {
  /** Levels below the directory; links are never followed. Default: 1. Range: 1 to 16. */
  readonly depth?: number | undefined;
  /** Most entries. Default: 1,000. Range: 1 to 100,000. */
  readonly limit?: number | undefined;
}

/** What a search looks at. */
export interface SearchOptions {
  /** Where to search, absolute or relative to `cwd`. Default: `cwd`. */
  readonly path?: string | undefined;
  /** Files and folders whose names begin with a dot as well, but never `.git`. Default: false. */
  readonly hidden?: boolean | undefined;
  /** What `.gitignore` files leave out as well. Default: false. */
  readonly ignored?: boolean | undefined;
}

/** How files are found by their names. */
export interface GlobOptions extends SearchOptions {
  /** Most paths. Default: 100. Range: 1 to 10,000. */
  readonly limit?: number | undefined;
}

/** How lines are found. */
export interface GrepOptions extends SearchOptions {
  /** Only files that match, such as `*.ts` for a name or `src/**` from `path` on. Default: all. */
  readonly glob?: string | undefined;
  /** The lines that match, the files that have some, or these with how many. Default: `'lines'`. */
  readonly mode?: 'lines' | 'files' | 'count' | undefined;
  /** Lines before and after each that matches. Default: 0. Range: 0 to 20. */
  readonly context?: number | undefined;
  /** Letters of both cases are one. Default: false. */
  readonly ignoreCase?: boolean | undefined;
  /** Most lines that match, or files. Default: 250. Range: 1 to 10,000. */
  readonly limit?: number | undefined;
  /** So many are passed over first. Default: 0. */
  readonly offset?: number | undefined;
}

const SIZES = { min: 1, max: MAX_READ_BYTES, unit: 'bytes' } as const;
const LINES = { min: 1, max: MAX_READ_LINES, unit: 'lines' } as const;
const OFFSETS = { min: 1, max: Number.MAX_SAFE_INTEGER, unit: 'lines' } as const;
const OCCURRENCES = { min: 1, max: Number.MAX_SAFE_INTEGER, unit: 'occurrences' } as const;
const LEVELS = { min: 1, max: MAX_LIST_DEPTH, unit: 'levels' } as const;
const RESULTS = { min: 1, max: MAX_SEARCH_RESULTS, unit: 'results' } as const;
const SKIPPED = { min: 0, max: Number.MAX_SAFE_INTEGER, unit: 'results' } as const;
const AROUND = { min: 0, max: MAX_GREP_CONTEXT, unit: 'lines' } as const;
const ENTRIES = { min: 1, max: MAX_DIRECTORY_ENTRIES, unit: 'entries' } as const;

export function checkRead(options: unknown): ReadOptions {
  const given = optionsObject(options, 'options', ['offset', 'limit', 'maxBytes']);
  const { maxBytes } = given;
  return {
    ...(maxBytes === undefined ? {} : { maxBytes: integerOption(maxBytes, 'maxBytes', SIZES, MAX_READ_BYTES) }),
    offset: integerOption(given['offset'], 'offset', OFFSETS, 1),
    limit: integerOption(given['limit'], 'limit', LINES, DEFAULT_READ_LINES),
  };
}

export function checkWrite(options: unknown): Filled<WriteOptions> {
  return { overwrite: overwriteOption(optionsObject(options, 'options', ['overwrite'])['overwrite']) };
}

function overwriteOption(overwrite: unknown = 'always'): 'always' | 'known' {
  if (overwrite === 'always' || overwrite === 'known') return overwrite;
  throw invalidArgument('overwrite', "'always' or 'known'", overwrite);
}

export function checkEdits(edits: unknown): readonly Edit[] {
  const checked = listOption(edits, 'edits', MAX_EDITS, editValue);
  if (checked === undefined || checked.length === 0) {
    throw invalidArgument('edits', 'an array with at least one edit', edits);
  }
  return checked;
}

function editValue(value: unknown, name: string): Edit {
  const given = optionsObject(value, name, ['old', 'new', 'all', 'occurrence']);
  const { occurrence } = given;
  return {
    ...(occurrence === undefined
      ? {}
      : { occurrence: integerOption(occurrence, `${name}.occurrence`, OCCURRENCES, 1) }),
    old: stringValue(given['old'], `${name}.old`),
    new: stringValue(given['new'], `${name}.new`),
    all: booleanOption(given['all'], `${name}.all`, false),
  };
}

function stringValue(value: unknown, name: string): string {
  if (typeof value !== 'string') throw invalidArgument(name, 'a string', value);
  return value;
}

export function checkEditOptions(options: unknown): Filled<EditOptions> {
  const given = optionsObject(options, 'options', ['first']);
  return { first: booleanOption(given['first'], 'first', false) };
}

export function checkPatch(patch: unknown, options: unknown): { readonly patch: string } & Filled<PatchOptions> {
  const given = optionsObject(options, 'options', ['dryRun', 'overwrite']);
  return {
    patch: stringValue(patch, 'patch'),
    dryRun: booleanOption(given['dryRun'], 'dryRun', false),
    overwrite: overwriteOption(given['overwrite']),
  };
}

export function checkList(options: unknown): Filled<ListOptions> {
  const given = optionsObject(options, 'options', ['depth', 'limit']);
  return {
    depth: integerOption(given['depth'], 'depth', LEVELS, 1),
    limit: integerOption(given['limit'], 'limit', ENTRIES, DEFAULT_DIRECTORY_ENTRIES),
  };
}

const SEARCH_KEYS = ['path', 'limit', 'hidden', 'ignored'] as const;

export function checkPattern(pattern: unknown): string {
  return stringValue(pattern, 'pattern');
}

export function checkGlob(options: unknown): Filled<GlobOptions> {
  return checkSearch(optionsObject(options, 'options', SEARCH_KEYS), DEFAULT_GLOB_PATHS);
}

export function checkGrep(options: unknown): GrepOptions & Filled<SearchOptions> {
  const keys = [...SEARCH_KEYS, 'glob', 'mode', 'context', 'ignoreCase', 'offset'] as const;
  const given = optionsObject(options, 'options', keys);
  const { glob, mode = 'lines' } = given;
  if (mode !== 'lines' && mode !== 'files' && mode !== 'count') {
    throw invalidArgument('mode', "'lines', 'files' or 'count'", mode);
  }
  return {
    ...checkSearch(given, DEFAULT_GREP_RESULTS),
    ...(glob === undefined ? {} : { glob: stringValue(glob, 'glob') }),
    mode,
    context: integerOption(given['context'], 'context', AROUND, 0),
    ignoreCase: booleanOption(given['ignoreCase'], 'ignoreCase', false),
    offset: integerOption(given['offset'], 'offset', SKIPPED, 0),
  };
}

function checkSearch(
  given: Readonly<Partial<Record<'path' | 'limit' | 'hidden' | 'ignored', unknown>>>,
  defaultLimit: number,
): Filled<GlobOptions> {
  const { path = '.' } = given;
  return {
    path: stringValue(path, 'path'),
    limit: integerOption(given['limit'], 'limit', RESULTS, defaultLimit),
    hidden: booleanOption(given['hidden'], 'hidden', false),
    ignored: booleanOption(given['ignored'], 'ignored', false),
  };
}
