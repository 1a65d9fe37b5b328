import { constants } from 'node:os';
import { invalidArgument, listOption, optionsObject, textValue } from '../config/validate.js';
import { hintForHost } from '../report/advice.js';
import { limitText } from '../report/limit.js';
import type { CommandResult } from '../report/result.js';
import { MAX_LIST_ENTRIES, MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from '../terminal/limits.js';
import type { TerminalOptions } from '../terminal/options.js';
import { Terminal } from '../terminal/terminal.js';
import { type FunctionSchema, functionSchema, type JsonSchema } from './function-schema.js';
import { ToolError } from './tool-error.js';

/** The programs that `TerminalTool` and `ToolExecutor` deny by default. */
export const DEFAULT_BLACKLIST: ReadonlySet<string> = new Set([
  'rm',
  'rmdir',
  'mkfs',
  'dd',
  'shutdown',
  'reboot',
  'halt',
  'poweroff',
  'kill',
  'killall',
  'pkill',
  'format',
  'del',
  'erase',
  'rd',
]);

/** The options of a `TerminalTool`. */
export interface TerminalToolOptions
  extends Pick<TerminalOptions, 'cwd' | 'env' | 'path' | 'roots' | 'approve' | 'confine' | 'redactor'> {
  /** Names of programs that are denied, in place of `DEFAULT_BLACKLIST`: an array or a set. */
  readonly blacklist?: readonly string[] | ReadonlySet<string> | undefined;
  /** Time limit of a command, in seconds. Default: 30. Range: 0.001 to 86,400. */
  readonly timeout?: number | undefined;
}

/** The arguments of a call of a `TerminalTool`. */
export interface TerminalToolArguments {
  /** A bash script. */
  readonly command: string;
}

/** The result of a command of a `TerminalTool`. */
export interface TerminalToolResult {
  /** The exit code; -N when signal N ended the command. */
  readonly exit_code: number;
  /** The standard output: cleaned, masked, head and tail of a long one. */
  readonly stdout: string;
  /** The standard error: cleaned, masked, head and tail of a long one. */
  readonly stderr: string;
  /** Name of the operating system, such as `linux`. */
  readonly platform: string;
}

const OPTION_KEYS = ['blacklist', 'timeout', 'cwd', 'env', 'path', 'roots', 'approve', 'confine', 'redactor'] as const;

const DEFAULT_TIMEOUT_SECONDS = 30;

/**
 * A tool that runs bash scripts, except those that name a denied program in any spelling. No process outlives its
 * command, and secrets in the output are masked.
 *
 * @example
 * ```ts
 * import { TerminalTool } from 'handrail';
 *
 * await using tool = new TerminalTool({ timeout: 10 });
 * console.log((await tool.execute({ command: 'echo a b | wc -w' })).stdout.trim()); // 2
 * const failure = await tool.execute({ command: 'cd / && "r"m -rf tmp' }).catch((error) => error);
 * console.log(failure.message); // Command 'rm' is blocked by sandbox policy
 * ```
 */
export class TerminalTool {
  /** The name that a model calls. */
  readonly name = 'terminal';
  /** A description for the model. */
  readonly description = 'Execute a shell command in the sandbox.';
  /** The JSON Schema of its arguments. */
  readonly parameters: JsonSchema = {
    type: 'object',
    properties: { command: { type: 'string', description: 'Shell command to execute.' } },
    required: ['command'],
  };
  /** Name of the operating system, such as `linux`. */
  readonly platform: string = process.platform;
  readonly #terminal: Terminal;
  readonly #timeoutSeconds: number;

  /**
   * @param options See `TerminalToolOptions`.
   * @throws HandrailError as `Terminal` does.
   */
  constructor(options: TerminalToolOptions = {}) {
    const givenOptions = optionsObject(options, 'options', OPTION_KEYS) as TerminalToolOptions;
    const { blacklist, timeout, ...others } = givenOptions;
    const timeoutMs = timeoutOption(timeout);
    this.#timeoutSeconds = timeoutMs / 1_000;
    this.#terminal = new Terminal({ ...others, shell: 'bash', deny: deniedNames(blacklist), timeoutMs });
  }

  /** The definition of the tool for chat completion services. */
  toSchema(): FunctionSchema {
    return functionSchema(this);
  }

  /**
   * Runs a script to its end.
   *
   * @param args Unchecked.
   * @returns The result of the script, whatever its exit code is.
   * @throws ToolError when the script is empty, blocked, out of time (`data` has `stdout` and `stderr` so far) or could
   * not be started; `HandrailError` `ERR_CLOSED` after `close()`.
   */
  async execute(args: TerminalToolArguments): Promise<TerminalToolResult> {
    if (typeof args !== 'object' || args === null) throw invalidArgument('args', 'an object', args);
    if (typeof args.command !== 'string' || args.command.trim() === '') throw new ToolError('Empty command');
    const result = await this.#terminal.run(args.command);
    this.#assertRan(result);
    return {
      exit_code: result.exitCode ?? -signalNumber(result.signal),
      stdout: result.stdout,
      stderr: result.stderr,
      platform: this.platform,
    };
  }

  /** Ends every command and waits until no process is left. Can be called again. */
  close(): Promise<void> {
    return this.#terminal.close();
  }

  /** The same as `close()`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #assertRan(result: CommandResult): void {
    const { status, decision, failure } = result;
    if (status === 'denied')
      throw new ToolError(denialText(result), { data: { reason: decision.reasons[0]?.rule ?? '' } });
    if (status === 'timed_out') {
      const { stdout, stderr } = result;
      const data = { reason: 'timed_out', stdout, stderr };
      throw new ToolError(`Command timed out after ${this.#timeoutSeconds}s`, { data });
    }
    if (status === 'limited') {
      const { stdout, stderr } = result;
      const data = { reason: 'limited', stdout, stderr };
      throw new ToolError(`Command was ended: it ${limitText(result.limit)}`, { data });
    }
    if (status === 'cancelled') throw new ToolError('Command execution failed: it was cancelled');
    if (status === 'spawn_failed') {
      throw new ToolError(`Command execution failed: ${failure?.message ?? 'no reason is known'}`);
    }
  }
}

/** Why a command was denied, and what to do instead. */
export function denialText({ decision: { reasons } }: Pick<CommandResult, 'decision'>): string {
  const denied = reasons.find(({ rule, program }) => rule === 'list.denied' && program !== undefined);
  if (denied !== undefined) return `Command '${denied.program}' is blocked by sandbox policy`;
  // The reason for asking says more than the fact that nobody could be asked.
  const first = reasons.find(({ rule }) => rule !== 'no_approver') ?? reasons[0];
  if (first === undefined) return 'Command is blocked by sandbox policy';
  const hint = reasons.map(hintForHost).find((text) => text !== undefined);
  return `Command is blocked by sandbox policy: ${first.message}${hint === undefined ? '' : `. ${hint}`}`;
}

/** Checks the blacklist. A string is refused, although it can be iterated. */
function deniedNames(blacklist: unknown = DEFAULT_BLACKLIST): readonly string[] {
  if (!Array.isArray(blacklist) && !(blacklist instanceof Set)) {
    throw invalidArgument('blacklist', 'an array or a set of names', blacklist);
  }
  return listOption([...blacklist], 'blacklist', MAX_LIST_ENTRIES, textValue) ?? [];
}

function timeoutOption(value: unknown): number {
  if (value === undefined) return DEFAULT_TIMEOUT_SECONDS * 1_000;
  const ms = typeof value === 'number' ? Math.round(value * 1_000) : Number.NaN;
  if (ms >= MIN_TIMEOUT_MS && ms <= MAX_TIMEOUT_MS) return ms;
  throw invalidArgument(
    'timeout',
    `a number of seconds from ${MIN_TIMEOUT_MS / 1_000} to ${MAX_TIMEOUT_MS / 1_000}`,
    value,
  );
}

function signalNumber(signal: string | null): number {
  return constants.signals[signal as NodeJS.Signals] ?? 0;
}
