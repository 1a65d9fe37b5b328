import { checkedOptions, functionOption, integer, oneOf, signalOption, textOption } from '../config/validate.js';
import { DEFAULT_SESSION_TIMEOUT_MS } from '../session/limits.js';
import { awaitedOption, type SessionAwaited, TIMEOUT_RANGE } from '../session/options.js';
import type { Approve } from '../terminal/approval.js';
import { MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from '../terminal/limits.js';

/** The options of one job. */
export interface JobOptions {
  /** Working directory; a relative one is joined to the toolkit's. Default: the toolkit's. */
  readonly cwd?: string | undefined;
  /**
   * Life of the job, in milliseconds, after which it is ended. Default: `limits.jobMs` of the toolkit, one hour.
   * Range: 1 to 86,400,000.
   */
  readonly timeoutMs?: number | undefined;
  /** `'open'`: a pipe that `send()` writes to. `'none'`: nothing (/dev/null). Default: `'open'`. */
  readonly stdin?: 'open' | 'none' | undefined;
  /** Ends the job when it fires. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Asked in place of the toolkit's `approve` when the policy leaves the command open. Default: the toolkit's. */
  readonly approve?: Approve | undefined;
}

/** What a wait for a job is for, and how long it takes at most. */
export interface JobWaitOptions {
  /**
   * `'exit'`: the job ends. An object: a text or a pattern in the output since the last answer, a TCP port that a
   * process of the job listens on, or milliseconds without output, counted from the call. Default: `'exit'`.
   */
  readonly until?: 'exit' | SessionAwaited | undefined;
  /** Longest time of the wait, in milliseconds. The job goes on. Default: 20,000. Range: 0 to 86,400,000. */
  readonly timeoutMs?: number | undefined;
  /** Ends the wait, not the job, when it fires. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** The range of the life of a job. */
export const JOB_LIFE_RANGE = { min: MIN_TIMEOUT_MS, max: MAX_TIMEOUT_MS, unit: 'milliseconds' };

/** Checks the options of a job; `jobMs` is the life of one that names no other. */
export function checkJobOptions(options: unknown, jobMs: number) {
  const { stdin, timeoutMs, ...checked } = checkedOptions(options, 'options', {
    cwd: textOption,
    timeoutMs: integer(JOB_LIFE_RANGE, jobMs),
    stdin: oneOf(['open', 'none']),
    signal: signalOption,
    approve: functionOption<Approve>,
  });
  return { ...checked, timeoutMs, hasInput: stdin !== 'none' };
}

/** Checked options of a job. */
export type CheckedJobOptions = ReturnType<typeof checkJobOptions>;

/** Checks the options of a wait. */
export function checkWait(options: unknown) {
  return checkedOptions(options, 'options', {
    until: (value: unknown, name: string) =>
      value === undefined || value === 'exit' ? 'exit' : awaitedOption(value, name),
    timeoutMs: integer(TIMEOUT_RANGE, DEFAULT_SESSION_TIMEOUT_MS),
    signal: signalOption,
  });
}
