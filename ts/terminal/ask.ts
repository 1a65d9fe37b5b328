import type { Decision } from '../report/decision.js';
import { ABORTED, type AbortWatch, untilAborted } from './abort.js';
import { type Approval, type ApprovalQuestion, type Approve, checkApproval, renderForApproval } from './approval.js';
import type { CheckedCall } from './call.js';
import type { NamedFiles } from './named.js';

/** The rule of a denial because a named file changed; file tools have the same code for files that changed after a read. */
export const CHANGED_RULE = 'changed_on_disk';
export const NO_APPROVER_MESSAGE = 'This command needs approval and nobody here can give it';

/**
 * Asks the approver about a call. `ABORTED` when one of `signals` fires before the answer comes.
 *
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for an answer that is neither yes nor no. Errors of the approver pass
 * through.
 */
export async function askApprover(
  approve: Approve,
  call: CheckedCall,
  decision: Decision,
  namedFiles: NamedFiles,
  aborts: AbortWatch,
  signals: readonly (AbortSignal | undefined)[],
): Promise<Approval | typeof ABORTED> {
  const answer = await untilAborted(aborts, signals, (signal) =>
    approve({ ...questionOf(call, decision, namedFiles), signal }),
  );
  return answer === ABORTED ? ABORTED : checkApproval(answer);
}

/** The question for an approver about a call. */
export function questionOf(
  { command, cwd }: CheckedCall,
  { reasons }: Decision,
  { fingerprint }: NamedFiles,
): ApprovalQuestion {
  // A copy: an approver that changes the array does not change what runs.
  const shownCommand = typeof command === 'string' ? command : [...command];
  return { command: shownCommand, cwd, reasons, rendering: renderForApproval(command), fingerprint };
}
