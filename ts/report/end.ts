import type { FailureCode, NativeEnd, NativeFailure, NativeReport, StartStage } from '../native/binding.js';
import type { Redactor } from '../redaction/redactor.js';
import { type LimitMet, limitMet, limitText } from './limit.js';
import type { StagedChanges } from './staged.js';
import { type Survivors, survivorsOf } from './survivors.js';

/**
 * A failure that the program did not cause. Runs, sessions, services and MCP servers have the same codes:
 *
 * | code | meaning |
 * | --- | --- |
 * | `program_not_found` | there is no such program in the searched folders, or at that path |
 * | `interpreter_not_found` | the program is a script, and the interpreter in its first line does not exist |
 * | `not_found`, `not_a_directory`, `unreadable` | the working directory does not exist, is a file, or cannot be opened
 * |
 * | `system` | the host is short of something: descriptors, memory, processes |
 * | `spawn` | the system refused a step of the start; `stage` says which |
 * | `busy` | no worker was free before the deadline |
 * | `input_failed` | the stream that was to be the standard input failed |
 * | `worker_lost`, `supervisor_lost` | the worker or the supervisor was killed, or does not answer any more |
 * | `loader_run` | it was ended, because it handed a program to the dynamic loader by name, which starts programs that are not listed
 * |
 * | `internal` | a bug in Handrail; nothing of the output is given |
 */
export interface Failure {
  /** Stable, lower case. */
  readonly code: FailureCode;
  /** The step of the start that the system refused. Present with the code `spawn`. */
  readonly stage?: StartStage;
  /** One sentence, secrets masked. */
  readonly message: string;
}

export type { FailureCode, StartStage };

/** What the kernel enforced on a program. */
export interface SandboxReport {
  /** `off` when the host switched it off. */
  readonly profile: 'default' | 'off';
  /** The mechanisms in force, in words such as `landlock abi 7`. Empty when nothing ran. */
  readonly enforced: readonly string[];
}

/** The common part of the end of a session or a service. */
export interface EndReport {
  /** Why the program never ran, or what went wrong in Handrail. */
  readonly failure?: Failure;
  /**
   * Processes that could not be killed, because they hang in the kernel; usually empty. `'unknown'` where Handrail's
   * own processes were killed.
   */
  readonly survivors: Survivors;
  /** What the kernel enforced on it. */
  readonly sandbox: SandboxReport;
  /**
   * What became of the changes of a session, with `changes: 'staged'` of the toolkit. Absent where it wrote into the roots, and
   * where it has not run or Handrail has ended it: then nothing has changed.
   */
  readonly staged?: StagedChanges;
}

/**
 * How a session or a service ended: by itself with an exit code, by a signal such as `SIGSEGV`, `limited` when it met a
 * limit of `confine.limits`, `cancelled` when it was closed, or `spawn_failed` when it never ran.
 */
export type LiveEnd = EndReport &
  (
    | {
        /** Says how. */
        readonly status: 'exited';
        /** Its exit code. */
        readonly exitCode: number;
        /** There is none. */
        readonly signal: null;
      }
    | {
        /** Says how. */
        readonly status: 'signaled';
        /** There is none. */
        readonly exitCode: null;
        /** Name of the signal. */
        readonly signal: string;
      }
    | {
        /** Says how. */
        readonly status: 'limited';
        /** There is none. */
        readonly exitCode: null;
        /** There is none. */
        readonly signal: null;
        /** Which limit it met. */
        readonly limit: LimitMet;
      }
    | {
        /** Says how. */
        readonly status: 'cancelled';
        /** There is none. */
        readonly exitCode: null;
        /** There is none. */
        readonly signal: null;
      }
    | {
        /** Says how. */
        readonly status: 'spawn_failed';
        /** There is none. */
        readonly exitCode: null;
        /** There is none. */
        readonly signal: null;
        /** Why. */
        readonly failure: Failure;
      }
  );

/** How a program ended, whether it was a run, a session or a service. */
export type ProgramEnd =
  | { readonly status: 'exited'; readonly exitCode: number; readonly signal: null; readonly failure?: Failure }
  | { readonly status: 'signaled'; readonly exitCode: null; readonly signal: string; readonly failure?: Failure }
  | { readonly status: 'timed_out'; readonly exitCode: null; readonly signal: null; readonly failure?: Failure }
  | {
      readonly status: 'limited';
      readonly exitCode: null;
      readonly signal: null;
      readonly limit: LimitMet;
      readonly failure?: Failure;
    }
  | { readonly status: 'cancelled'; readonly exitCode: null; readonly signal: null; readonly failure?: Failure }
  | { readonly status: 'spawn_failed'; readonly exitCode: null; readonly signal: null; readonly failure: Failure };

/** The end that the engine reports. A status without its exit code or signal counts as a failure, never as success. */
export function endOf(end: NativeEnd, redactor: Redactor): ProgramEnd {
  const failure = end.failure === undefined ? {} : { failure: failureOf(end.failure, redactor) };
  const { status } = end;
  if (status === 'exited' && end.exitCode !== undefined)
    return { status, exitCode: end.exitCode, signal: null, ...failure };
  if (status === 'signaled' && end.signal !== undefined)
    return { status, exitCode: null, signal: end.signal, ...failure };
  if (status === 'timed_out' || status === 'cancelled') return { status, exitCode: null, signal: null, ...failure };
  if (status === 'limited' && end.limit !== undefined)
    return { status, exitCode: null, signal: null, limit: limitMet(end.limit), ...failure };
  return { status: 'spawn_failed', exitCode: null, signal: null, failure: MISSING_END, ...failure };
}

const MISSING_END: Failure = {
  code: 'internal',
  message: 'Nothing says how the program ended; this is a bug in handrail',
};

/** A failure whose message shows no secret. */
export function failureOf(failure: NativeFailure, redactor: Redactor): Failure {
  return { ...failure, message: redactor.redact(failure.message) };
}

/** The cause of an error about a program that could not be started. */
export class StartError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The failure of a start in an error or its causes; undefined when there is none. */
export function startFailureIn(error: unknown): Failure | undefined {
  if (error instanceof StartError) return error.failure;
  return error instanceof Error ? startFailureIn(error.cause) : undefined;
}

/** What is needed to describe an end. */
interface EndContext {
  readonly redactor: Redactor;
  /** The report about the mechanisms that were in force. */
  sandboxReport(enforced: readonly string[]): SandboxReport;
}

/** The end of a session or a service. */
export function liveEndOf(context: EndContext, { end: native }: NativeReport): LiveEnd {
  const end = endOf(native, context.redactor);
  const survivors = survivorsOf(native, context.redactor);
  const report = { survivors, sandbox: context.sandboxReport(native.sandbox) };
  // Sessions and services have no deadline.
  if (end.status === 'timed_out') return Object.freeze({ ...end, status: 'cancelled', ...report });
  return Object.freeze({ ...end, ...report });
}

/** The end of a program whose engine was lost before it reported one. */
export function lostEnd(context: EndContext, { message }: Error): LiveEnd {
  return Object.freeze({
    status: 'signaled',
    exitCode: null,
    signal: 'SIGKILL',
    failure: { code: 'supervisor_lost' as const, message },
    survivors: 'unknown',
    sandbox: context.sandboxReport([]),
  });
}

/** A sentence about an end, for people and models. */
export function describeEnd(end: LiveEnd): string {
  if (end.failure !== undefined) return end.failure.message;
  if (end.status === 'exited') return `it ended with exit code ${end.exitCode}`;
  if (end.status === 'signaled') return `it was ended by ${end.signal}`;
  if (end.status === 'limited') return `it was ended: it ${limitText(end.limit)}`;
  return 'it was closed';
}
