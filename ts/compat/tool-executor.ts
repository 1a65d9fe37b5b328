import path from 'node:path';
import { listOption, optionsObject, textValue } from '../config/validate.js';
import { HandrailError, isHandrailError } from '../errors.js';
import type { FileRefusal } from '../files/answers.js';
import type { Edit } from '../files/call.js';
import { MAX_READ_LINES } from '../files/limits.js';
import type { McpServerInfo } from '../mcp/server-info.js';
import type { McpServerOptions } from '../mcp/server-options.js';
import { firstChars, fitText } from '../redaction/fit.js';
import { Redactor } from '../redaction/redactor.js';
import { truncateOutput } from '../redaction/text.js';
import { limitText } from '../report/limit.js';
import type { CommandResult } from '../report/result.js';
import { OwnServices } from '../service/open-services.js';
import type { Services } from '../service/service.js';
import type { ConfineOptions } from '../terminal/confine.js';
import { MAX_LIST_ENTRIES } from '../terminal/limits.js';
import { checkTerminalOptions, type TerminalOptions } from '../terminal/options.js';
import type { Rule } from '../terminal/rule.js';
import { commandRoots, type Engines, openEngines } from './executor-engines.js';
import { ExecutorMcp, mcpToolDef } from './executor-mcp.js';
import {
  BASH_TIMEOUT_SECS,
  builtinToolDefs,
  commandArgument,
  type ExecutorResult,
  isTruncatedRead,
  MAX_BASH_OUTPUT,
  MAX_READ_OUTPUT,
  occurrenceArgument,
  readArguments,
  type ToolArguments,
  type ToolDef,
  textArgument,
} from './executor-tools.js';
import { refusalText } from './refusal-text.js';
import { denialText } from './terminal-tool.js';

/** The options of a `ToolExecutor`. */
export interface ToolExecutorOptions extends Pick<TerminalOptions, 'approve' | 'redactor' | 'env'> {
  /** Programs that `bash` may run; no other. `DEFAULT_BLACKLIST` does not apply then. Default: absent. */
  readonly allow?: readonly Rule[] | undefined;
  /** Programs that `bash` may not run. Default: `DEFAULT_BLACKLIST` where `allow` is absent too, else none. */
  readonly deny?: readonly Rule[] | undefined;
  /**
   * What the kernel enforces on commands of `bash`. With `writes: 'roots'` they start and write in the workspace and
   * `/tmp` only. Default: `writes` is `'any'`, the others follow from the lists.
   */
  readonly confine?: ConfineOptions | undefined;
  /**
   * Names of the tools that are published and may be called; tools of MCP servers as `mcp__server__tool`. Default: all
   * tools.
   */
  readonly allowedTools?: readonly string[] | undefined;
  /** The list of places that may not be read: `'default'` or `'none'`. Default: `'default'`. */
  readonly readBlocklist?: 'default' | 'none' | undefined;
}

const OPTION_KEYS = [
  'allow',
  'deny',
  'confine',
  'approve',
  'redactor',
  'env',
  'allowedTools',
  'readBlocklist',
] as const;

/** The arguments of each tool. `edit` accepts two more than its definition names, about which occurrence it replaces. */
const ARGUMENT_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['bash', ['command']],
  ['read', ['file_path']],
  ['write', ['file_path', 'content']],
  ['edit', ['file_path', 'old_string', 'new_string', 'replace_all', 'occurrence']],
]);

const TRUNCATED_CONTENT =
  'Error: the content ends with the notice of a truncated read: writing it would cut the file off. Use edit to change a ' +
  'part of it, or give the whole content.';

/** Longest name or path of a model that is repeated to it, in characters. */
const MAX_ECHOED_CHARS = 256;

/**
 * The tools `bash`, `read`, `write` and `edit` for one workspace, called by name with the arguments of a model.
 * Commands are judged as bash would run them, files are changed only in the workspace, its parent (the data directory)
 * and `/tmp`, and every answer is masked and bounded.
 *
 * @example
 * ```ts
 * import { ToolExecutor } from 'handrail';
 *
 * await using executor = new ToolExecutor('.');
 * await executor.execute('write', { file_path: 'a.txt', content: 'one two' });
 * console.log((await executor.execute('bash', { command: 'wc -w < a.txt' })).content.trim()); // 2
 * ```
 */
export class ToolExecutor {
  /** The directory in which commands run and relative paths begin; absolute. */
  readonly workspacePath: string;
  /** The workspace's parent, or the workspace itself when it has none. */
  readonly dataDir: string;
  readonly #options: ToolExecutorOptions;
  readonly #redactor: Redactor;
  readonly #mcp: ExecutorMcp;
  readonly #services: OwnServices;
  #engines: Engines | undefined;
  #closed: Promise<void> | undefined;

  /**
   * @param workspacePath The directory to work in; a relative one is joined to `process.cwd()`.
   * @param options See `ToolExecutorOptions`.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for an unknown or wrong option. Mistakes that only the engines notice,
   * such as a missing workspace, are reported by the first call.
   */
  constructor(workspacePath: string, options?: ToolExecutorOptions);
  /**
   * @param services Starts MCP servers. Default: services of an engine of its own.
   * @internal
   */
  constructor(workspacePath: string, options: ToolExecutorOptions | undefined, services?: Services);
  constructor(workspacePath: string, options: ToolExecutorOptions = {}, services?: Services) {
    this.workspacePath = path.resolve(textValue(workspacePath, 'workspacePath'));
    this.dataDir = path.dirname(this.workspacePath);
    this.#options = optionsObject(options, 'options', OPTION_KEYS) as ToolExecutorOptions;
    const { allowedTools: _tools, readBlocklist: _reads, ...terminal } = this.#options;
    checkTerminalOptions(terminal);
    listOption(this.#options.allowedTools, 'allowedTools', MAX_LIST_ENTRIES, textValue);
    this.#redactor = this.#options.redactor ?? new Redactor();
    this.#services = new OwnServices(this.#redactor, this.workspacePath, {
      roots: commandRoots(this.workspacePath),
      policy: this.#options,
    });
    this.#mcp = new ExecutorMcp({
      services: services ?? this.#services,
      redactor: this.#redactor,
      workspacePath: this.workspacePath,
    });
  }

  /** The MCP servers that are connected now, by name. */
  get mcpClients(): ReadonlyMap<string, McpServerInfo> {
    return this.#mcp.clients;
  }

  /** The server of each tool, by the tool's published name such as `mcp__server__tool`. */
  get mcpToolMap(): ReadonlyMap<string, string> {
    return this.#mcp.toolMap;
  }

  /**
   * Starts MCP servers and lists their tools, all at the same time. They run in the workspace with the variables of a
   * command and their `env`; the policy does not judge them. With `confine: { writes: 'roots' }` a server writes in the
   * workspace and `/tmp` only. A server that fails is a process warning with the code `HANDRAIL_MCP`.
   *
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong option or a name that is taken, `ERR_PEER_MISSING` when
   * `@modelcontextprotocol/client` is not installed, `ERR_CLOSED` after `close()`.
   */
  async connectMcpServers(servers: readonly McpServerOptions[]): Promise<void> {
    if (this.#closed !== undefined) throw closedError();
    await this.#mcp.connect(servers);
  }

  /** The published tools: the four built-in ones, then those of MCP servers, as far as `allowedTools` names them. */
  allToolDefs(): ToolDef[] {
    const allTools = [...builtinToolDefs(), ...this.#mcp.tools.map(mcpToolDef)];
    return allTools.filter(({ name }) => this.#isAllowed(name));
  }

  /** Ends every MCP server and everything that it started. Others can be connected afterwards. Can be called again. */
  async shutdownMcp(): Promise<void> {
    await this.#mcp.shutDown();
  }

  /**
   * Calls a tool.
   *
   * @param toolName The name of a built-in tool, in upper or lower case, or of an MCP tool: `mcp__server__tool`, or the
   * server's own name where no other server has it.
   * @param args The model's arguments, unchecked.
   * @returns The result, also of a call that failed.
   * @throws HandrailError `ERR_CLOSED` after `close()`, and the errors of starting an engine.
   */
  async execute(toolName: string, args: unknown): Promise<ExecutorResult> {
    if (this.#closed !== undefined) throw closedError();
    const name = typeof toolName === 'string' ? toolName.toLowerCase() : '';
    try {
      const argumentNames = ARGUMENT_NAMES.get(name);
      if (argumentNames === undefined) {
        return (await this.#mcp.call(toolName, args, (tool) => this.#isAllowed(tool))) ?? this.#unknown(toolName);
      }
      if (!this.#isAllowed(name)) return this.#unknown(toolName);
      return await this.#call(name, readArguments(args, argumentNames));
    } catch (error) {
      if (!isHandrailError(error) || error.code !== 'ERR_INVALID_ARGUMENT') throw error;
      return failed(this.#redactor.redact(error.message));
    }
  }

  async #call(name: string, given: ToolArguments): Promise<ExecutorResult> {
    if (name === 'bash') return await this.#bash(commandArgument(given));
    const file = textArgument(given, 'file_path');
    if (name === 'read') return await this.#read(file);
    if (name === 'write') return await this.#write(file, textArgument(given, 'content'));
    const edit = { old: textArgument(given, 'old_string'), new: textArgument(given, 'new_string') };
    return await this.#edit(file, { ...edit, ...occurrenceArgument(given) });
  }

  /** Ends every command and waits until no process is left. Can be called again. */
  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  /** The same as `close()`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #shutDown(): Promise<void> {
    const { terminal, reader, writer } = this.#engines ?? {};
    const servers = this.#mcp.shutDown().then(() => this.#services.close());
    await Promise.all([servers, terminal?.close(), reader?.close(), writer?.close()]);
  }

  async #bash(command: string): Promise<ExecutorResult> {
    const result = await this.#open().terminal.run(command);
    const output = outputOf(result);
    switch (result.status) {
      case 'exited':
        return { content: output === '' ? `(exit code: ${result.exitCode})` : output, isError: !result.ok };
      case 'timed_out':
        return failed(withOutput(`Command timed out after ${BASH_TIMEOUT_SECS}s`, output));
      case 'signaled':
        return failed(withOutput(`Command was ended by ${result.signal}`, output));
      case 'limited':
        return failed(withOutput(`Command was ended: it ${limitText(result.limit)}`, output));
      case 'denied':
        return failed(denialText(result));
      default:
        return failed(
          withOutput(`Failed to execute command: ${result.failure?.message ?? 'it was cancelled'}`, output),
        );
    }
  }

  async #read(file: string): Promise<ExecutorResult> {
    const data = await this.#open().reader.read(this.#resolve(file), { limit: MAX_READ_LINES });
    if (!data.ok) return refused(`Error reading ${this.#echo(file)}`, data.refusal);
    return { content: truncateOutput(data.text, MAX_READ_OUTPUT), isError: false };
  }

  async #write(file: string, content: string): Promise<ExecutorResult> {
    if (isTruncatedRead(content)) return failed(TRUNCATED_CONTENT);
    const data = await this.#open().writer.write(this.#resolve(file), content);
    if (!data.ok) return refused(writeTitle(data.refusal), data.refusal);
    return { content: `Wrote ${Buffer.byteLength(content)} bytes to ${data.absolute}`, isError: false };
  }

  async #edit(file: string, edit: Edit): Promise<ExecutorResult> {
    const first = edit.all !== true && edit.occurrence === undefined;
    // Old texts are taken literally here.
    const data = await this.#open().writer.edit(this.#resolve(file), [edit], { first: true });
    if (!data.ok) {
      const title = data.refusal.code === 'no_match' ? 'Error: old_string not found in file' : writeTitle(data.refusal);
      return refused(title, data.refusal);
    }
    const [place] = data.edits;
    const occurrencesText = `${place?.occurrences ?? 0} occurrence(s) of pattern`;
    const which = first ? 'first' : (edit.occurrence ?? 'all');
    const content = `Edited ${data.absolute} (${occurrencesText}, replaced ${which} at line ${place?.line ?? 0})`;
    return { content, isError: false };
  }

  #isAllowed(name: string): boolean {
    const { allowedTools } = this.#options;
    if (allowedTools === undefined) return true;
    return allowedTools.some(
      (allowed) => allowed === name || (ARGUMENT_NAMES.has(name) && allowed.toLowerCase() === name),
    );
  }

  #unknown(toolName: unknown): ExecutorResult {
    return failed(`Unknown tool: ${this.#echo(toolName)}`);
  }

  /** An absolute path, resolved by its text: a `..` may lead from one allowed directory to another. */
  #resolve(file: string): string {
    return path.resolve(this.workspacePath, file);
  }

  /** A text of a model for a message, with secrets masked, and shortened. */
  #echo(value: unknown): string {
    const text = typeof value === 'string' ? value : `(${typeof value})`;
    return firstChars(this.#redactor.redact(text), MAX_ECHOED_CHARS);
  }

  #open(): Engines {
    this.#engines ??= openEngines(this.workspacePath, this.dataDir, this.#redactor, this.#options);
    return this.#engines;
  }
}

/** Standard output, then standard error. Of a long output, head and tail of both in the order in which they came. */
function outputOf(result: CommandResult): string {
  if (result.truncated) return result.output;
  const { stdout, stderr } = result;
  const separator = stdout === '' || stderr === '' || stdout.endsWith('\n') ? '' : '\n';
  return fitText(stdout + separator + stderr, MAX_BASH_OUTPUT);
}

function closedError(): HandrailError {
  return new HandrailError('ERR_CLOSED', 'This executor was closed');
}

function withOutput(message: string, output: string): string {
  return output === '' ? message : `${message}\n${output}`;
}

function writeTitle({ code }: FileRefusal): string {
  return ['outside_root', 'blocked_write', 'read_only_root'].includes(code) ? 'Write denied' : 'Error';
}

function refused(title: string, refusal: FileRefusal): ExecutorResult {
  return failed(`${title}: ${refusalText(refusal)}`);
}

function failed(content: string): ExecutorResult {
  return { content, isError: true };
}
