import type { HandrailError } from '../errors.js';
import type { NativeResult } from '../native/binding.js';
import type { Redactor } from '../redaction/redactor.js';
import type { Failure, ProcessNote, SandboxReport } from '../terminal/result.js';

/** How a session or a service ended. */
export interface LiveEnd {
  /** `cancelled`: it was closed. `spawn_failed`: it never ran. */
  readonly status: 'exited' | 'signaled' | 'cancelled' | 'spawn_failed';
  /** Its exit code. Null unless the status is `exited`. */
  readonly exitCode: number | null;
  /** The signal that ended it, such as `SIGSEGV`. Null unless the status is `signaled`. */
  readonly signal: string | null;
  /** Why it never ran, or what went wrong on our side. */
  readonly failure?: Failure;
  /** Processes that could not be killed; empty but for what hangs in the kernel. */
  readonly survivors: readonly ProcessNote[];
  /** What the kernel held it to. */
  readonly sandbox: SandboxReport;
}

/** What tells of an end. */
interface EndContext {
  readonly redactor: Redactor;
  /** What was in force, as results say it. */
  held(enforced: readonly string[]): SandboxReport;
}

/** The end of a program, of what the engine reports. */
export function endOf(context: EndContext, native: NativeResult): LiveEnd {
  const { redactor } = context;
  const survivors = native.survivors.map(({ pid, program }) => ({ pid, program: redactor.redact(program) }));
  const status = native.status === 'timed_out' ? 'cancelled' : (native.status as LiveEnd['status']);
  return Object.freeze({
    status,
    exitCode: native.exitCode ?? null,
    signal: native.signal ?? null,
    ...(native.failure === undefined
      ? {}
      : { failure: { code: native.failure.code, message: redactor.redact(native.failure.message) } }),
    survivors,
    sandbox: context.held(native.sandbox),
  });
}

/** The end of a program whose supervisor is gone, and with it everything it owned. */
export function lostEnd(context: EndContext, { code, message }: HandrailError): LiveEnd {
  const failure = { code, message };
  return { status: 'signaled', exitCode: null, signal: 'SIGKILL', failure, survivors: [], sandbox: context.held([]) };
}

/** One sentence about it, for people and models. */
export function describeEnd(end: LiveEnd): string {
  if (end.failure !== undefined) return end.failure.message;
  if (end.status === 'exited') return `it ended with exit code ${end.exitCode}`;
  if (end.status === 'signaled') return `it was ended by ${end.signal}`;
  return 'it was closed';
}
