import type { NativeResult } from '../native/binding.js';
import type { TextCut } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import type { Excerpt } from '../redaction/text.js';
import type { Blocked } from './blocked.js';
import type { Decision, Denial } from './decision.js';
import { endOf, type Failure, failureOf, type ProgramEnd, type SandboxReport } from './end.js';
import type { LimitMet } from './limit.js';
import type { StagedChanges } from './staged.js';
import { type ProcessNote, processNote, type Survivors, survivorsOf } from './survivors.js';

/**
 * How a run ended.
 *
 * | status | meaning |
 * | --- | --- |
 * | `exited` | the program ended by itself; `exitCode` says how |
 * | `signaled` | a signal ended the program, which did not come from a deadline or an abort |
 * | `timed_out` | the deadline passed; the output until then is kept |
 * | `limited` | it met a limit of `confine.limits` and was ended; `limit` says which, the output until then is kept |
 * | `denied` | policy, roots or approver said no; nothing ran |
 * | `cancelled` | the abort signal fired or the terminal was closed |
 * | `spawn_failed` | the command was allowed but could not be started, or its supervisor was lost; see `failure` |
 */
export type CommandStatus = 'exited' | 'signaled' | 'timed_out' | 'limited' | 'denied' | 'cancelled' | 'spawn_failed';

/** A file with an output that did not fit. */
export interface Spill {
  /**
   * Absolute path, outside every root. The file is removed when the terminal is closed, and earlier when later files
   * need its space: see `spillTotalBytes` of `OutputOptions`.
   */
  readonly path: string;
  /** Bytes in the file when the command ended. */
  readonly bytes: number;
  /** False when the file holds the beginning only, because it reached its limit or other files left no space. */
  readonly complete: boolean;
}

/** What a model gets of a text that is no output of a run, where not all of it fits. */
export interface TextDigest {
  readonly excerpt: Excerpt;
  /** The file with the whole text. */
  readonly spill?: Spill;
}

/** The fields that every `CommandResult` has, whatever its status. */
export interface CommandReport {
  /** How it ended. */
  readonly status: CommandStatus;
  /** True only for `exited` with exit code 0. */
  readonly ok: boolean;
  /** The program's own code. Null unless the status is `exited`. */
  readonly exitCode: number | null;
  /** Name of the signal that ended the program, such as `SIGKILL`. Null unless the status is `signaled`. */
  readonly signal: string | null;
  /** Whether the status is `timed_out`. */
  readonly timedOut: boolean;
  /** Whether one of the texts was cut. */
  readonly truncated: boolean;
  /** What each text lacks. It has no entry for a text that is whole, and is absent when all of them are. */
  readonly cuts?: {
    /** Of `output`. */
    readonly output?: TextCut;
    /** Of `stdout`. */
    readonly stdout?: TextCut;
    /** Of `stderr`. */
    readonly stderr?: TextCut;
  };
  /** Both outputs in the order they were read: cleaned, redacted, head and tail. Empty when nothing ran. */
  readonly output: string;
  /**
   * The lines that a model should read when `output` has more tokens than `excerptTokens` of the options: errors, rare
   * and new lines, headings, beginning and end. Absent when everything fits, or when no excerpt was asked for.
   */
  readonly excerpt?: Excerpt;
  /** The standard output alone, bounded in the same way. */
  readonly stdout: string;
  /** The standard error alone, bounded in the same way. Empty with `merge`. */
  readonly stderr: string;
  /** From the start to the end of the run, in milliseconds. 0 when nothing ran. */
  readonly durationMs: number;
  /** Exact counts of bytes: those that the command wrote, and those of `output` that were kept and left out. */
  readonly bytes: {
    /** Bytes the command wrote to its standard output. */
    readonly stdout: number;
    /** Bytes the command wrote to its standard error. */
    readonly stderr: number;
    /** Bytes of `output` that were kept. */
    readonly kept: number;
    /** Bytes of `output` that were left out. */
    readonly omitted: number;
  };
  /** The file with the whole output. Absent when everything fitted, spilling is off or there was no space for a file. */
  readonly spill?: Spill;
  /** Secrets that were masked in the outputs. */
  readonly redactions: number;
  /** Why it was allowed or denied. */
  readonly decision: Decision;
  /** What the kernel enforced on the command. */
  readonly sandbox: SandboxReport;
  /**
   * Processes of the run that could not be ended; usually empty. `'unknown'` where Handrail's own processes were
   * killed, so that nobody has looked.
   */
  readonly survivors: Survivors;
  /** Processes that still ran when the program had ended, and were killed. Absent when there were none. */
  readonly pipesHeldBy?: readonly ProcessNote[];
  /** Resources that the program and all of its descendants used. Zeros when nothing ran. */
  readonly usage: {
    /** Processor time of programs, in milliseconds. */
    readonly userMs: number;
    /** Processor time of the kernel, in milliseconds. */
    readonly systemMs: number;
    /** Most memory one of the processes held, in bytes. */
    readonly maxRssBytes: number;
  };
  /** The limit that it met. Absent unless the status is `limited`. */
  readonly limit?: LimitMet;
  /** A failure that the program did not cause; the table at `Failure` has the codes. Absent when there was none. */
  readonly failure?: Failure;
  /**
   * Up to three refusals of the kernel, read from the output of a command that failed. Absent when none was recognised.
   */
  readonly blocked?: readonly Blocked[];
  /**
   * What became of its changes, with `changes: 'staged'` of the toolkit. Absent where the toolkit's commands write into the roots,
   * where nothing ran, and where Handrail has ended it: then nothing has changed.
   */
  readonly staged?: StagedChanges;
}

/** The program ended by itself. */
export interface ExitedCommand extends CommandReport {
  /** How it ended. */
  readonly status: 'exited';
  /** The program's own code. */
  readonly exitCode: number;
  /** No signal did. */
  readonly signal: null;
  /** It had time. */
  readonly timedOut: false;
}

/** A signal ended the program. */
export interface SignaledCommand extends CommandReport {
  /** How it ended. */
  readonly status: 'signaled';
  /** Never. */
  readonly ok: false;
  /** There is none. */
  readonly exitCode: null;
  /** Its name, such as `SIGKILL`. */
  readonly signal: string;
  /** The signal did not come from a deadline. */
  readonly timedOut: false;
}

/** The command was ended at its deadline. */
export interface TimedOutCommand extends CommandReport {
  /** How it ended. */
  readonly status: 'timed_out';
  /** Never. */
  readonly ok: false;
  /** There is none. */
  readonly exitCode: null;
  /** Which signal it took is not told. */
  readonly signal: null;
  /** Always. */
  readonly timedOut: true;
}

/** The command met a limit, and was ended with everything that it had started. */
export interface LimitedCommand extends CommandReport {
  /** How it ended. */
  readonly status: 'limited';
  /** Never. */
  readonly ok: false;
  /** There is none. */
  readonly exitCode: null;
  /** Which signal it took is not told. */
  readonly signal: null;
  /** It had time. */
  readonly timedOut: false;
  /** Which limit. */
  readonly limit: LimitMet;
}

/** The command was ended by the caller, or did not start any more. */
export interface CancelledCommand extends CommandReport {
  /** How it ended. */
  readonly status: 'cancelled';
  /** Never. */
  readonly ok: false;
  /** There is none. */
  readonly exitCode: null;
  /** Which signal it took is not told. */
  readonly signal: null;
  /** It had time. */
  readonly timedOut: false;
}

/** The command was refused; nothing ran. */
export interface DeniedCommand extends CommandReport {
  /** How it ended. */
  readonly status: 'denied';
  /** Never. */
  readonly ok: false;
  /** There is none. */
  readonly exitCode: null;
  /** There is none. */
  readonly signal: null;
  /** It had time. */
  readonly timedOut: false;
  /** Why, the decisive reason first. */
  readonly decision: Denial;
}

/** The command was allowed and could not be started, or its supervisor was lost. */
export interface FailedCommand extends CommandReport {
  /** How it ended. */
  readonly status: 'spawn_failed';
  /** Never. */
  readonly ok: false;
  /** There is none. */
  readonly exitCode: null;
  /** There is none. */
  readonly signal: null;
  /** It had time. */
  readonly timedOut: false;
  /** What went wrong; the codes are those of `CommandReport`. */
  readonly failure: Failure;
}

/**
 * The result of one command: the same shape whatever happened. Its `status` tells the compiler what is there: an exit
 * code of one that exited, the signal of one that was signaled, the denial, the failure of a start.
 */
export type CommandResult =
  | ExitedCommand
  | SignaledCommand
  | TimedOutCommand
  | LimitedCommand
  | CancelledCommand
  | DeniedCommand
  | FailedCommand;

/** The values that all results of one terminal share. */
export interface ResultContext {
  readonly redactor: Redactor;
  readonly profile: 'default' | 'off';
}

/** The result of a command that ran. `blocked` are the refusals of the kernel. */
export function resultOfRun(
  native: NativeResult,
  decision: Decision,
  context: ResultContext,
  blocked: readonly Blocked[],
): CommandResult {
  const { end, streams, spill } = native;
  const truncated = Object.keys(streams.cuts).length > 0;
  // The binding begins the file before it knows whether anything is left out of the result.
  const isSpilled = spill !== undefined && (truncated || native.excerpt !== undefined);
  return {
    ...commandEnd(endOf(end, context.redactor)),
    truncated,
    ...(truncated ? { cuts: streams.cuts } : {}),
    output: native.output,
    ...(native.excerpt === undefined ? {} : { excerpt: native.excerpt }),
    stdout: native.stdout,
    stderr: native.stderr,
    durationMs: native.durationMs,
    bytes: {
      stdout: streams.stdoutBytes,
      stderr: streams.stderrBytes,
      kept: streams.keptBytes,
      omitted: streams.omittedBytes,
    },
    ...(isSpilled ? { spill } : {}),
    redactions: native.redactions,
    decision,
    sandbox: { profile: context.profile, enforced: end.sandbox },
    survivors: survivorsOf(end, context.redactor),
    ...(end.leftovers.length === 0
      ? {}
      : { pipesHeldBy: end.leftovers.map((note) => processNote(note, context.redactor)) }),
    usage: native.usage,
    ...(blocked.length === 0 ? {} : { blocked }),
  };
}

const NEVER_RAN = { ok: false, exitCode: null, signal: null, timedOut: false } as const;

/** An end with `ok` and `timedOut`, which follow from it. */
function commandEnd(end: ProgramEnd) {
  switch (end.status) {
    case 'exited':
      return { ...end, ok: end.exitCode === 0, timedOut: false } as const;
    case 'timed_out':
      return { ...end, ok: false, timedOut: true } as const;
    default:
      return { ...end, ok: false, timedOut: false } as const;
  }
}

/** The result of a command that was refused. */
export function deniedResult(decision: Decision, context: ResultContext): DeniedCommand {
  const denial: Denial = { decision: 'deny', reasons: decision.reasons };
  return { ...NEVER_RAN, ...withoutRun(context), status: 'denied', decision: denial };
}

/** The result of a command that was cancelled before it started. */
export function cancelledResult(decision: Decision, context: ResultContext): CancelledCommand {
  return { ...NEVER_RAN, ...withoutRun(context), status: 'cancelled', decision };
}

/** The result of a command that could not be started. */
export function failedResult(decision: Decision, context: ResultContext, failure: Failure): FailedCommand {
  const maskedFailure = failureOf(failure, context.redactor);
  return { ...NEVER_RAN, ...withoutRun(context), status: 'spawn_failed', decision, failure: maskedFailure };
}

/** The fields that are the same for all commands that never started. */
function withoutRun(context: ResultContext) {
  return {
    truncated: false,
    output: '',
    stdout: '',
    stderr: '',
    durationMs: 0,
    bytes: { stdout: 0, stderr: 0, kept: 0, omitted: 0 },
    redactions: 0,
    sandbox: { profile: context.profile, enforced: [] },
    survivors: [],
    usage: { userMs: 0, systemMs: 0, maxRssBytes: 0 },
  };
}
