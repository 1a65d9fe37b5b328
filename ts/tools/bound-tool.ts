import type { ArgumentsSchema, CheckedArguments } from './arguments.js';
import type { ToolDefinition } from './definition.js';
import type { AnyToolSpec } from './tool-spec.js';

/** A tool of one toolkit: its definition is made once. */
export interface BoundTool {
  readonly spec: Pick<AnyToolSpec, 'explain' | 'run' | 'isError' | 'render' | 'facts'>;
  readonly definition: ToolDefinition;
  /** What a model sent, or what is wrong with it. */
  check(args: unknown): CheckedArguments<ArgumentsSchema>;
}

/** Tools that come and go while a toolkit lives. */
export interface ForeignTools {
  /** All of them, sorted by name. */
  all(): readonly BoundTool[];
  /** The one of a published name. */
  find(name: string): BoundTool | undefined;
}
