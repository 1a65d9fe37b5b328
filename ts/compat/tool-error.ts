import { HandrailError, type HandrailErrorOptions } from '../errors.js';

/**
 * The error of `FilesystemTool` and `TerminalTool`: the call was refused or failed. Its code is `ERR_TOOL`;
 * `data.reason` has the code or the rule of a refusal.
 *
 * @example
 * ```ts
 * import { FilesystemTool, ToolError } from 'handrail';
 *
 * await using tool = new FilesystemTool({ allowedDirectories: ['.'] });
 * const failure = await tool.execute({ action: 'read', path: '/etc/passwd' }).catch((error) => error);
 * console.log(failure instanceof ToolError, failure.message);
 * // true Path '/etc/passwd' is outside allowed directories
 * ```
 */
export class ToolError extends HandrailError {
  /**
   * @param message For people and models; free of secrets.
   * @param options `data` and `cause`.
   */
  constructor(message: string, options?: HandrailErrorOptions) {
    super('ERR_TOOL', message, options);
  }
}

Object.defineProperty(ToolError.prototype, 'name', { value: 'ToolError', configurable: true, writable: true });
