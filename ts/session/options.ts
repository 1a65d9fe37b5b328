import {
  type Checked,
  checkedOptions,
  integer,
  invalidArgument,
  list,
  listOption,
  nameOption,
  optionsObject,
  signalOption,
  textOption,
  textValue,
} from '../config/validate.js';
import { HandrailError } from '../errors.js';
import type { NativePattern, NativeRead } from '../native/binding.js';
import { loadNative } from '../native/loader.js';
import { callNative } from '../native/unwrap.js';
import { type ConfineOptions, confineOption } from '../terminal/confine.js';
import { type EnvironmentOptions, environmentOption } from '../terminal/environment.js';
import { MAX_LIST_ENTRIES } from '../terminal/limits.js';
import {
  DEFAULT_COLUMNS,
  DEFAULT_HISTORY_BYTES,
  DEFAULT_QUIET_MS,
  DEFAULT_ROWS,
  DEFAULT_SESSION_OUTPUT_BYTES,
  DEFAULT_SESSION_TIMEOUT_MS,
  DEFAULT_SETTLE_MS,
  MAX_AWAITED_BYTES,
  MAX_HISTORY_BYTES,
  MAX_READY_MARKER_BYTES,
  MAX_READY_MARKERS,
  MAX_SESSION_TIMEOUT_MS,
  MAX_TERMINAL_SIZE,
} from './limits.js';
import { type RecordOptions, recordOption } from './record-options.js';

/** The options of a session. */
export interface SessionOptions {
  /** Arguments, when the command is a program alone. Default: none. */
  readonly args?: readonly string[] | undefined;
  /** Working directory; a relative one is joined to the toolkit's. Default: the toolkit's. */
  readonly cwd?: string | undefined;
  /** The variables that it sees in addition to the fixed ones; `TERM` is `xterm-256color`. Default: none of the host's. */
  readonly env?: EnvironmentOptions | undefined;
  /**
   * Texts that show that the program is ready for input, such as a prompt: up to 64 of up to 256 bytes. A marker counts
   * where the output ends with it and the program waits for its terminal. Default: none; then the program is ready when
   * it is quiet. A prompt at which it took input is known from then on, and ends a read at once.
   */
  readonly readyMarkers?: readonly string[] | undefined;
  /** Width of its terminal, in characters. Default: 200. Range: 1 to 10,000. */
  readonly cols?: number | undefined;
  /** Height of its terminal, in rows. Default: 50. Range: 1 to 10,000. */
  readonly rows?: number | undefined;
  /** Cleaned text that is kept, in bytes. Default: 4 MiB. Range: 4,096 to 64 MiB. */
  readonly historyBytes?: number | undefined;
  /**
   * The path of a file to which what the terminal shows is recorded as asciicast v2, secrets masked; or `RecordOptions`.
   * What is typed is not recorded. A failure to write is a process warning with the code `HANDRAIL_RECORD`, and ends the
   * recording, not the session. Default: nothing is recorded.
   */
  readonly record?: string | RecordOptions | undefined;
  /**
   * What the kernel enforces on the program and everything that it starts. Default: `exec` is `'any'`; the others are
   * those of `confine` of the toolkit's terminal, and where that has none, `writes` follows from the roots and `remove`
   * is `'yes'`. With `exec: 'listed'` the program itself may run, and the programs in `allow` of the terminal.
   */
  readonly confine?: ConfineOptions | undefined;
}

/** Something that a read waits for, whether the program is ready or not: exactly one key. */
export type SessionAwaited =
  | {
      /** A text in the output since the last answer, as it is shown. Length: 1 to 1,024 bytes. */
      readonly text: string;
    }
  | {
      /**
       * A regular expression that matches within a line of this output, in the syntax of Rust's `regex`. Length: 1 to
       * 1,024 bytes.
       */
      readonly pattern: string;
    }
  | {
      /** A TCP port that a process of the session listens on. Range: 1 to 65,535. */
      readonly port: number;
    }
  | {
      /** No output for so long, in milliseconds. Range: 0 to 60,000. */
      readonly quietMs: number;
    };

/** The options that say when a read of a session ends. */
export interface SessionReadOptions {
  /**
   * `'ready'`: the read ends at a marker, or where there are none when the program is quiet. `'quiet'`: when it is
   * quiet. `'now'`: at once, with the output that there is. An object: when that comes, or cannot come any more because
   * the program waits for input and nothing else runs. Default: `'ready'`.
   */
  readonly until?: 'ready' | 'quiet' | 'now' | SessionAwaited | undefined;
  /** Longest time that the read takes, in milliseconds. Default: 20,000. Range: 0 to 86,400,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Time to wait after a marker where the kernel cannot confirm that the program waits, in milliseconds. Default: 200.
   * Range: 0 to 60,000.
   */
  readonly settleMs?: number | undefined;
  /** A program that has written nothing for this long is quiet; in milliseconds. Default: 80. Range: 0 to 60,000. */
  readonly quietMs?: number | undefined;
  /** Most bytes of the answer; further ones are in the history only. Default: 2 MiB. Range: 1 to 64 MiB. */
  readonly maxOutputBytes?: number | undefined;
  /**
   * Which part an answer has that is longer than `maxOutputBytes`. `'start'`: its start, and the read ends with `limit`.
   * `'end'`: its end; the read ends when it would without a limit. Default: `'start'`.
   */
  readonly keep?: 'start' | 'end' | undefined;
  /** Ends the read, with the output that there is, when it fires. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

const MIN_HISTORY_BYTES = 4_096;
const MAX_PAUSE_MS = 60_000;

const HISTORY_RANGE = { min: MIN_HISTORY_BYTES, max: MAX_HISTORY_BYTES, unit: 'bytes' };
const SIZE_RANGE = { min: 1, max: MAX_TERMINAL_SIZE, unit: 'characters' };
const PAUSE_RANGE = { min: 0, max: MAX_PAUSE_MS, unit: 'milliseconds' };
const PORT_RANGE = { min: 1, max: 65_535, unit: 'ports' };
export const TIMEOUT_RANGE = { min: 0, max: MAX_SESSION_TIMEOUT_MS, unit: 'milliseconds' };
const OUTPUT_RANGE = { min: 1, max: MAX_HISTORY_BYTES, unit: 'bytes' };

const CHECKS = {
  args: list(MAX_LIST_ENTRIES, argumentValue),
  cwd: textOption,
  env: environmentOption,
  readyMarkers: checkMarkers,
  cols: integer(SIZE_RANGE, DEFAULT_COLUMNS),
  rows: integer(SIZE_RANGE, DEFAULT_ROWS),
  historyBytes: integer(HISTORY_RANGE, DEFAULT_HISTORY_BYTES),
  record: recordOption,
  confine: confineOption,
};

/** One check for each key of `SessionAwaited`. `integer` has a default, which no check gets to use: the key is there. */
const AWAITED_CHECKS = {
  text: awaitedText,
  pattern: awaitedPattern,
  port: integer(PORT_RANGE, PORT_RANGE.min),
  quietMs: integer(PAUSE_RANGE, PAUSE_RANGE.min),
};
const UNTIL_WORDS = ['ready', 'quiet', 'now'] as const;
const AWAITED_KEYS = ['text', 'pattern', 'port', 'quietMs'] as const;

const READ_CHECKS = {
  until: untilOption,
  timeoutMs: integer(TIMEOUT_RANGE, DEFAULT_SESSION_TIMEOUT_MS),
  settleMs: integer(PAUSE_RANGE, DEFAULT_SETTLE_MS),
  quietMs: integer(PAUSE_RANGE, DEFAULT_QUIET_MS),
  maxOutputBytes: integer(OUTPUT_RANGE, DEFAULT_SESSION_OUTPUT_BYTES),
  keep: (value: unknown, name: string) => nameOption(value, name, ['start', 'end'] as const) ?? 'start',
  signal: signalOption,
};

const WATCH_CHECKS = { since: positionOption, signal: signalOption };

/** Checked options of a session. */
export type CheckedSessionOptions = Checked<typeof CHECKS>;

/** Checks the options of a session. */
export function checkSessionOptions(options: unknown): CheckedSessionOptions {
  return checkedOptions(options, 'options', CHECKS);
}

/** Checks the size of a terminal. */
export function checkSize(cols: unknown, rows: unknown): { readonly cols: number; readonly rows: number } {
  return { cols: CHECKS.cols(cols, 'cols'), rows: CHECKS.rows(rows, 'rows') };
}

/** Checks markers. An empty marker is refused: every text ends with it. */
export function checkMarkers(value: unknown = []): readonly string[] {
  return listOption(value, 'readyMarkers', MAX_READY_MARKERS, markerValue) ?? [];
}

function markerValue(value: unknown, name: string): string {
  const marker = textValue(value, name);
  if (Buffer.byteLength(marker) <= MAX_READY_MARKER_BYTES) return marker;
  throw new HandrailError('ERR_INVALID_ARGUMENT', `\`${name}\` is longer than ${MAX_READY_MARKER_BYTES} bytes`, {
    data: { name },
  });
}

function argumentValue(value: unknown, name: string): string {
  if (typeof value !== 'string') throw invalidArgument(name, 'a string', value);
  return value;
}

/** Checks the options of `watch()`. */
export function checkWatch(options: unknown): Checked<typeof WATCH_CHECKS> {
  return checkedOptions(options, 'options', WATCH_CHECKS);
}

/** Checks a position in the history. */
export function positionOption(value: unknown, name: string): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0)) return value as number | undefined;
  throw invalidArgument(name, 'a position in the history', value);
}

/** Checked options of a read. */
export interface CheckedRead {
  readonly read: NativeRead;
  readonly signal: AbortSignal | undefined;
  /** What the read waits for beside readiness. */
  readonly awaited: SessionAwaited | undefined;
}

/** Checks the options of a read. */
export function checkRead(options: unknown): CheckedRead {
  const { signal, maxOutputBytes: maxBytes, keep, until, ...read } = checkedOptions(options, 'options', READ_CHECKS);
  const awaited = typeof until === 'string' ? undefined : until;
  return { signal, awaited, read: { ...read, maxBytes, keepsEnd: keep === 'end', ...nativeUntil(until) } };
}

type Until = 'ready' | 'quiet' | 'now' | SessionAwaited;

function untilOption(value: unknown, name: string): Until {
  if (typeof value !== 'object' || value === null) return nameOption(value, name, UNTIL_WORDS) ?? 'ready';
  return awaitedOption(value, name);
}

/** Checks what is waited for: an object with one key. */
export function awaitedOption(value: unknown, name: string): SessionAwaited {
  const given = optionsObject(value, name, Object.keys(AWAITED_CHECKS));
  const keys = AWAITED_KEYS.filter((key) => given[key] !== undefined);
  const [key, other] = keys;
  if (key === undefined || other !== undefined) {
    throw new HandrailError('ERR_INVALID_ARGUMENT', `Give one of ${AWAITED_KEYS.join(', ')} in \`${name}\``, {
      data: { name },
    });
  }
  return Object.freeze({ [key]: AWAITED_CHECKS[key](given[key], `${name}.${key}`) }) as unknown as SessionAwaited;
}

function awaitedText(value: unknown, name: string): string {
  const text = textValue(value, name);
  if (Buffer.byteLength(text) <= MAX_AWAITED_BYTES) return text;
  throw new HandrailError('ERR_INVALID_ARGUMENT', `\`${name}\` is longer than ${MAX_AWAITED_BYTES} bytes`, {
    data: { name },
  });
}

function awaitedPattern(value: unknown, name: string): string {
  const pattern = awaitedText(value, name);
  compiledPattern(pattern);
  return pattern;
}

/** A pattern that texts can be compared with. Refuses what is none. */
export function compiledPattern(pattern: string): NativePattern {
  const { binding } = loadNative();
  return callNative(() => new binding.NativePattern(pattern));
}

function nativeUntil(until: Until): Pick<NativeRead, 'until' | 'awaited' | 'awaitedNumber'> {
  if (typeof until === 'string') return { until };
  if ('text' in until) return { until: 'text', awaited: until.text };
  if ('pattern' in until) return { until: 'pattern', awaited: until.pattern };
  if ('port' in until) return { until: 'port', awaitedNumber: until.port };
  return { until: 'silence', awaitedNumber: until.quietMs };
}
