import { textOption, textValue } from '../config/validate.js';
import { loadNative } from '../native/loader.js';
import { callNative } from '../native/unwrap.js';

/**
 * Whether the write block list of `ToolExecutor` covers a path. The list has system folders, start-up files and the
 * like, and `data/` and `config.toml` of the data directory. The workspace, the rest of the data directory and `/tmp`
 * are not in it.
 *
 * Links in the existing part of the path are followed. A file that does not exist yet is judged by its folder.
 *
 * @param path A path, absolute or relative to `workspacePath`.
 * @param dataDir The data directory; absolute.
 * @param workspacePath The directory in which relative paths begin. Default: relative paths are blocked.
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
  const checkedPath = textValue(path, 'path');
  const data = textValue(dataDir, 'dataDir');
  const workspace = textOption(workspacePath, 'workspacePath');
  return callNative(() => loadNative().binding.isWriteBlocked(checkedPath, data, workspace));
}
