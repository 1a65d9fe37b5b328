import type { AuditListener } from '../audit/listeners.js';
import type { Bus } from '../bus/bus.js';
import type { Files } from '../files/files.js';
import type { McpServerInfo } from '../mcp/server-info.js';
import type { Redactor } from '../redaction/redactor.js';
import type { Sessions } from '../session/sessions.js';
import type { CapabilityReport } from '../terminal/capabilities.js';
import type { Terminal } from '../terminal/terminal.js';
import type { CallContext, CallDecision, ToolDefinition, ToolResult } from './definition.js';

/**
 * Gets a server of MCP tools, as it is then: when its tools are other ones than before, and when it could not be connected.
 * What it throws, or what a promise it returns rejects with, is a process warning with the code `HANDRAIL_AUDIT`.
 */
export type ToolsListener = (server: McpServerInfo) => void;

/** The MCP servers of a toolkit. */
export interface ToolkitMcp {
  /** Every server, in the order of `mcpServers`, also one that could not be connected. */
  readonly servers: readonly McpServerInfo[];
}

/** Guarded tools for one agent, with one policy, one redactor and one audit. */
export interface Toolkit extends AsyncDisposable {
  /** The terminal behind `terminal_run`, for the program's own use. */
  readonly terminal: Terminal;
  /** The file engine behind the `file_…` tools, for the program's own use. */
  readonly files: Files;
  /** Programs on terminals of their own, for the program's own use; those of `session_start` are among them. */
  readonly sessions: Sessions;
  /** The bus behind `chat_send`. Absent where neither `bus` nor `chat` was given. It stays yours to close. */
  readonly bus?: Bus;
  /** The MCP servers of `mcpServers` and how they are now. Undefined when there are none. */
  readonly mcp: ToolkitMcp | undefined;
  /** What masks secrets in everything the tools give. */
  readonly redactor: Redactor;

  /**
   * The tools as a model is told about them, in a fixed order: Handrail's own, then those of MCP servers by name. Equal
   * options and servers give equal definitions. Tools of servers come and go while the toolkit lives: `on('tools', ...)` says
   * when.
   */
  definitions(): ToolDefinition[];

  /**
   * Says what the policy would decide on a call. Nothing is done, nobody is asked, nothing is recorded.
   *
   * @param name Name of a tool.
   * @param args The model's arguments, unchecked.
   * @returns `deny` also for an unknown tool and wrong arguments, with the reason `unknown_tool` or `invalid_arguments`.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for a `name` that is no string, `ERR_CLOSED` after `close()`.
   * @example
   * ```ts
   * import { createToolkit } from 'handrail';
   *
   * await using toolkit = await createToolkit({ workspace: '.', terminal: { allow: ['node'] } });
   * const { decision, question } = toolkit.explain('terminal_run', { command: 'node -p 1+1' });
   * console.log(decision, question?.rendering); // ask node -p 1+1
   * ```
   */
  explain(name: string, args: unknown): CallDecision;

  /**
   * Calls a tool with what a model sent.
   *
   * @param name Name of a tool. An unknown one gives a result that says so.
   * @param args The model's arguments, unchecked. Wrong ones give a result that says what is wrong.
   * @param context See `CallContext`.
   * @returns The result, also when the call was denied, failed, ran out of time or was cancelled.
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong `name` or `context`, `ERR_CLOSED`
   * after `close()`, `ERR_SUPERVISOR` when the supervisor cannot be started. What `onOutput` or
   * `approve` throws is thrown on.
   */
  execute(name: string, args: unknown, context?: CallContext): Promise<ToolResult>;

  /** What this machine can enforce for the commands of this toolkit. */
  capabilities(): CapabilityReport;

  /**
   * Tells `listener` about each call when its result is there; see `AuditListener` for one that throws.
   *
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for another event or a listener that is no function.
   */
  on(event: 'call', listener: AuditListener): this;
  /**
   * Tells `listener` about each server of MCP tools whose tools are other ones now: one that was ready later than
   * `mcpReadyMs`, one that has announced others, and one that could not be connected after all. By then
   * `definitions()` has them. What was made of definitions before, such as `agentTools(toolkit)`, is to be made anew.
   *
   * @throws HandrailError As above.
   */
  on(event: 'tools', listener: ToolsListener): this;

  /**
   * Stops telling `listener`, which need not have been told before.
   *
   * @throws HandrailError `ERR_INVALID_ARGUMENT` for another event or a listener that is no function.
   */
  off(event: 'call', listener: AuditListener): this;
  /** The same for the other event. */
  off(event: 'tools', listener: ToolsListener): this;

  /**
   * Ends every call, and everything the tools started, and waits until nothing of them is left, at most as
   * long as `Terminal.close()`. Servers of MCP tools get the end of their input first, after 2 s SIGTERM, and
   * after 2 s more SIGKILL: with them it may take at most 5 s longer. Can be called again; later calls of tools
   * reject with `ERR_CLOSED`.
   */
  close(): Promise<void>;
}
