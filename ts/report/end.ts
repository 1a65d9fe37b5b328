import type { FailureCode, NativeEnd, NativeFailure, NativeReport, StartStage } from '../native/binding.js';
import type { Redactor } from '../redaction/redactor.js';
import { type Survivors, survivorsOf } from './survivors.js';

/**
 * Why a program failed for a reason that is not its own. Runs, sessions, services and MCP servers have the same codes:
 *
 * | code | meaning |
 * | --- | --- |
 * | `program_not_found` | there is no such program in the folders that are searched, or at that path |
 * | `interpreter_not_found` | the program is a script, and what its first line names is not there |
 * | `not_found`, `not_a_directory`, `unreadable` | the working directory does not exist, is a file, or cannot be opened |
 * | `system` | the host is short of something: descriptors, memory, processes |
 * | `spawn` | the system refused a step of the start; `stage` says which |
 * | `busy` | no worker was free before the deadline |
 * | `input_failed` | the stream that was to be the standard input failed |
 * | `worker_lost`, `supervisor_lost` | the worker or the supervisor was killed, or does not act any more |
 * | `internal` | a bug in Handrail; nothing of the output is given |
 */
export interface Failure {
  /** Stable, lower case. */
  readonly code: FailureCode;
  /** The step of a start at which the system refused it. Present with the code `spawn`. */
  readonly stage?: StartStage;
  /** One sentence, secrets masked. */
  readonly message: string;
}

export type { FailureCode, StartStage };

/** What the kernel held a program to. */
export interface SandboxReport {
  /** `off` when the host switched it off. */
  readonly profile: 'default' | 'off';
  /** What was in force, in words such as `landlock abi 7`. Empty when nothing ran. */
  readonly enforced: readonly string[];
}

/** What is known of every session or service that ended. */
export interface EndReport {
  /** Why it never ran, or what went wrong on our side. */
  readonly failure?: Failure;
  /**
   * Processes that could not be killed; empty but for what hangs in the kernel. `'unknown'` where those who end them were
   * killed themselves.
   */
  readonly survivors: Survivors;
  /** What the kernel held it to. */
  readonly sandbox: SandboxReport;
}

/**
 * How a session or a service ended: by itself with an exit code, by a signal such as `SIGSEGV`, `cancelled` when it was closed, or
 * `spawn_failed` when it never ran.
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
  | { readonly status: 'cancelled'; readonly exitCode: null; readonly signal: null; readonly failure?: Failure }
  | { readonly status: 'spawn_failed'; readonly exitCode: null; readonly signal: null; readonly failure: Failure };

/** The end that the engine reports. An unknown status, and one without what belongs to it, must not read as success. */
export function endOf(end: NativeEnd, redactor: Redactor): ProgramEnd {
  const failure = end.failure === undefined ? {} : { failure: failureOf(end.failure, redactor) };
  const { status } = end;
  if (status === 'exited' && end.exitCode !== undefined)
    return { status, exitCode: end.exitCode, signal: null, ...failure };
  if (status === 'signaled' && end.signal !== undefined)
    return { status, exitCode: null, signal: end.signal, ...failure };
  if (status === 'timed_out' || status === 'cancelled') return { status, exitCode: null, signal: null, ...failure };
  return { status: 'spawn_failed', exitCode: null, signal: null, failure: NO_REPORT, ...failure };
}

const NO_REPORT: Failure = {
  code: 'internal',
  message: 'Nothing says how the program ended; this is a bug in handrail',
};

/** A failure whose message shows no secret. */
export function failureOf(failure: NativeFailure, redactor: Redactor): Failure {
  return { ...failure, message: redactor.redact(failure.message) };
}

/** The cause of an error that says that a program could not be started. */
export class StartFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Why a program could not be started, when that is what an error is about. */
export function startFailureIn(error: unknown): Failure | undefined {
  if (error instanceof StartFailed) return error.failure;
  return error instanceof Error ? startFailureIn(error.cause) : undefined;
}

/** What is needed to report an end. */
interface EndContext {
  readonly redactor: Redactor;
  /** What was in force, as results say it. */
  held(enforced: readonly string[]): SandboxReport;
}

/** The end of a session or a service. */
export function liveEndOf(context: EndContext, { end: native }: NativeReport): LiveEnd {
  const end = endOf(native, context.redactor);
  const survivors = survivorsOf(native, context.redactor);
  const report = { survivors, sandbox: context.held(native.sandbox) };
  // A program that lives is never given a deadline.
  if (end.status === 'timed_out') return Object.freeze({ ...end, status: 'cancelled', ...report });
  return Object.freeze({ ...end, ...report });
}

/** The end of a program when the engine is gone before it reported one. */
export function lostEnd(context: EndContext, { message }: Error): LiveEnd {
  return Object.freeze({
    status: 'signaled',
    exitCode: null,
    signal: 'SIGKILL',
    failure: { code: 'supervisor_lost' as const, message },
    survivors: 'unknown',
    sandbox: context.held([]),
  });
}

/** One sentence about it, for people and models. */
export function describeEnd(end: LiveEnd): string {
  if (end.failure !== undefined) return end.failure.message;
  if (end.status === 'exited') return `it ended with exit code ${end.exitCode}`;
  if (end.status === 'signaled') return `it was ended by ${end.signal}`;
  return 'it was closed';
}
