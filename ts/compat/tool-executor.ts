import { existsSync } from 'node:fs';
import path from 'node:path';
import { listOption, optionsObject, textValue } from '../config/validate.js';
import { HandrailError, isHandrailError } from '../errors.js';
import type { Edit } from '../files/call.js';
import { Files } from '../files/files.js';
import { MAX_READ_LINES } from '../files/limits.js';
import type { FileRefusal } from '../files/results.js';
import { Redactor } from '../redaction/redactor.js';
import { truncateOutput } from '../redaction/text.js';
import { boundToChars, firstChars } from '../terminal/bounding.js';
import { MAX_LIST_ENTRIES } from '../terminal/limits.js';
import { checkTerminalOptions, type Rule, type TerminalOptions } from '../terminal/options.js';
import type { CommandResult } from '../terminal/result.js';
import { Terminal } from '../terminal/terminal.js';
import {
  BASH_TIMEOUT_SECS,
  builtinToolDefs,
  isTruncatedRead,
  MAX_BASH_OUTPUT,
  MAX_READ_OUTPUT,
  occurrenceArgument,
  readArguments,
  type ToolDef,
  textArgument,
} from './executor-tools.js';
import { refusalText } from './refusal-text.js';
import { DEFAULT_BLACKLIST, denialText } from './terminal-tool.js';

/** How a `ToolExecutor` is made. */
export interface ToolExecutorOptions extends Pick<TerminalOptions, 'approve' | 'redactor' | 'env'> {
  /** Programs that `bash` may run; no other may, and `DEFAULT_BLACKLIST` does not hold. Default: absent. */
  readonly allow?: readonly Rule[];
  /** Programs that `bash` may not run. Default: `DEFAULT_BLACKLIST` where `allow` is absent too, else none. */
  readonly deny?: readonly Rule[];
  /** Names of the tools that are published and may be called. Default: all of them. */
  readonly allowedTools?: readonly string[];
  /** Places that may not be read: `'default'` or `'none'`. Default: `'default'`. */
  readonly readBlocklist?: 'default' | 'none';
}

/** What a tool of a `ToolExecutor` gives. */
export interface ExecutorResult {
  /** For the model: masked and bounded. */
  readonly content: string;
  /** Whether it failed. */
  readonly isError: boolean;
}

const OPTION_KEYS = ['allow', 'deny', 'approve', 'redactor', 'env', 'allowedTools', 'readBlocklist'] as const;

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

/** Folders for temporary files that the tools may write to wherever the workspace is. */
const TEMPORARY_FOLDERS: readonly string[] = ['/tmp'];

/** The engines behind the tools, made with the first call. */
interface Engines {
  readonly terminal: Terminal;
  /** Reads wherever no protected place is. */
  readonly reader: Files;
  /** Changes files in the workspace, the data directory and the folder for temporary files. */
  readonly writer: Files;
}

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
  /** Connected MCP servers by name; none in this release. */
  readonly mcpClients: ReadonlyMap<string, unknown> = new Map();
  /** Which server has which tool; empty in this release. */
  readonly mcpToolMap: ReadonlyMap<string, string> = new Map();
  readonly #options: ToolExecutorOptions;
  readonly #redactor: Redactor;
  #engines: Engines | undefined;
  #closed: Promise<void> | undefined;

  /**
   * @param workspacePath The directory to work in; a relative one is joined to `process.cwd()`.
   * @param options See `ToolExecutorOptions`.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for an unknown or wrong option. What only the engines
   * can know, such as a workspace that is missing, is told by the first call.
   */
  constructor(workspacePath: string, options: ToolExecutorOptions = {}) {
    this.workspacePath = path.resolve(textValue(workspacePath, 'workspacePath'));
    this.dataDir = path.dirname(this.workspacePath);
    this.#options = optionsObject(options, 'options', OPTION_KEYS) as ToolExecutorOptions;
    const { allowedTools: _tools, readBlocklist: _reads, ...terminal } = this.#options;
    checkTerminalOptions(terminal);
    listOption(this.#options.allowedTools, 'allowedTools', MAX_LIST_ENTRIES, textValue);
    this.#redactor = this.#options.redactor ?? new Redactor();
  }

  /** The tools that are published: the four built-in ones, or those of them that `allowedTools` names. */
  allToolDefs(): ToolDef[] {
    return builtinToolDefs().filter(({ name }) => this.#isAllowed(name));
  }

  /**
   * Calls a tool.
   *
   * @param toolName Its name, in any case.
   * @param args What the model sent, unchecked.
   * @returns The result; a failure is one too.
   * @throws HandrailError `ERR_CLOSED` after `close()`, and what starting an engine throws.
   */
  async execute(toolName: string, args: unknown): Promise<ExecutorResult> {
    if (this.#closed !== undefined) throw new HandrailError('ERR_CLOSED', 'This executor was closed');
    const name = typeof toolName === 'string' ? toolName.toLowerCase() : '';
    if (!this.#isAllowed(name)) return this.#unknown(toolName);
    try {
      return await this.#call(name, toolName, args);
    } catch (error) {
      if (!isHandrailError(error) || error.code !== 'ERR_INVALID_ARGUMENT') throw error;
      return failed(this.#redactor.redact(error.message));
    }
  }

  async #call(name: string, toolName: string, args: unknown): Promise<ExecutorResult> {
    const known = PARAMETERS.get(name);
    if (known === undefined) return this.#unknown(toolName);
    const given = readArguments(args, known);
    if (name === 'bash') return await this.#bash(textArgument(given, 'command'));
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
    const engines = this.#engines;
    if (engines === undefined) return;
    await Promise.all([engines.terminal.close(), engines.reader.close(), engines.writer.close()]);
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
        return failed(withOutput(`Command was ended by ${result.signal ?? 'a signal'}`, output));
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
    return allowedTools === undefined || allowedTools.some((allowed) => allowed.toLowerCase() === name);
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
    this.#engines ??= this.#make();
    return this.#engines;
  }

  #make(): Engines {
    const { allow, deny, approve, env, readBlocklist } = this.#options;
    const redactor = this.#redactor;
    const protect = [path.join(this.dataDir, 'data'), path.join(this.dataDir, 'config.toml')];
    const guards = { dotenv: 'mask', cwd: this.workspacePath, redactor, protect } as const;
    // `/` as data directory would allow everything.
    const data = this.dataDir === path.parse(this.dataDir).root ? [] : [this.dataDir];
    const roots = [
      ...new Set([this.workspacePath, ...data, ...TEMPORARY_FOLDERS.filter((folder) => existsSync(folder))]),
    ];
    return {
      reader: new Files({ ...guards, allowAll: true, ...(readBlocklist === undefined ? {} : { readBlocklist }) }),
      writer: new Files({ ...guards, roots }),
      terminal: new Terminal(
        {
          ...(allow === undefined ? {} : { allow }),
          ...(deny === undefined && allow === undefined ? { deny: [...DEFAULT_BLACKLIST] } : {}),
          ...(deny === undefined ? {} : { deny }),
          ...(approve === undefined ? {} : { approve }),
          ...(env === undefined ? {} : { env }),
          shell: 'bash',
          output: { maxChars: MAX_BASH_OUTPUT, spillBytes: 0 },
          cwd: this.workspacePath,
          timeoutMs: BASH_TIMEOUT_SECS * 1_000,
          redactor,
        },
        { guards: { writeRules: true, lifted: [], protectedPaths: protect } },
      ),
    };
  }
}

/** Standard output, then standard error; of a long one head and tail of both as they came, with the omitted counts. */
function outputOf(result: CommandResult): string {
  if (result.truncated) return result.output;
  const { stdout, stderr } = result;
  const between = stdout === '' || stderr === '' || stdout.endsWith('\n') ? '' : '\n';
  return boundToChars(stdout + between + stderr, MAX_BASH_OUTPUT).text;
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
