import type { SentMessage } from '../bus/send.js';
import type { FileData } from '../files/results.js';
import type { McpData } from '../mcp/data.js';
import type { Decision, Reason } from '../report/decision.js';
import type { SandboxReport } from '../report/end.js';
import type { CommandResult } from '../report/result.js';
import type { SessionEnd, SessionOutput } from '../session/session.js';
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
   * False for Handrail's own tools: arguments that are not in `properties` are refused. Of an MCP server's tool what its
   * server says, if anything, beside which further keywords may stand.
   */
  readonly additionalProperties?: boolean | Readonly<Record<string, unknown>>;
}

/**
 * What a tool does to the world, for hosts that show or filter tools. Hints: nothing is enforced by them, and of an MCP
 * server's tool they are what the server says of itself.
 */
export interface ToolAnnotations {
  /** Name for people. */
  readonly title: string;
  /** Whether it changes nothing. */
  readonly readOnlyHint: boolean;
  /** Whether it may remove or overwrite something. */
  readonly destructiveHint: boolean;
  /** Whether a second call with the same arguments changes nothing more. */
  readonly idempotentHint: boolean;
  /** Whether it may reach what is outside of the workspace, such as a network. */
  readonly openWorldHint: boolean;
}

/** A tool as a model is told about it. Bound to no provider. */
export interface ToolDefinition {
  /** What a model calls it by, such as `terminal_run`. */
  readonly name: string;
  /** What it does, for the model. Names the programs that may run. */
  readonly description: string;
  /** What arguments it takes. */
  readonly parameters: ParametersSchema;
  /** What it does to the world, for the host. */
  readonly annotations: ToolAnnotations;
}

/** What `terminal_run` gives to programs: the whole result of the command. */
export type CommandData = CommandResult & {
  /** Says which of the results this is. */
  readonly kind: 'command';
};

/** What a `session_…` tool gives to programs. */
export interface SessionData {
  /** Says which of the results this is. */
  readonly kind: 'session';
  /** Which of the tools it was. */
  readonly operation: 'start' | 'send' | 'read' | 'close';
  /** The session's name, such as `s1`; absent when none was started. */
  readonly session?: string;
  /** Whether it did what it was asked. */
  readonly ok: boolean;
  /** Why not; secrets masked. Absent when it did. */
  readonly problem?: string;
  /** What the program wrote, and why the read is over. Absent where nothing was read. */
  readonly output?: SessionOutput;
  /** How the program ended. Absent while it lives. */
  readonly end?: SessionEnd;
  /** What the kernel holds the program to. Absent when none was started. */
  readonly sandbox?: SandboxReport;
  /** What the policy said, of what it was asked about. */
  readonly decision?: Decision;
}

/** What `chat_send` gives to programs when the message is stored, in the words of the wire. */
export interface SentMessageData extends SentMessage {
  /** Says which of the results this is. */
  readonly kind: 'message';
}

/** What `chat_send` gives to programs when nothing was sent, or nobody knows. */
export interface UnsentMessageData {
  /** Says which of the results this is. */
  readonly kind: 'message';
  /** The message is not known to be stored. */
  readonly ok: false;
  /** Why not. */
  readonly refusal: {
    /**
     * Not an agent of `chat.agents`, a conversation with the name of one, or of an `ERR_BUS` the
     * reason: the bus cannot be reached or has refused; with `unknown` the message may be stored.
     */
    readonly code: 'unknown_agent' | 'reserved_name' | 'unavailable' | 'unknown' | 'refused';
    /** For the model. */
    readonly message: string;
  };
}

/** What `chat_send` gives to programs. */
export type MessageData = SentMessageData | UnsentMessageData;

/** Why a call did not reach its tool. */
export interface ToolRefusal {
  /** Says which of the results this is. */
  readonly kind: 'refusal';
  /** No such tool, arguments it does not take, or too many calls at once. */
  readonly refused: 'unknown_tool' | 'invalid_arguments' | 'busy';
  /** One sentence each, secrets masked. */
  readonly problems: readonly string[];
}

/** What a tool gives to programs; `kind` says which it is. */
export type ToolData = CommandData | FileData | McpData | MessageData | SessionData | ToolRefusal;

/** What a call gives: a short text for the model, and the same in full for programs. */
export interface ToolResult {
  /** For the model: redacted, and bounded by `limits.resultChars`. */
  readonly content: string;
  /** False only when the tool did what it was asked: of a command, when it ended with exit code 0. */
  readonly isError: boolean;
  /** The typed result. */
  readonly data: ToolData;
}

/** What one call can be told beside its arguments. None of it can come from a model. */
export interface CallContext {
  /** Ends the call when it fires; the result then says that it was cancelled. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Gets the output while a command runs, see `RunOptions.onOutput`. Default: none. */
  readonly onOutput?: ((chunk: OutputChunk) => unknown) | undefined;
  /** The framework's id of this call; it comes back in the audit record. Default: none. */
  readonly callId?: string | undefined;
  /** Asked in place of the toolkit's `approve` when the policy leaves this call open. Default: the toolkit's. */
  readonly approve?: Approve | undefined;
}

/** What the policy says of a call before it is made. */
export interface CallDecision {
  /** `ask` runs only after an approver agreed. */
  readonly decision: 'allow' | 'ask' | 'deny';
  /** The decisive ones first. Empty for a tool whose calls are judged only as they are carried out, as those for files. */
  readonly reasons: readonly Reason[];
  /** What an approver would be asked. Absent where `decision` is not `ask`. */
  readonly question?: ApprovalQuestion;
}
