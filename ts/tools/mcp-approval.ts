import { isDeepStrictEqual } from 'node:util';
import { canonicalDigest } from '../mcp/canonical.js';
import type { McpRouter } from '../mcp/router.js';
import type { McpTool } from '../mcp/tool.js';
import { type Decision, denyFor, type Reason } from '../report/decision.js';
import { ABORTED, type AbortWatch, untilAborted } from '../terminal/abort.js';
import { type ApprovalQuestion, checkApproval, renderForApproval } from '../terminal/approval.js';
import type { CallContext } from './definition.js';
import type { ToolHost } from './host.js';

/** The question for an approver about a call of a server's tool. */
export function questionOf(
  tool: McpTool,
  args: unknown,
  { reasons }: Decision,
  { roots: [cwd = ''] }: ToolHost['places'],
): ApprovalQuestion {
  const command = [tool.name, JSON.stringify(args)];
  return {
    command,
    mcp: { server: tool.server, tool: tool.tool },
    cwd,
    reasons,
    rendering: renderForApproval(command),
    fingerprint: canonicalDigest([tool, args]),
  };
}

/**
 * The decision about a call: that of the rules, or of the approver where they leave it open. Then it is `ask` where the
 * approver agreed, and `deny` for everything else.
 */
export async function decideCall(
  router: McpRouter,
  tool: McpTool,
  args: unknown,
  call: CallContext,
  host: ToolHost,
  { closing, watch }: { readonly closing: AbortSignal; readonly watch: AbortWatch },
): Promise<Decision> {
  const decision = router.judge(tool);
  if (decision.decision !== 'ask') return decision;
  const approve = call.approve ?? host.approve;
  const denied = (rule: string, message: string): Decision => denyFor(decision, reason(rule, message));
  if (approve === undefined) return denied('no_approver', 'This call needs approval and nobody here can give it');
  const question = questionOf(tool, args, decision, host.places);
  const answer = await untilAborted(watch, [call.signal, closing], (signal) => approve({ ...question, signal }));
  if (answer === ABORTED) return denied('not_approved', 'The call was cancelled before anybody agreed');
  const { approved, reason: why = 'This call was not approved' } = checkApproval(answer);
  if (!approved) return denied('not_approved', host.redactor.redact(why));
  // The tool that was asked about is the one that is called.
  if (isDeepStrictEqual(router.find(tool.name)?.tool, tool)) return decision;
  return denied('not_approved', 'The tool has changed since it was approved');
}

function reason(rule: string, message: string): Reason {
  return { rule, span: [0, 0], message };
}
