import type { AuditFacts } from '../audit/record.js';
import type { OutputChunk } from '../terminal/call.js';
import type { CommandResult } from '../terminal/result.js';

/** A JSON Schema for an object, as every provider takes it. */
export interface ParametersSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Names without which a call is refused. */
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** What a tool does to the world, for hosts that show or filter tools. Hints: nothing is enforced by them. */
export interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A tool as a model is told about it. Bound to no provider. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: ParametersSchema;
  readonly annotations: ToolAnnotations;
}

/** Why a call did not reach its tool. */
export interface ToolRefusal {
  readonly refused: 'unknown_tool' | 'invalid_arguments' | 'busy';
  /** One sentence each, secrets masked. */
  readonly problems: readonly string[];
}

/** What a call gives: a short text for the model, and the same in full for programs. */
export interface ToolResult {
  /** For the model: redacted, and bounded by `limits.resultChars`. */
  readonly content: string;
  /** False only when the command ran and ended with exit code 0. */
  readonly isError: boolean;
  /** The typed result. */
  readonly data: CommandResult | ToolRefusal;
}

/** What one call can be told beside its arguments. None of it can come from a model. */
export interface CallContext {
  /** Ends the call when it fires; the result then says that it was cancelled. Default: none. */
  readonly signal?: AbortSignal;
  /** Gets the output while the command runs, see `RunOptions.onOutput`. Default: none. */
  readonly onOutput?: (chunk: OutputChunk) => unknown;
  /** The framework's id of this call; it comes back in the audit record. Default: none. */
  readonly callId?: string;
}

/** A result with what the audit says about it. */
export interface ToolOutcome {
  readonly result: ToolResult;
  readonly facts: AuditFacts;
}

/** A tool: its definition, and what a call with unchecked arguments does. */
export interface Tool {
  readonly definition: ToolDefinition;
  call(args: unknown, context: CallContext): Promise<ToolOutcome>;
}
