import { textOption, textValue } from '../config/validate.js';
import { loadNative } from '../native/loader.js';
import { callNative } from '../native/unwrap.js';

/**
 * Whether the write block list of `ToolExecutor` covers a path: system folders, start-up files and
 * the like, and `data/` and `config.toml` of the data directory. It is a list of what is blocked, not
 * of what is allowed: the workspace, the rest of the data directory and `/tmp` are not.
 *
 * A path is judged where it really lies: links in the part of it that exists are followed, and a file
 * that is not there yet is judged by its folder.
 *
 * @param path Absolute, or relative to `workspacePath`.
 * @param dataDir The data directory; absolute.
 * @param workspacePath Where relative paths start. Default: relative paths are blocked.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for arguments that are no paths.
 * @example
 * ```ts
 * import { isWriteBlocked } from 'handrail';
 *
 * console.log(isWriteBlocked('/etc/passwd', '/srv/agent')); // true
 * console.log(isWriteBlocked('notes.txt', '/srv/agent', '/srv/agent/workspace')); // false
 * ```
 */
export function isWriteBlocked(path: string, dataDir: string, workspacePath?: string): boolean {
  if (path === '') return true;
  const checked = textValue(path, 'path');
  const data = textValue(dataDir, 'dataDir');
  const workspace = textOption(workspacePath, 'workspacePath');
  return callNative(() => loadNative().binding.isWriteBlocked(checked, data, workspace));
}
