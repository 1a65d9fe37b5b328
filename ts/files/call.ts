import { describeValue, optionsObject } from '../config/validate.js';
import { HandrailError } from '../errors.js';

/** Which lines of a file are read. */
export interface ReadOptions {
  /** Number of the first line, from 1. Default: 1. */
  readonly offset?: number | undefined;
  /** Most lines. Default: 2,000. Range: 1 to 268,435,456. */
  readonly limit?: number | undefined;
  /** Most bytes: whole lines as far as they fit. Default: no bound. Range: 1 to 268,435,456. */
  readonly maxBytes?: number | undefined;
  /** Number of the first character of the first line, from 1. Default: 1. */
  readonly column?: number | undefined;
  /**
   * Most tokens, estimated to within some 15 %: whole lines as far as they fit. Of a first line that is longer a part is given; so it
   * is with `maxBytes`. Default: no bound. Range: 1 to 9,007,199,254,740,991.
   */
  readonly maxTokens?: number | undefined;
  /** Whether each line is shown behind its number, so that numbers count for `maxTokens`. Default: false. */
  readonly numbered?: boolean | undefined;
}

/** How a file is written. */
export interface WriteOptions {
  /**
   * Whether an existing file is replaced: `'always'`, or with `'known'` only when its content was read through this object
   * and has not changed since. Default: `'always'`.
   */
  readonly overwrite?: 'always' | 'known' | undefined;
  /** Whose call it is, for the history. Default: nobody's. */
  readonly caller?: string | undefined;
}

/** One replacement in a file. */
export interface Edit {
  /**
   * The text to replace. The file has to have it exactly once; CRLF and LF count as equal. Where the file does not have it, one
   * place that differs in blanks at line ends, in its whole indentation, in typographic letters, entities or escapes, or in
   * line numbers and signs that a reader added, is taken for it, and `taken` of the place says so.
   */
  readonly old: string;
  /** The text that takes its place; its line ends become those of the file. */
  readonly new: string;
  /** Whether every occurrence is replaced. Default: false. */
  readonly all?: boolean | undefined;
  /** Which of several occurrences is replaced, from 1. Default: none; the file has to have the text exactly once. */
  readonly occurrence?: number | undefined;
}

/** How edits are applied. */
export interface EditOptions {
  /** Whether the first of several occurrences is replaced instead of a refusal; old texts are then taken literally. Default: false. */
  readonly first?: boolean | undefined;
  /** Whose call it is, for the history. Default: nobody's. */
  readonly caller?: string | undefined;
}

/** How a patch is applied. */
export interface PatchOptions {
  /** Whether the patch is only tried: nothing is written, and the result says if it can be applied. Default: false. */
  readonly dryRun?: boolean | undefined;
  /**
   * Whether a file is removed whose lines the patch does not give: `'always'`, or with `'known'` only when its current
   * content was read or written through this object before. Default: `'always'`.
   */
  readonly overwrite?: 'always' | 'known' | undefined;
  /** Whose call it is, for the history. Default: nobody's. */
  readonly caller?: string | undefined;
}

/** Which of the calls that changed files are listed. */
export interface HistoryOptions {
  /** Most calls, the newest first. Default: 50. Range: 1 to 1,000. */
  readonly limit?: number | undefined;
  /** Whether the calls of other processes and toolkits in the same roots are listed too. Default: false. */
  readonly all?: boolean | undefined;
  /** Only the calls of this caller. Default: those of every caller. */
  readonly caller?: string | undefined;
  /**
   * Whether each file has a `diff` of what the call changed in it, masked. What a call left is not known any more once somebody
   * else has changed the file. Default: false.
   */
  readonly diff?: boolean | undefined;
}

/** Which of the calls that changed files are taken back. Give `ids`, `since` or `last`, or nothing for the last call. */
export interface UndoOptions {
  /** Ids of calls. */
  readonly ids?: readonly string[] | undefined;
  /** Every call after the one with this id. */
  readonly since?: string | undefined;
  /** The last calls: their number. Default: 1. Range: 1 to 1,000. */
  readonly last?: number | undefined;
  /** Whether the calls of other processes and toolkits in the same roots may be taken back too. Default: false. */
  readonly all?: boolean | undefined;
  /** Whether it is only tried: nothing is written, and the result says what would be. Default: false. */
  readonly dryRun?: boolean | undefined;
  /** Whether each file has a `diff` of what changes in it, masked. Default: false. */
  readonly diff?: boolean | undefined;
  /** Only the calls of this caller. Default: those of every caller. */
  readonly ofCaller?: string | undefined;
  /** Who takes them back, for the history. Default: nobody. */
  readonly caller?: string | undefined;
}

/** How much of a directory is listed. */
export interface ListOptions {
  /** Levels of folders, 1 for the directory alone; links are never followed. Default: 1. Range: 1 to 16. */
  readonly depth?: number | undefined;
  /** Most entries. Default: 1,000. Range: 1 to 100,000. */
  readonly limit?: number | undefined;
  /** Entries that are passed over first. Default: 0. */
  readonly offset?: number | undefined;
}

/** Which files a search looks at. */
export interface SearchOptions {
  /** Where to search, absolute or relative to `cwd`. Default: `cwd`. */
  readonly path?: string | undefined;
  /** Whether names that begin with a dot are searched too, but never `.git`. Default: false. */
  readonly hidden?: boolean | undefined;
  /** Whether files that a `.gitignore` leaves out are searched too. Default: false. */
  readonly ignored?: boolean | undefined;
}

/** How files are found by their names. */
export interface GlobOptions extends SearchOptions {
  /** Most paths. Default: 100. Range: 1 to 10,000. */
  readonly limit?: number | undefined;
  /** Paths that are passed over first. Default: 0. */
  readonly offset?: number | undefined;
}

/** How lines are found. */
export interface GrepOptions extends SearchOptions {
  /** Pattern of the files to search, such as `*.ts` for names or `src/**` for paths from `path` on. Default: all files. */
  readonly glob?: string | undefined;
  /** What is found: lines that match, files with such lines, or the number of such lines of each file. Default: `'lines'`. */
  readonly mode?: 'lines' | 'files' | 'count' | undefined;
  /** Lines shown before and after each line that matches. Default: 0. Range: 0 to 20. */
  readonly context?: number | undefined;
  /** Whether upper and lower case count as equal. Default: false. */
  readonly ignoreCase?: boolean | undefined;
  /** Most lines that match, or most files. Default: 250. Range: 1 to 10,000. */
  readonly limit?: number | undefined;
  /** Lines that match, or files, that are passed over first. Default: 0. */
  readonly offset?: number | undefined;
}

const SEARCH_KEYS = ['path', 'limit', 'hidden', 'ignored'] as const;

/** Names of the options of each operation. Their values are checked by the core, which knows the bounds. */
const OPTION_KEYS = {
  read: ['offset', 'limit', 'maxBytes', 'column', 'maxTokens', 'numbered'],
  write: ['overwrite', 'caller'],
  edit: ['first', 'caller'],
  patch: ['dryRun', 'overwrite', 'caller'],
  history: ['limit', 'all', 'caller', 'diff'],
  undo: ['ids', 'since', 'last', 'all', 'dryRun', 'diff', 'ofCaller', 'caller'],
  list: ['depth', 'limit', 'offset'],
  stat: [],
  glob: [...SEARCH_KEYS, 'offset'],
  grep: [...SEARCH_KEYS, 'glob', 'mode', 'context', 'ignoreCase', 'offset'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The options of an operation as they were given; their values are not checked. */
export type GivenOptions<Operation extends keyof typeof OPTION_KEYS> = Readonly<
  Partial<Record<(typeof OPTION_KEYS)[Operation][number], unknown>>
>;

/**
 * The options as they were given. Two things are checked here, since they do not cross to the core: the options are an
 * object, and none of their names is unknown, not even one whose value is `undefined`.
 */
export function givenOptions<Operation extends keyof typeof OPTION_KEYS>(
  operation: Operation,
  options: unknown,
): GivenOptions<Operation> {
  return optionsObject(options, 'options', OPTION_KEYS[operation]) as GivenOptions<Operation>;
}

/** A request as JSON. A value that JSON does not have is refused: `JSON.stringify` would leave it out or write `null`. */
export function requestJson(request: object): string {
  try {
    return JSON.stringify(request, (name, value: unknown) => {
      if (crosses(value)) return value;
      throw unsendable(name, describeValue(value));
    });
  } catch (error) {
    // The other errors of `JSON.stringify` are about circles, and about getters that throw.
    throw error instanceof HandrailError ? error : unsendable('request', 'an object that cannot be read');
  }
}

function crosses(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return !['bigint', 'function', 'symbol'].includes(typeof value);
}

function unsendable(name: string, shown: string): HandrailError {
  return new HandrailError('ERR_INVALID_ARGUMENT', `Expected \`${name}\` to be a value that JSON has, got ${shown}`, {
    data: { name },
  });
}
