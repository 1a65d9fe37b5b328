import type { ApplyPatchOperation } from '@openai/agents';
import type { Toolkit } from '../toolkit.js';
import type { CallContext, ToolResult } from '../tools/definition.js';

/** A line that begins another file of a patch. The diff of a single file must not contain one. */
const FILE_HEADER = /^\*\*\*(?! End of File[ \t]*$)/m;

/** What came of an operation. */
export type AppliedOperation = Pick<ToolResult, 'content' | 'isError'> & Partial<Pick<ToolResult, 'data'>>;

/** Applies an operation of the SDK's patch tools as a call of `file_patch`. */
export async function applyOperation(
  toolkit: Toolkit,
  operation: ApplyPatchOperation,
  context: CallContext,
): Promise<AppliedOperation> {
  const problem = problemOf(operation);
  if (problem !== undefined) return { isError: true, content: `invalid arguments: ${problem}` };
  const patch = `*** Begin Patch\n${patchSection(operation)}\n*** End Patch\n`;
  return await toolkit.execute('file_patch', { patch }, context);
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
