import {
  type ApplyPatchOperation,
  type ApplyPatchResult,
  type ApplyPatchTool,
  applyPatchTool,
  type EditorInvocationContext,
} from '@openai/agents';
import type { Toolkit } from '../toolkit.js';
import { CallIds, definitionOf, type HostedToolOptions } from './hosted-tool.js';
import { applyOperation } from './patch-operation.js';
import { toolErrorText } from './tool-error.js';

/** The options of `agentApplyPatchTool`; see `HostedToolOptions`. */
export type AgentApplyPatchOptions = HostedToolOptions<
  ApplyPatchTool['needsApproval'],
  NonNullable<ApplyPatchTool['onApproval']>
>;

/**
 * The tool `apply_patch` of the SDK (Responses API) on a toolkit: each operation is a call of `file_patch`, which
 * judges its paths and finds its hunks. A hunk that fits in several places, or that only adds lines and does not say
 * where, is refused; the SDK's own `applyDiff` takes the first place, or the top of the file.
 *
 * The tool never throws: a refused operation is `failed`, with the reason and the lines in question as its output.
 *
 * @param toolkit The toolkit. You close it when the agent is done.
 * @param options See `AgentApplyPatchOptions`.
 * @throws HandrailError `ERR_UNKNOWN_TOOL` when the toolkit does not publish `file_patch`.
 */
export function agentApplyPatchTool(toolkit: Toolkit, options: AgentApplyPatchOptions = {}): ApplyPatchTool {
  definitionOf(toolkit, 'file_patch');
  const ids = new CallIds<ApplyPatchOperation>();

  async function apply(operation: ApplyPatchOperation, _context?: EditorInvocationContext): Promise<ApplyPatchResult> {
    try {
      const patched = await applyOperation(toolkit, operation, ids.contextOf(operation, options));
      return { status: patched.isError ? 'failed' : 'completed', output: patched.content };
    } catch (error) {
      return { status: 'failed', output: toolErrorText(error) };
    }
  }

  const { onApproval } = options;
  return applyPatchTool({
    editor: { createFile: apply, updateFile: apply, deleteFile: apply },
    needsApproval: ids.rememberIds(options.needsApproval),
    ...(onApproval === undefined ? {} : { onApproval }),
  });
}
