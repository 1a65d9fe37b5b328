import {
  type ApplyPatchOperation,
  type ApplyPatchResult,
  type ApplyPatchTool,
  applyPatchTool,
  type EditorInvocationContext,
} from '@openai/agents';
import type { Toolkit } from '../toolkit.js';
import { CallIds, definitionOf, type HostedToolOptions } from './hosted-tool.js';
import { toolErrorText } from './tool-error.js';

/** The options of `agentApplyPatchTool`; see `HostedToolOptions`. */
export type AgentApplyPatchOptions = HostedToolOptions<
  ApplyPatchTool['needsApproval'],
  NonNullable<ApplyPatchTool['onApproval']>
>;

/** A line that begins another file of a patch. The diff of a single file must not contain one. */
const FILE_HEADER = /^\*\*\*(?! End of File[ \t]*$)/m;

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
      const problem = problemOf(operation);
      if (problem !== undefined) return { status: 'failed', output: `invalid arguments: ${problem}` };
      const patch = `*** Begin Patch\n${patchSection(operation)}\n*** End Patch\n`;
      const { content, isError } = await toolkit.execute(
        'file_patch',
        { patch },
        ids.contextOf(operation, options.signal),
      );
      return { status: isError ? 'failed' : 'completed', output: content };
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

/** What is wrong with an operation. Its texts may not add other files to the patch: only its own paths were approved. */
function problemOf(operation: ApplyPatchOperation): string | undefined {
  const paths = [operation.path, ...('moveTo' in operation ? [operation.moveTo ?? operation.path] : [])];
  if (paths.some((path) => path === '' || path !== path.trim() || /[\r\n]/.test(path))) {
    return 'a path is empty, begins or ends with a blank, or has several lines';
  }
  if ('diff' in operation && FILE_HEADER.test(operation.diff)) {
    return 'the diff is of one file; a line that begins with *** can only be *** End of File';
  }
  return undefined;
}

function patchSection(operation: ApplyPatchOperation): string {
  switch (operation.type) {
    case 'create_file':
      return `*** Add File: ${operation.path}\n${operation.diff}`;
    case 'update_file': {
      const move = operation.moveTo === undefined ? '' : `*** Move to: ${operation.moveTo}\n`;
      return `*** Update File: ${operation.path}\n${move}${operation.diff}`;
    }
    case 'delete_file':
      return `*** Delete File: ${operation.path}`;
  }
}
