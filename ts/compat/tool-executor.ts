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

/** How a `ToolExecutor` is made. */
export interface ToolExecutorOptions extends Pick<TerminalOptions, 'approve' | 'redactor' | 'env'> {
  /** Programs that `bash` may run; no other may, and `DEFAULT_BLACKLIST` does not hold. Default: absent. */
  readonly allow?: readonly Rule[] | undefined;
  /** Programs that `bash` may not run. Default: `DEFAULT_BLACKLIST` where `allow` is absent too, else none. */
  readonly deny?: readonly Rule[] | undefined;
  /**
   * What the kernel holds commands of `bash` to. With `writes: 'roots'` they start and write in the workspace and `/tmp` alone.
   * Default: `writes` is `'any'`, the others follow from the lists.
   */
  readonly confine?: ConfineOptions | undefined;
  /**
   * Names of the tools that are published and may be called; those of MCP servers as `mcp__server__tool`. Default: all
   * of them.
   */
  readonly allowedTools?: readonly string[] | undefined;
  /** Places that may not be read: `'default'` or `'none'`. Default: `'default'`. */
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

/** What each tool takes. `edit` takes more than its definition says: which occurrences it replaces. */
const PARAMETERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['bash', ['command']],
  ['read', ['file_path']],
  ['write', ['file_path', 'content']],
  ['edit', ['file_path', 'old_string', 'new_string', 'replace_all', 'occurrence']],
]);

const TRUNCATED_CONTENT =
  'Error: the content ends with the notice of a truncated read: writing it would cut the file off. Use edit to change a ' +
  'part of it, or give the whole content.';

/** Characters of a name or path a model made up that are repeated to it. */
const MAX_ECHOED_CHARS = 256;

/**
 * The tools `bash`, `read`, `write` and `edit` for one workspace, called by name with what a model
 * sent. Commands are judged as bash would run them, files are changed in the workspace, its parent
 * (the data directory) and `/tmp` only, and every answer is masked and bounded.
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
  /** Where commands run and relative paths start; absolute. */
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
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for an unknown or wrong option. What only the engines
   * can know, such as a workspace that is missing, is told by the first call.
   */
  constructor(workspacePath: string, options?: ToolExecutorOptions);
  /**
   * @param services Starts MCP servers. Default: those of the supervisor.
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

  /** Connected MCP servers by name, as they are now. */
  get mcpClients(): ReadonlyMap<string, McpServerInfo> {
    return this.#mcp.clients;
  }

  /** Which server has which tool, by the tool's published name such as `mcp__server__tool`. */
  get mcpToolMap(): ReadonlyMap<string, string> {
    return this.#mcp.toolMap;
  }

  /**
   * Starts MCP servers and lists their tools, all at once. They run in the workspace with the variables of a command and
   * their `env`; what is started is the host's word. With `confine: { writes: 'roots' }` one writes in the workspace and `/tmp`
   * alone. One that fails is a process warning with the code `HANDRAIL_MCP`.
   *
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong option or a name that is taken, `ERR_PEER_MISSING` when
   * `@modelcontextprotocol/client` is not installed, `ERR_CLOSED` after `close()`.
   */
  async connectMcpServers(servers: readonly McpServerOptions[]): Promise<void> {
    if (this.#closed !== undefined) throw closedError();
    await this.#mcp.connect(servers);
  }

  /** The tools that are published: the four built-in ones, then those of MCP servers; of them what `allowedTools` names. */
  allToolDefs(): ToolDef[] {
    const all = [...builtinToolDefs(), ...this.#mcp.tools.map(mcpToolDef)];
    return all.filter(({ name }) => this.#isAllowed(name));
  }

  /** Ends every MCP server and everything it started; others can be connected afterwards. Can be called again. */
  async shutdownMcp(): Promise<void> {
    await this.#mcp.shutDown();
  }

  /**
   * Calls a tool.
   *
   * @param toolName Its name: a built-in one in any case, one of an MCP server as `mcp__server__tool`, or as the server
   * calls it where no other has it.
   * @param args What the model sent, unchecked.
   * @returns The result; a failure is one too.
   * @throws HandrailError `ERR_CLOSED` after `close()`, and what starting an engine throws.
   */
  async execute(toolName: string, args: unknown): Promise<ExecutorResult> {
    if (this.#closed !== undefined) throw closedError();
    const name = typeof toolName === 'string' ? toolName.toLowerCase() : '';
    try {
      const known = PARAMETERS.get(name);
      if (known === undefined) {
        return (await this.#mcp.call(toolName, args, (tool) => this.#isAllowed(tool))) ?? this.#unknown(toolName);
      }
      if (!this.#isAllowed(name)) return this.#unknown(toolName);
      return await this.#call(name, readArguments(args, known));
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

  /** Ends every command and waits until nothing of them is left. Can be called again. */
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
    if (data.binary) return failed(`Error reading ${this.#echo(file)}: it is binary (${data.bytes} bytes)`);
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
    const data = await this.#open().writer.edit(this.#resolve(file), [edit], { first });
    if (!data.ok) {
      const title = data.refusal.code === 'no_match' ? 'Error: old_string not found in file' : writeTitle(data.refusal);
      return refused(title, data.refusal);
    }
    const [place] = data.edits;
    const found = `${place?.occurrences ?? 0} occurrence(s) of pattern`;
    const which = first ? 'first' : (edit.occurrence ?? 'all');
    const content = `Edited ${data.absolute} (${found}, replaced ${which} at line ${place?.line ?? 0})`;
    return { content, isError: false };
  }

  #isAllowed(name: string): boolean {
    const { allowedTools } = this.#options;
    if (allowedTools === undefined) return true;
    return allowedTools.some((allowed) => allowed === name || (PARAMETERS.has(name) && allowed.toLowerCase() === name));
  }

  #unknown(toolName: unknown): ExecutorResult {
    return failed(`Unknown tool: ${this.#echo(toolName)}`);
  }

  /** From the workspace, by name: a `..` may lead from one directory that is allowed to another. */
  #resolve(file: string): string {
    return path.resolve(this.workspacePath, file);
  }

  /** What a model sent, short and without its secrets. */
  #echo(value: unknown): string {
    const text = typeof value === 'string' ? value : `(${typeof value})`;
    return firstChars(this.#redactor.redact(text), MAX_ECHOED_CHARS);
  }

  #open(): Engines {
    this.#engines ??= openEngines(this.workspacePath, this.dataDir, this.#redactor, this.#options);
    return this.#engines;
  }
}

/** Standard output, then standard error; of a long one head and tail of both as they came, with the omitted counts. */
function outputOf(result: CommandResult): string {
  if (result.truncated) return result.output;
  const { stdout, stderr } = result;
  const between = stdout === '' || stderr === '' || stdout.endsWith('\n') ? '' : '\n';
  return fitText(stdout + between + stderr, MAX_BASH_OUTPUT);
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
