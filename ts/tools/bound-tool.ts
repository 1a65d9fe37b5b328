import type { ArgumentsSchema, CheckedArguments } from './arguments.js';
import type { ToolDefinition } from './definition.js';
import type { AnyToolSpec } from './tool-spec.js';

/** A tool as one toolkit publishes it. */
export interface BoundTool {
  readonly spec: Pick<AnyToolSpec, 'explain' | 'run' | 'isError' | 'render' | 'facts'>;
  readonly definition: ToolDefinition;
  /** Checks the arguments that a model sent. */
  check(args: unknown): CheckedArguments<ArgumentsSchema>;
}

/** The tools of MCP servers, which change while a toolkit lives. */
export interface ForeignTools {
  /** Every tool, sorted by name. */
  all(): readonly BoundTool[];
  /** The tool with a published name. */
  find(name: string): BoundTool | undefined;
}
