import { withMaskedErrors } from './terminal/masked-errors.js';
import type { Toolkit } from './tools/toolkit.js';
import type { ToolkitOptions } from './tools/toolkit-options.js';

export type {
  JobListener,
  QuestionListener,
  StagedLayer,
  Toolkit,
  ToolkitMcp,
  ToolsListener,
  Transaction,
  TransactionChangesOptions,
  TransactionCommitOptions,
} from './tools/toolkit.js';

/**
 * Creates a toolkit: guarded tools for an agent that works in one workspace.
 *
 * @param options See `ToolkitOptions`.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for an unknown or wrong option, or a directory that
 * does not exist; `ERR_INVALID_PATTERN` for a redaction pattern; `ERR_GUARANTEE_UNAVAILABLE` when
 * `terminal.require` names a guarantee that this machine cannot enforce; `ERR_NATIVE_MISSING` and its
 * neighbours when the native part cannot be loaded; `ERR_NO_PROJECT` when `project: 'auto'` finds no project; `ERR_PEER_MISSING` when `mcpServers` needs a package that is not
 * installed.
 * @example
 * ```ts
 * import { createToolkit } from 'handrail';
 *
 * await using toolkit = await createToolkit({ workspace: process.cwd(), terminal: { allow: ['echo'] } });
 * const result = await toolkit.execute('terminal_run', { command: 'echo hello' });
 * console.log(result.isError, result.content.includes('hello')); // false true
 * ```
 */
export async function createToolkit(options: ToolkitOptions): Promise<Toolkit> {
  const [{ checkToolkitOptions }, { GuardedToolkit }] = await Promise.all([
    import('./tools/toolkit-options.js'),
    import('./tools/guarded-toolkit.js'),
  ]);
  const checked = checkToolkitOptions(options);
  const toolkit = withMaskedErrors(checked.redactor, () => new GuardedToolkit(checked));
  try {
    await toolkit.ready();
  } catch (error) {
    await toolkit.close();
    throw error;
  }
  return toolkit;
}
