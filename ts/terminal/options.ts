import path from 'node:path';
import {
  booleanOption,
  type Checked,
  checkedOptions,
  functionOption,
  integer,
  integerOption,
  invalidArgument,
  list,
  listOption,
  nameOption,
  oneOf,
  textOption,
  textValue,
} from '../config/validate.js';
import { Redactor } from '../redaction/redactor.js';
import { MAX_EXCERPT_TOKENS, MAX_OUTPUT_CHARS } from '../redaction/text.js';
import type { Approve } from './approval.js';
import { type ConfineOptions, confineOption, GUARANTEES, type Guarantee } from './confine.js';
import { type EnvironmentOptions, environmentOption } from './environment.js';
import { type GitOptions, HOOK_CHOICES } from './git-hooks.js';
import {
  DEFAULT_GRACE_MS,
  DEFAULT_HEAD_BYTES,
  DEFAULT_SPILL_BYTES,
  DEFAULT_SPILL_TOTAL_BYTES,
  DEFAULT_TAIL_BYTES,
  DEFAULT_TIMEOUT_MS,
  MAX_GRACE_MS,
  MAX_KEPT_BYTES,
  MAX_LIST_ENTRIES,
  MAX_SPILL_BYTES,
  MAX_SPILL_TOTAL_BYTES,
  MAX_TIMEOUT_MS,
  MIN_OUTPUT_CHARS,
  MIN_TIMEOUT_MS,
} from './limits.js';
import { givenRedactor, withMaskedErrors } from './masked-errors.js';
import { type Rule, ruleValue } from './rule.js';
import type { CheckedPath, PathOptions } from './search-path.js';
import { isNamed, secondPathOf } from './second-path.js';

/**
 * A directory that an agent works in, as a path or with a mode.
 *
 * File tools read beneath a root of any mode and change files only beneath one of mode `'rw'`, the default. The kernel
 * enforces the same on commands, see `ConfineOptions.writes`. Agents may have written anything in a root of mode
 * `'rw'`: programs and folders of `path` that lie in it are not trusted. With `'ro'` they are.
 */
export type Root =
  | string
  | {
      /** The directory. A relative one is joined to `process.cwd()`. */
      readonly path: string;
      /** Whether agents may write there. Default: `'rw'`. */
      readonly mode?: 'rw' | 'ro' | undefined;
      /** Whether the directory may be `/`, which is refused otherwise. Default: false. */
      readonly allowFilesystemRoot?: boolean | undefined;
    };

/** How much of an output is kept. Counts are exact whatever is left out. */
export interface OutputOptions {
  /** Bytes kept from the beginning. Default: 19,660. Range: 0 to 64 MiB. */
  readonly headBytes?: number | undefined;
  /** Bytes kept from the end. Default: 45,876. Range: 0 to 64 MiB. */
  readonly tailBytes?: number | undefined;
  /**
   * Most Unicode characters of `output`, including the line with the omitted counts. Default: no bound other than the
   * bytes. Range: 1 to 1,000,000,000.
   */
  readonly maxChars?: number | undefined;
  /**
   * Tokens of the `excerpt` of a result, estimated to within some 15 %; 0 for none.
   * Default: 0. Range: 0 to 100,000.
   */
  readonly excerptTokens?: number | undefined;
  /**
   * Size of the file that takes an output which does not fit, in bytes; 0 for none. The file is
   * redacted, readable by the host's user only and removed at `close()`.
   * Default: 16 MiB. Range: 0 to 1 GiB.
   */
  readonly spillBytes?: number | undefined;
  /**
   * Total size of all these files, in bytes. When it is reached, files of commands that have ended are removed, the
   * oldest first; the file of a running command is cut there, or not created. In a toolkit all tools share one bound:
   * give `limits.spillTotalBytes` there.
   * Default: 256 MiB. Range: 0 to 64 GiB.
   */
  readonly spillTotalBytes?: number | undefined;
}

/** How a terminal judges and runs commands. Checked once, at construction. */
export interface TerminalOptions {
  /**
   * `'none'`: a string is one plain command, and no shell sees anything. `'bash'`: it may be a script
   * with pipes, lists, loops, substitutions and redirections; it is judged whole, every program it
   * names has to pass, and real bash runs exactly the judged text. A part that cannot be parsed or is only known at run
   * time is a question for `approve`. Default: `'none'`.
   */
  readonly shell?: 'none' | 'bash' | undefined;
  /**
   * Programs that may run; no other may. Default: absent. With neither `allow` nor `deny`, and
   * with an empty `allow`, nothing runs. Up to 1,000.
   */
  readonly allow?: readonly Rule[] | undefined;
  /**
   * Programs that may not run, by whole name. Wins over `allow`. Without `allow`, every other program may run. Up to
   * 1,000. Default: absent.
   */
  readonly deny?: readonly Rule[] | undefined;
  /**
   * Uses of programs that are a question for `approve`, although `allow` has the program. A rule of `allow` with the same
   * arguments, or more, answers it. Up to 1,000. Default: none.
   */
  readonly ask?: readonly Rule[] | undefined;
  /**
   * Interpreters (such as `'python3'`) whose code is not judged: it may do whatever the kernel plan lets it. They must
   * also be allowed. Default: none.
   */
  readonly trustInterpreters?: readonly string[] | undefined;
  /**
   * Working directory when a call names none; a relative one is joined to the default. Default: the
   * first root, else `process.cwd()`.
   */
  readonly cwd?: string | undefined;
  /** Directories a command may start in. Absent: anywhere. Empty: nowhere. Default: absent. */
  readonly roots?: readonly Root[] | undefined;
  /**
   * Folders searched for programs beside those of the host's `PATH` and the system's; see `PathOptions`. An array is
   * the same as `last`. Absolute. A folder inside a writable root is refused. Default: none.
   *
   * Commands have the same folders in `PATH`, in the same order. `PATH` in `env.set` takes the place of the host's. A
   * folder of it that is relative or missing, or that commands or other users may write to, is left out;
   * `handrail doctor` names it.
   */
  readonly path?: readonly string[] | PathOptions | undefined;
  /** The variables that commands see in addition to the fixed ones. Default: none of the host's. */
  readonly env?: EnvironmentOptions | undefined;
  /** What is done with git. Default: that of each of its options. */
  readonly git?: GitOptions | undefined;
  /** Time a command gets, in milliseconds. Default: 120,000. Range: 1 to 86,400,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Time between SIGTERM and SIGKILL at a deadline or an abort, in milliseconds. Default: 2,000. Range: 0 to 60,000.
   */
  readonly graceMs?: number | undefined;
  /** How much of an output is kept. Default: that of each of its options. */
  readonly output?: OutputOptions | undefined;
  /** What the kernel enforces on commands. Default: what follows from the lists and the roots. */
  readonly confine?: ConfineOptions | undefined;
  /** `'off'`: no confinement by the kernel at all. Default: the confinement of `confine`. */
  readonly sandbox?: 'off' | undefined;
  /**
   * Guarantees without which nothing runs: the first `run()` or `ready()` rejects with
   * `ERR_GUARANTEE_UNAVAILABLE` where the machine cannot enforce one. Default: none.
   */
  readonly require?: readonly Guarantee[] | undefined;
  /** Masks secrets in outputs and messages. Default: a `Redactor` with the default rules. */
  readonly redactor?: Redactor | undefined;
  /** Asked about commands that the policy leaves open. Default: none, and these commands are denied. */
  readonly approve?: Approve | undefined;
}

/** A root that was checked. */
export interface CheckedRoot {
  /** Absolute. */
  readonly path: string;
  readonly writable: boolean;
  readonly allowFilesystemRoot: boolean;
  /** A second path by which commands find it. */
  readonly shownAs?: string;
  /** Whether refusals do not name it. */
  readonly unnamed?: boolean;
}

const TIMEOUT_RANGE = { min: MIN_TIMEOUT_MS, max: MAX_TIMEOUT_MS, unit: 'milliseconds' } as const;
const GRACE_RANGE = { min: 0, max: MAX_GRACE_MS, unit: 'milliseconds' } as const;
const KEPT_RANGE = { min: 0, max: MAX_KEPT_BYTES, unit: 'bytes' } as const;
const SPILL_RANGE = { min: 0, max: MAX_SPILL_BYTES, unit: 'bytes' } as const;
const SPILL_TOTAL_RANGE = { min: 0, max: MAX_SPILL_TOTAL_BYTES, unit: 'bytes' } as const;
const CHARS_RANGE = { min: MIN_OUTPUT_CHARS, max: MAX_OUTPUT_CHARS, unit: 'characters' } as const;
const TOKENS_RANGE = { min: 0, max: MAX_EXCERPT_TOKENS, unit: 'tokens' } as const;

const OUTPUT_CHECKS = {
  headBytes: integer(KEPT_RANGE, DEFAULT_HEAD_BYTES),
  tailBytes: integer(KEPT_RANGE, DEFAULT_TAIL_BYTES),
  maxChars: (value: unknown, name: string) =>
    value === undefined ? undefined : integerOption(value, name, CHARS_RANGE, MIN_OUTPUT_CHARS),
  excerptTokens: integer(TOKENS_RANGE, 0),
  spillBytes: integer(SPILL_RANGE, DEFAULT_SPILL_BYTES),
  spillTotalBytes: spillTotalOption,
};

const CHECKS = {
  shell: (value: unknown, name: string) => nameOption(value, name, ['none', 'bash']) ?? 'none',
  allow: list(MAX_LIST_ENTRIES, ruleValue),
  deny: list(MAX_LIST_ENTRIES, ruleValue),
  ask: list(MAX_LIST_ENTRIES, ruleValue),
  trustInterpreters: (value: unknown, name: string) => listOption(value, name, MAX_LIST_ENTRIES, textValue) ?? [],
  cwd: textOption,
  roots: rootsOption,
  path: pathOption,
  env: environmentOption,
  git: gitOption,
  timeoutMs: (value: unknown) => timeoutOption(value),
  graceMs: integer(GRACE_RANGE, DEFAULT_GRACE_MS),
  output: outputOption,
  confine: confineOption,
  sandbox: (value: unknown, name: string) => nameOption(value, name, ['off']) ?? 'default',
  require: (value: unknown, name: string) => listOption(value, name, GUARANTEES.length, guaranteeValue) ?? [],
  redactor: redactorOption,
  approve: functionOption<Approve>,
};

/** The options with every default filled in. */
export type CheckedTerminalOptions = Checked<typeof CHECKS>;

/** Checks the options of a terminal. */
export function checkTerminalOptions(options: unknown): CheckedTerminalOptions {
  return withMaskedErrors(givenRedactor(options), () => checkedOptions(options, 'options', CHECKS));
}

/** Checks a `timeoutMs`, of a terminal or of one call. */
export function timeoutOption(value: unknown): number {
  return integerOption(value, 'timeoutMs', TIMEOUT_RANGE, DEFAULT_TIMEOUT_MS);
}

/** Checks `roots`, of a terminal or of the file engine. Undefined when absent. */
export function rootsOption(value: unknown, name = 'roots'): readonly CheckedRoot[] | undefined {
  return listOption(value, name, MAX_LIST_ENTRIES, rootValue);
}

const ROOT_CHECKS = {
  path: textValue,
  mode: oneOf(['rw', 'ro']),
  allowFilesystemRoot: (value: unknown, name: string) => booleanOption(value, name, false),
};

function rootValue(value: unknown, name: string): CheckedRoot {
  if (typeof value === 'string') {
    return Object.freeze({ path: path.resolve(textValue(value, name)), writable: true, allowFilesystemRoot: false });
  }
  const root = checkedOptions(value, name, ROOT_CHECKS, 'a path, or an object with `path`');
  const shownAs = secondPathOf(value as object);
  return Object.freeze({
    path: path.resolve(root.path),
    writable: root.mode !== 'ro',
    allowFilesystemRoot: root.allowFilesystemRoot,
    ...(shownAs === undefined ? {} : { shownAs }),
    ...(isNamed(value as object) ? {} : { unnamed: true }),
  });
}

const GIT_CHECKS = {
  hooks: (value: unknown, name: string) => nameOption(value, name, HOOK_CHOICES) ?? 'note',
};

function gitOption(value: unknown = {}, name = 'git'): Checked<typeof GIT_CHECKS> {
  return checkedOptions(value, name, GIT_CHECKS);
}

const PATH_CHECKS = { first: list(MAX_LIST_ENTRIES, absolutePath), last: list(MAX_LIST_ENTRIES, absolutePath) };

function pathOption(value: unknown, name: string): CheckedPath {
  if (value === undefined || Array.isArray(value)) {
    return { first: [], last: listOption(value, name, MAX_LIST_ENTRIES, absolutePath) ?? [] };
  }
  const { first = [], last = [] } = checkedOptions(
    value,
    name,
    PATH_CHECKS,
    'an array, or an object with `first` and `last`',
  );
  return { first, last };
}

function absolutePath(value: unknown, name: string): string {
  const text = textValue(value, name);
  if (!path.isAbsolute(text)) throw invalidArgument(name, 'an absolute path', value);
  return text;
}

function guaranteeValue(value: unknown, name: string): Guarantee {
  const guarantee = nameOption(value, name, GUARANTEES);
  if (guarantee === undefined) throw invalidArgument(name, 'the name of a guarantee', value);
  return guarantee;
}

function outputOption(value: unknown = {}, name = 'output'): Checked<typeof OUTPUT_CHECKS> {
  return checkedOptions(value, name, OUTPUT_CHECKS);
}

/** Checks the total size of the spill files of a terminal or a toolkit. Undefined when absent. */
export function spillTotalOption(value: unknown, name: string): number | undefined {
  return value === undefined ? undefined : integerOption(value, name, SPILL_TOTAL_RANGE, DEFAULT_SPILL_TOTAL_BYTES);
}

function redactorOption(value: unknown, name: string): Redactor | undefined {
  if (value === undefined || Redactor.isRedactor(value)) return value;
  throw invalidArgument(name, 'a Redactor made by this copy of handrail', value);
}
