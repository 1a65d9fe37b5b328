import type { CommandResult } from '../report/result.js';
import type { SessionAwaited } from '../session/options.js';

/** Why a wait for a job, or a read of its output, was over. */
export type JobReason = 'exited' | 'matched' | 'timeout' | 'cancelled' | 'available';

/** The output of a job, cleaned and masked, and the state of the job. */
export interface JobOutput {
  /** Both outputs in the order in which they were written: since the last answer, or since the position asked for. */
  readonly text: string;
  /**
   * `exited`: the job has ended; `result` says how. `matched`: the text, the pattern, the port or the silence of
   * `until` came. `timeout`: the time of the wait is over, and the job goes on. `cancelled`: the signal of the wait
   * fired, and the job goes on. `available`: the read did not wait.
   */
  readonly reason: JobReason;
  /** What the wait was for, with `matched`: whether it came. Absent where the wait was for the end, and in a read. */
  readonly until?: SessionAwaited & { readonly matched: boolean };
  /** The position where `text` ends. Give it as `since` to get later output. */
  readonly cursor: number;
  /** Bytes of the output that was asked for that are not kept any more. */
  readonly droppedBytes: number;
  /** Whether the command still runs. */
  readonly state: 'running' | 'ended';
  /** The result of the command. Absent while it runs. */
  readonly result?: CommandResult;
}
