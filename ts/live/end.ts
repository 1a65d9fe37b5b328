import type { HandrailError } from '../errors.js';
import type { NativeResult } from '../native/binding.js';
import type { Redactor } from '../redaction/redactor.js';
import type { Failure, SandboxReport } from '../terminal/result.js';
import { type Survivors, survivorsOf } from '../terminal/survivors.js';

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

/** What tells of an end. */
interface EndContext {
  readonly redactor: Redactor;
  /** What was in force, as results say it. */
  held(enforced: readonly string[]): SandboxReport;
}

/** The end of a program, of what the engine reports. */
export function endOf(context: EndContext, native: NativeResult): LiveEnd {
  const { redactor } = context;
  const survivors = survivorsOf(native, redactor);
  const { failure: why } = native;
  const failure = why === undefined ? undefined : { code: why.code, message: redactor.redact(why.message) };
  return Object.freeze({ ...statusOf(native, failure), survivors, sandbox: context.held(native.sandbox) });
}

/** An unknown status, and one without what belongs to it, must not read as success. */
function statusOf({ status, exitCode, signal }: NativeResult, failure: Failure | undefined) {
  const why = failure === undefined ? {} : { failure };
  if (status === 'exited' && exitCode !== undefined) return { status, exitCode, signal: null, ...why } as const;
  if (status === 'signaled' && signal !== undefined) return { status, exitCode: null, signal, ...why } as const;
  // A deadline is never given to what lives.
  if (status === 'cancelled' || status === 'timed_out')
    return { status: 'cancelled', exitCode: null, signal: null, ...why } as const;
  return { status: 'spawn_failed', exitCode: null, signal: null, failure: failure ?? NO_REPORT } as const;
}

const NO_REPORT: Failure = { code: 'ERR_INTERNAL', message: 'Nothing says how it ended; this is a bug in handrail' };

/** The end of a program whose supervisor is gone. */
export function lostEnd(context: EndContext, { code, message }: HandrailError): LiveEnd {
  const failure = { code, message };
  return {
    status: 'signaled',
    exitCode: null,
    signal: 'SIGKILL',
    failure,
    survivors: 'unknown',
    sandbox: context.held([]),
  };
}

/** One sentence about it, for people and models. */
export function describeEnd(end: LiveEnd): string {
  if (end.failure !== undefined) return end.failure.message;
  if (end.status === 'exited') return `it ended with exit code ${end.exitCode}`;
  if (end.status === 'signaled') return `it was ended by ${end.signal}`;
  return 'it was closed';
}
