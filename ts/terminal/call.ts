import path from 'node:path';

import {
  booleanOption,
  type Checked,
  checkedOptions,
  functionOption,
  invalidArgument,
  signalOption,
  textOption,
} from '../config/validate.js';
import { HandrailError } from '../errors.js';
import type { NativeCall } from '../native/binding.js';
import type { Approve } from './approval.js';
import { checkCommand } from './command.js';
import { isStdinSource, type StdinSource } from './input.js';
import { MAX_STDIN_BYTES } from './limits.js';
import { timeoutOption } from './options.js';
import type { ProgramLayer } from './program-layer.js';
import type { SpillFolders } from './spill-folders.js';

/** A piece of output of a running command: cleaned, redacted, and never cut within a character. */
export interface OutputChunk {
  /** The output that the command wrote it to. With `merge`, always `stdout`. */
  readonly stream: 'stdout' | 'stderr';
  /** Never empty. */
  readonly text: string;
}

/** The options of one `run()`. */
export interface RunOptions {
  /** Working directory; a relative one is joined to the terminal's. Default: the terminal's. */
  readonly cwd?: string | undefined;
  /** Time the command gets, in milliseconds. Default: the terminal's. Range: 1 to 86,400,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * The standard input of the command: up to 16 MiB, or a source of pieces of any total length, such as a `Readable` or
   * a web stream. A source is read when the command has started, not before, and only as fast as the command reads.
   * When the command ends, or has closed its input, the source is given up: a stream is destroyed or cancelled, an
   * iterator's `return` is called. A source that fails ends the command; its result has the failure `input_failed`.
   * Default: nothing (/dev/null).
   */
  readonly stdin?: string | Uint8Array | StdinSource | undefined;
  /** Ends the command when it fires; the result then has status `cancelled`. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called in order with each piece of output while the command runs. When it returns a promise, the next piece waits
   * for it, and so does a command that writes faster. An exception or a rejection ends the command, and `run()` rejects
   * with that error. Pieces are whole lines, except for the last one and for a prompt: after 150 ms without output the
   * beginning of an unfinished line is given, as far as no later text could become a secret with it (see
   * `RedactionStream.idle()`), and the rest when the line ends. When the command writes over a beginning that was
   * given, the line is given again from its start, on a row of its own. After the command has moved its cursor to
   * another row, as programs that repaint do, the last 60 rows are given when more rows follow, or at the end.
   *
   * Each of the two outputs is masked by itself here. When the command writes one half of a secret to standard output
   * and the other half to standard error, the secret is masked in `output`, but both halves come here as they are. With
   * `merge` they are masked here too. Default: none.
   */
  readonly onOutput?: ((chunk: OutputChunk) => unknown) | undefined;
  /**
   * Gives the command one pipe for both of its outputs. Their order is then exact, and everything counts as `stdout`.
   * Default: false.
   */
  readonly merge?: boolean | undefined;
  /** Asked in place of the terminal's own `approve` when the policy leaves the command open. Default: the terminal's. */
  readonly approve?: Approve | undefined;
}

/** The options of one `stream()`. It has no `onOutput`: the loop gets the output. */
export type StreamOptions = Omit<RunOptions, 'onOutput'>;

const CHECKS = {
  cwd: textOption,
  timeoutMs: (value: unknown) => (value === undefined ? undefined : timeoutOption(value)),
  stdin: stdinOption,
  signal: signalOption,
  onOutput: functionOption<(chunk: OutputChunk) => unknown>,
  merge: (value: unknown, name: string) => booleanOption(value, name, false),
  approve: functionOption<Approve>,
};

/** What a toolkit adds to a call. */
export interface CallParts {
  /** Who sees the file with the whole output; undefined for the host. */
  readonly caller?: string | undefined;
  /** Given for a job: gets the number of its run when that has started. */
  readonly onStart?: ((run: number) => void) | undefined;
  /** The layer of a job, which the job holds as well. */
  readonly layer?: ProgramLayer | undefined;
  /** Whether the owner of a job has ended it. */
  readonly isWantedEnd?: (() => boolean) | undefined;
}

/** The checked arguments of one call. */
export interface CheckedCall extends Omit<Checked<typeof CHECKS>, 'cwd' | 'timeoutMs'>, CallParts {
  /** The same value is judged and run. */
  readonly command: string | string[];
  readonly cwd: string;
  readonly timeoutMs: number;
}

/** Checks the arguments of `run()`; `defaults` has what the call leaves out. */
export function checkCall(
  command: unknown,
  options: unknown,
  defaults: { readonly cwd: string; readonly timeoutMs: number },
): CheckedCall {
  const checked = checkedOptions(options, 'options', CHECKS);
  return {
    ...checked,
    command: checkCommand(command),
    cwd: joinDirectory(defaults.cwd, checked.cwd),
    timeoutMs: checked.timeoutMs ?? defaults.timeoutMs,
  };
}

/**
 * A path to `directory`, which may be relative to `base`. Nothing is resolved here: only when the directory is opened
 * are `..` and links followed, beneath the roots.
 */
function joinDirectory(base: string, directory: string | undefined): string {
  if (directory === undefined) return base;
  return path.isAbsolute(directory) ? directory : `${base}/${directory}`;
}

function stdinOption(value: unknown): Uint8Array | StdinSource | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' && !(value instanceof Uint8Array)) {
    if (isStdinSource(value)) return value;
    throw invalidArgument('stdin', 'a string, a Uint8Array, a stream or an async iterable', value);
  }
  // A copy: the caller could change the bytes before they are written.
  const bytes = Buffer.from(value as Uint8Array);
  if (bytes.length > MAX_STDIN_BYTES) {
    throw new HandrailError(
      'ERR_INVALID_ARGUMENT',
      `Expected \`stdin\` to have at most ${MAX_STDIN_BYTES} bytes, got ${bytes.length}`,
      { data: { name: 'stdin' } },
    );
  }
  return bytes;
}

/** Whether the signal of a call has fired. */
export function isAborted({ signal }: CheckedCall): boolean {
  return signal?.aborted === true;
}

/** The call in the form that the binding takes. */
export function nativeCall(
  call: CheckedCall,
  approved: boolean,
  spills: SpillFolders,
  layer: ProgramLayer | undefined,
): NativeCall {
  const spill = spills.of(call.caller);
  return {
    cwd: call.cwd,
    timeoutMs: call.timeoutMs,
    ...(call.stdin instanceof Uint8Array ? { stdin: call.stdin } : {}),
    piped: call.stdin !== undefined && !(call.stdin instanceof Uint8Array),
    merge: call.merge,
    stream: call.onOutput !== undefined,
    approved,
    job: call.onStart !== undefined,
    ...(spill === undefined ? {} : { spill }),
    ...(layer === undefined ? {} : { layer: layer.folder }),
  };
}
