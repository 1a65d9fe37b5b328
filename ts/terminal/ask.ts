import { ABORTED, type AbortWatch, untilAborted } from './abort.js';
import { type Approval, type Approve, checkApproval, renderForApproval } from './approval.js';
import type { CheckedCall } from './call.js';
import type { Decision } from './decision.js';

/**
 * The approver's answer about a call, unless one of `signals` fires before it comes.
 *
 * @throws What the approver throws, and `ERR_INVALID_ARGUMENT` for an answer that is neither yes nor no.
 */
export async function askApprover(
  approve: Approve,
  call: CheckedCall,
  decision: Decision,
  aborts: AbortWatch,
  signals: readonly (AbortSignal | undefined)[],
): Promise<Approval | typeof ABORTED> {
  const answer = await untilAborted(aborts, signals, (signal) =>
    approve({
      // A copy: whatever becomes of it, the argv that was shown is the one that runs.
      command: typeof call.command === 'string' ? call.command : [...call.command],
      cwd: call.cwd,
      reasons: decision.reasons,
      rendering: renderForApproval(call.command),
      signal,
    }),
  );
  return answer === ABORTED ? ABORTED : checkApproval(answer);
}
