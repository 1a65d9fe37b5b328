import { statSync } from 'node:fs';
import path from 'node:path';
import { type Environment, hostEnvironment } from '../config/host-environment.js';
import { invalidVariable, jsonHint, type ListKind, listVariable } from '../config/lists.js';
import { programProblem } from '../config/program-names.js';
import { environmentArgument } from '../config/validate.js';
import { isHandrailError } from '../errors.js';
import { MAX_REDACTION_ENTRIES } from '../redaction/options.js';
import { Redactor } from '../redaction/redactor.js';
import { MAX_OUTPUT_CHARS } from '../redaction/text.js';
import { MAX_KEPT_BYTES, MAX_LIST_ENTRIES } from '../terminal/limits.js';

/** Default of `TERMINAL_TIMEOUT_SECONDS`. */
export const DEFAULT_TERMINAL_TIMEOUT_SECONDS = 5;

/** Default of `TERMINAL_OUTPUT_CAP_BYTES`. */
export const DEFAULT_TERMINAL_OUTPUT_CAP_BYTES = 8_192;

/** Default of `TERMINAL_FUNCTION_OUTPUT_MAX_CHARS`. */
export const DEFAULT_TERMINAL_FUNCTION_OUTPUT_MAX_CHARS = 1_000;

const MIN_TIMEOUT_SECONDS = 0.001;
const MAX_TIMEOUT_SECONDS = 86_400;

/** The policy of the `TERMINAL_*` variables. Frozen, its lists too. */
export interface TerminalPolicy {
  /** `TERMINAL_ALLOWED_COMMANDS`: programs that may run. Unset or empty: none. */
  readonly allowedCommands: readonly string[];
  /** `TERMINAL_DENY_COMMANDS`: whole program names that may not run. Wins. Default: none. */
  readonly denyCommands: readonly string[];
  /**
   * `TERMINAL_TRUSTED_INTERPRETERS`: interpreters whose code is not judged. Default: none.
   */
  readonly trustedInterpreters: readonly string[];
  /** `TERMINAL_TIMEOUT_SECONDS`: time limit of a command, in seconds. Default: 5. Range: 0.001 to 86,400. */
  readonly timeoutSeconds: number;
  /** `TERMINAL_OUTPUT_CAP_BYTES`: output kept, in bytes. Default: 8,192. Range: 1 to 64 MiB. */
  readonly outputCapBytes: number;
  /**
   * `TERMINAL_FUNCTION_OUTPUT_MAX_CHARS`: most Unicode characters after the status line.
   * Default: 1,000. Range: 1 to 1,000,000,000.
   */
  readonly functionOutputMaxChars: number;
  /** `TERMINAL_REDACT_SUBSTRINGS`: texts that are always masked. Default: none. */
  readonly redactSubstrings: readonly string[];
  /** `TERMINAL_REDACT_PATTERNS`: regular expressions that are always masked. Default: none. */
  readonly redactPatterns: readonly string[];
  /**
   * `TERMINAL_SANDBOX_CWD`: absolute path of the directory that commands must start in or below. Undefined: anywhere.
   */
  readonly sandboxCwd: string | undefined;
}

/** Every variable that is read, in a fixed order. */
const VARIABLES = [
  'TERMINAL_ALLOWED_COMMANDS',
  'TERMINAL_DENY_COMMANDS',
  'TERMINAL_TRUSTED_INTERPRETERS',
  'TERMINAL_TIMEOUT_SECONDS',
  'TERMINAL_OUTPUT_CAP_BYTES',
  'TERMINAL_FUNCTION_OUTPUT_MAX_CHARS',
  'TERMINAL_REDACT_SUBSTRINGS',
  'TERMINAL_REDACT_PATTERNS',
  'TERMINAL_SANDBOX_CWD',
] as const;

/**
 * Reads the terminal policy from environment variables.
 *
 * The entries of a list are separated by commas. A value that starts with `[` is a JSON array of strings, so that an
 * entry may contain a comma. Patterns are compiled here, so that a wrong pattern is reported at once.
 *
 * @param env Variables by name, each a string or undefined. Default: `process.env`.
 * @throws HandrailError `ERR_INVALID_CONFIG` with the variable and the place in it, never with a value.
 * `ERR_INVALID_ARGUMENT` when `env` is no object or a variable is no string.
 * @example
 * ```ts
 * import { loadTerminalPolicyFromEnv } from 'handrail';
 *
 * const policy = loadTerminalPolicyFromEnv({ TERMINAL_ALLOWED_COMMANDS: 'git,ls' });
 * console.log(policy.allowedCommands, policy.timeoutSeconds); // [ 'git', 'ls' ] 5
 * ```
 */
export function loadTerminalPolicyFromEnv(env: Environment = hostEnvironment()): TerminalPolicy {
  return policyOf(environmentArgument(env, VARIABLES));
}

function policyOf(env: Environment): TerminalPolicy {
  const list = (variable: (typeof VARIABLES)[number], kind: ListKind): readonly string[] => {
    const entries = listVariable(variable, env[variable], kind);
    const maximum = kind === 'programs' ? MAX_LIST_ENTRIES : MAX_REDACTION_ENTRIES;
    if (entries.length > maximum) throw invalidVariable(variable, `has more than ${maximum} entries`);
    return entries;
  };
  const policy: TerminalPolicy = Object.freeze({
    allowedCommands: list('TERMINAL_ALLOWED_COMMANDS', 'programs'),
    denyCommands: list('TERMINAL_DENY_COMMANDS', 'programs'),
    trustedInterpreters: list('TERMINAL_TRUSTED_INTERPRETERS', 'programs'),
    timeoutSeconds: numberVariable(env, 'TERMINAL_TIMEOUT_SECONDS', {
      fallback: DEFAULT_TERMINAL_TIMEOUT_SECONDS,
      min: MIN_TIMEOUT_SECONDS,
      max: MAX_TIMEOUT_SECONDS,
      kind: 'a number of seconds',
    }),
    outputCapBytes: numberVariable(env, 'TERMINAL_OUTPUT_CAP_BYTES', {
      fallback: DEFAULT_TERMINAL_OUTPUT_CAP_BYTES,
      min: 1,
      max: MAX_KEPT_BYTES,
      kind: 'a whole number of bytes',
    }),
    functionOutputMaxChars: numberVariable(env, 'TERMINAL_FUNCTION_OUTPUT_MAX_CHARS', {
      fallback: DEFAULT_TERMINAL_FUNCTION_OUTPUT_MAX_CHARS,
      min: 1,
      max: MAX_OUTPUT_CHARS,
      kind: 'a whole number of characters',
    }),
    redactSubstrings: list('TERMINAL_REDACT_SUBSTRINGS', 'texts'),
    redactPatterns: list('TERMINAL_REDACT_PATTERNS', 'patterns'),
    sandboxCwd: directoryVariable(env, 'TERMINAL_SANDBOX_CWD'),
  });
  assertPrograms('TERMINAL_ALLOWED_COMMANDS', policy.allowedCommands, true);
  assertPrograms('TERMINAL_DENY_COMMANDS', policy.denyCommands, true);
  assertPrograms('TERMINAL_TRUSTED_INTERPRETERS', policy.trustedInterpreters, false);
  assertSubstrings(policy.redactSubstrings);
  assertPatterns(policy.redactPatterns, env['TERMINAL_REDACT_PATTERNS'] ?? '');
  return policy;
}

/**
 * A key that is equal for environments with the same policy. It holds the values: keep it in memory only.
 *
 * @internal
 */
export function terminalPolicyKey(env: Environment = hostEnvironment()): string {
  const variables: Environment = environmentArgument(env, VARIABLES);
  return JSON.stringify(VARIABLES.map((variable) => variables[variable] ?? null));
}

interface NumberRange {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
  /** The expected number in words. With the word `whole`, only whole numbers are accepted. */
  readonly kind: string;
}

const DECIMAL = /^\+?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function numberVariable(env: Environment, variable: string, range: NumberRange): number {
  const text = env[variable]?.trim() ?? '';
  if (text === '') return range.fallback;
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN;
  const isWholeOnly = range.kind.includes('whole');
  if (!(number >= range.min && number <= range.max) || (isWholeOnly && !Number.isInteger(number))) {
    throw invalidVariable(variable, `is not ${range.kind} from ${range.min} to ${range.max}`);
  }
  return number;
}

function directoryVariable(env: Environment, variable: string): string | undefined {
  const text = env[variable] ?? '';
  if (text.trim() === '') return undefined;
  const directory = path.resolve(text);
  // Fails early with a clear message. Access is checked when the directory is opened.
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw invalidVariable(variable, 'does not name a directory that exists');
  }
  return directory;
}

function assertPrograms(variable: string, programs: readonly string[], paths: boolean): void {
  for (const [index, program] of programs.entries()) {
    const problem = programProblem(program, paths);
    if (problem !== undefined) throw invalidVariable(variable, `entry ${index + 1} ${problem}`);
  }
}

/** Checks each text alone, so that the message can say which one is wrong. */
function assertSubstrings(substrings: readonly string[]): void {
  for (const [index, substring] of substrings.entries()) {
    try {
      new Redactor({ substrings: [substring], rules: 'none' });
    } catch (error) {
      throw invalidEntry('TERMINAL_REDACT_SUBSTRINGS', index, error);
    }
  }
}

/** Compiles each pattern alone, so that the message can say which one is wrong. */
function assertPatterns(patterns: readonly string[], source: string): void {
  // Only a list with commas can have split a pattern that contains a comma.
  const isSplit = source.includes(',') && !source.trim().startsWith('[');
  const hint = isSplit ? `; if it has a comma in it, ${jsonHint('patterns')}` : '';
  for (const [index, pattern] of patterns.entries()) {
    try {
      new Redactor({ patterns: [pattern], rules: 'none' });
    } catch (error) {
      throw invalidEntry('TERMINAL_REDACT_PATTERNS', index, error, hint);
    }
  }
}

/** What the redactor says about one entry, as said of the variable. Other errors stay as they are. */
function invalidEntry(variable: string, index: number, error: unknown, hint = ''): unknown {
  if (!isHandrailError(error) || !ENTRY_CODES.has(error.code)) return error;
  const problem = error.message
    .replace(/^(?:patterns|substrings)\[0\] /, '')
    .replace(/^Expected `(?:patterns|substrings)\[0\]` to be /, 'must be ');
  return invalidVariable(variable, `entry ${index + 1} ${problem}${hint}`, error);
}

const ENTRY_CODES: ReadonlySet<string> = new Set(['ERR_INVALID_ARGUMENT', 'ERR_INVALID_PATTERN']);
