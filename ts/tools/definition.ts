import type { SentMessage } from '../bus/send.js';
import type { FileData } from '../files/results.js';
import type { JobOutput } from '../jobs/output.js';
import type { McpData } from '../mcp/data.js';
import type { Decision, Reason } from '../report/decision.js';
import type { SandboxReport } from '../report/end.js';
import type { CommandResult } from '../report/result.js';
import type { SessionOutput, SessionScreen } from '../session/output.js';
import type { SessionEnd } from '../session/session.js';
import type { ApprovalQuestion, Approve } from '../terminal/approval.js';
import type { OutputChunk } from '../terminal/call.js';

/** A JSON Schema for an object, as every provider takes it. */
export interface ParametersSchema {
  /** Arguments are always one object. */
  readonly type: 'object';
  /** The schema of each argument, by its name. */
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Names without which a call is refused. */
  readonly required: readonly string[];
  /**
   * False for Handrail's own tools: arguments that are not in `properties` are refused. For a tool of an MCP server it
   * is the server's value, if there is one, and the schema may have further keywords.
   */
  readonly additionalProperties?: boolean | Readonly<Record<string, unknown>>;
}

/**
 * The effects of a tool, for hosts that show or filter tools. They are hints: nothing is enforced by them, and those of
 * an MCP server's tool come from the server.
 */
export interface ToolAnnotations {
  /** Name for people. */
  readonly title: string;
  /** Whether the tool changes nothing. */
  readonly readOnlyHint: boolean;
  /** Whether the tool may remove or overwrite something. */
  readonly destructiveHint: boolean;
  /** Whether a second call with the same arguments changes nothing more. */
  readonly idempotentHint: boolean;
  /** Whether the tool may reach something outside of the workspace, such as a network. */
  readonly openWorldHint: boolean;
}

/** The description of a tool for a model. It suits every provider. */
export interface ToolDefinition {
  /** The name that a model calls, such as `terminal_run`. */
  readonly name: string;
  /** A description for the model. It names the programs that may run. */
  readonly description: string;
  /** The schema of its arguments. */
  readonly parameters: ParametersSchema;
  /** Its effects, for the host. */
  readonly annotations: ToolAnnotations;
}

/** The result of `terminal_run` for programs: the whole result of the command. */
export type CommandData = CommandResult & {
  /** Says which of the results this is. */
  readonly kind: 'command';
};

/** The result of a `session_…` tool for programs. */
export interface SessionData {
  /** Says which of the results this is. */
  readonly kind: 'session';
  /** The tool: `session_start`, `session_send`, `session_read`, `session_screen` or `session_close`. */
  readonly operation: 'start' | 'send' | 'read' | 'screen' | 'close';
  /** The session's name, such as `s1`; absent when none was started. */
  readonly session?: string;
  /** Whether the tool did what it was asked to do. */
  readonly ok: boolean;
  /** Why `ok` is false; secrets masked. Absent when `ok` is true. */
  readonly problem?: string;
  /** The output of the program, and why the read ended. Absent where nothing was read. */
  readonly output?: SessionOutput;
  /** Whether a person was asked for the line that the program reads without echo. Absent where it reads none. */
  readonly personAsked?: boolean;
  /** What the terminal shows. Only of `session_screen`. */
  readonly screen?: SessionScreen;
  /** How the program ended. Absent while it lives. */
  readonly end?: SessionEnd;
  /** What the kernel enforces on the program. Absent when none was started. */
  readonly sandbox?: SandboxReport;
  /** The decision of the policy. Absent where nothing was judged. */
  readonly decision?: Decision;
}

/** A job in a list. */
export interface ListedJob {
  /** Its name. */
  readonly job: string;
  /** Its command on one line, secrets masked, shortened. */
  readonly command: string;
  /** Whether it runs. */
  readonly state: 'running' | 'ended';
  /** How long it has run, in milliseconds. */
  readonly ageMs: number;
  /** The result of the command. Absent while it runs. */
  readonly result?: CommandResult;
}

/** The result of a `job_…` tool for programs, and of `terminal_run` when its command goes on as a job. */
export interface JobData {
  /** Says which of the results this is. */
  readonly kind: 'job';
  /** What was asked for; `start` by `terminal_run`, the others by the tool of that name. */
  readonly operation: 'start' | 'wait' | 'read' | 'send' | 'end' | 'list';
  /** The job's name, such as `j1`. Absent in a list. */
  readonly job?: string;
  /** Whether the tool did what it was asked to do, and the job has not failed. */
  readonly ok: boolean;
  /** Whether the job runs. Absent in a list. */
  readonly state?: 'running' | 'ended';
  /** The output of the job. Absent where nothing was read. */
  readonly output?: JobOutput;
  /** Whether the input was read in time. Absent where nothing was sent. */
  readonly sent?: boolean;
  /** The result of the command. Absent while it runs. */
  readonly result?: CommandResult;
  /** The decision of the policy about the command. Absent where nothing was judged. */
  readonly decision?: Decision;
  /** The jobs of a list, oldest first. */
  readonly jobs?: readonly ListedJob[];
}

/** The result of `chat_send` for programs when the message is stored, with the keys of the wire format. */
export interface SentMessageData extends SentMessage {
  /** Says which of the results this is. */
  readonly kind: 'message';
}

/** The result of `chat_send` for programs when nothing was sent, or when it is not known whether the message is stored. */
export interface UnsentMessageData {
  /** Says which of the results this is. */
  readonly kind: 'message';
  /** False: the message is not known to be stored. */
  readonly ok: false;
  /** Why the message was not sent. */
  readonly refusal: {
    /**
     * `unknown_agent`: the recipient is not in `chat.agents`. `reserved_name`: the conversation has the name of an
     * agent. `rate_limited`: the agent has sent `chat.messagesPerMinute`. `too_many_hops`: the message would answer a
     * message that answers another, and so on, more than `chat.maxHops` times. The others are reasons of an `ERR_BUS`:
     * the bus cannot be reached, has refused, or, with `unknown`, may have stored the message.
     */
    readonly code:
      | 'unknown_agent'
      | 'reserved_name'
      | 'rate_limited'
      | 'too_many_hops'
      | 'unavailable'
      | 'unknown'
      | 'refused';
    /** A sentence for the model. With `rate_limited` it says when the model may send again. */
    readonly message: string;
    /** In how many milliseconds the agent may send again. Only with `rate_limited`. */
    readonly retryAfterMs?: number;
  };
}

/** The result of `chat_send` for programs. */
export type MessageData = SentMessageData | UnsentMessageData;

/** The result of a tool of the host's own, for programs. */
export interface CustomData {
  /** Says which of the results this is. */
  readonly kind: 'custom';
  /** The name of the tool. */
  readonly tool: string;
  /** Whether the tool gave a value. */
  readonly ok: boolean;
  /** `failed`: it threw. `timed_out`: its time was over. `cancelled`: nobody waited for it any more. */
  readonly status: 'done' | 'failed' | 'timed_out' | 'cancelled';
  /** What the tool gave, as JSON holds it, secrets masked. Absent where it gave nothing. */
  readonly value?: unknown;
  /** Why `ok` is false; secrets masked. Absent when `ok` is true. */
  readonly problem?: string;
  /** The text for the model, before it is bounded; secrets masked. */
  readonly text: string;
  /** How many secrets were masked in `text`. */
  readonly redactions: number;
}

/** Why a call did not reach its tool. */
export interface ToolRefusal {
  /** Says which of the results this is. */
  readonly kind: 'refusal';
  /** There is no such tool, the arguments are wrong, or there are too many calls at once. */
  readonly refused: 'unknown_tool' | 'invalid_arguments' | 'busy';
  /** One sentence each, secrets masked. */
  readonly problems: readonly string[];
}

/** The result of a tool for programs; `kind` tells the types apart. */
export type ToolData =
  | CommandData
  | CustomData
  | FileData
  | JobData
  | McpData
  | MessageData
  | SessionData
  | ToolRefusal;

/** The result of a call: a short text for the model, and the full result for programs. */
export interface ToolResult {
  /** The text for the model: redacted, and bounded by `limits.resultTokens` or `limits.readTokens`, and by `limits.resultChars`. */
  readonly content: string;
  /** False only when the tool did what it was asked to do: a command has to end with exit code 0. */
  readonly isError: boolean;
  /** The typed result. */
  readonly data: ToolData;
}

/** Options of one call. The host gives them; none of them can come from a model. */
export interface CallContext {
  /** Ends the call when it fires; the result then says that the call was cancelled. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Gets the output of a running command, see `RunOptions.onOutput`. Default: none. */
  readonly onOutput?: ((chunk: OutputChunk) => unknown) | undefined;
  /** The framework's id of this call, for the audit record. Default: none. */
  readonly callId?: string | undefined;
  /** Asked in place of the toolkit's `approve` when the policy leaves this call open. Default: the toolkit's. */
  readonly approve?: Approve | undefined;
  /**
   * Whose call it is, where several agents share the toolkit: each reaches its own jobs and sessions alone, and is told of
   * the end of these jobs. Default: one caller.
   */
  readonly caller?: string | undefined;
  /**
   * What the call is part of, as a `traceparent` of W3C Trace Context: the parent of its span, where the toolkit has
   * `telemetry` and the host a propagator. Default: what is active in the host.
   */
  readonly traceparent?: string | undefined;
}

/** The decision of the policy about a call that was not made yet. */
export interface CallDecision {
  /** `ask` runs only after an approver agreed. */
  readonly decision: 'allow' | 'ask' | 'deny';
  /** The decisive reasons first. Empty for tools whose calls are judged only while they run, such as the file tools. */
  readonly reasons: readonly Reason[];
  /** The question that an approver would get. Absent where `decision` is not `ask`. */
  readonly question?: ApprovalQuestion;
}
