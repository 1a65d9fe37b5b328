import type { Decision } from '../report/decision.js';
import { ABORTED, type AbortWatch, untilAborted } from './abort.js';
import { type Approval, type ApprovalQuestion, type Approve, checkApproval, renderForApproval } from './approval.js';
import type { CheckedCall } from './call.js';
import type { Named } from './named.js';

/** As file tools say it of what was changed since it was read. */
export const CHANGED = 'changed_on_disk';
export const NO_APPROVER = 'This command needs approval and nobody here can give it';

/**
 * The approver's answer about a call, unless one of `signals` fires before it comes.
 *
 * @throws What the approver throws, and `ERR_INVALID_ARGUMENT` for an answer that is neither yes nor no.
 */
export async function askApprover(
  approve: Approve,
  call: CheckedCall,
  decision: Decision,
  named: Named,
  aborts: AbortWatch,
  signals: readonly (AbortSignal | undefined)[],
): Promise<Approval | typeof ABORTED> {
  const answer = await untilAborted(aborts, signals, (signal) =>
    approve({ ...questionOf(call, decision, named), signal }),
  );
  return answer === ABORTED ? ABORTED : checkApproval(answer);
}

/** What there is to ask about a call. */
export function questionOf(
  { command, cwd }: CheckedCall,
  { reasons }: Decision,
  { fingerprint }: Named,
): ApprovalQuestion {
  // A copy: whatever becomes of it, the argv that was shown is the one that runs.
  const shown = typeof command === 'string' ? command : [...command];
  return { command: shown, cwd, reasons, rendering: renderForApproval(command), fingerprint };
}
