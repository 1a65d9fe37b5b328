import type * as z from 'zod/mini';
import type { CallFacts } from '../audit/record.js';
import type { ArgumentsSchema } from './arguments.js';
import type { CallContext, CallDecision, ToolAnnotations, ToolData } from './definition.js';
import type { ToolHost } from './host.js';

/**
 * One tool, as its file says it. Everything else about a call (checking arguments, refusing, mapping
 * errors, bounding, timing, recording) is done by the executor, for all tools alike.
 */
export interface ToolSpec<Schema extends ArgumentsSchema, Data extends ToolData> {
  /** What a model calls it by. */
  readonly name: string;
  /** What it does to the world. */
  readonly annotations: ToolAnnotations;
  /** The arguments it takes, which may depend on what the host decided. */
  schema(host: ToolHost): Schema;
  /** What it does, for the model. */
  describe(host: ToolHost): string;
  /** What the policy says of a call, without doing anything. Absent: nothing is judged before a call is carried out. */
  explain?(args: z.output<Schema>, host: ToolHost): CallDecision;
  /** Does it. What is thrown is a mistake of the host, but for the codes the executor maps. */
  run(args: z.output<Schema>, call: CallContext, host: ToolHost): Promise<Data>;
  /** Whether the model is told that it failed. */
  isError(data: Data): boolean;
  /** For the model, masked by the engine that made `data`. The executor bounds it once more. */
  render(data: Data, args: z.output<Schema>, host: ToolHost): string | Promise<string>;
  /** For the audit. */
  facts(data: Data, args: z.output<Schema>, host: ToolHost): CallFacts;
}

/** A tool of which only its own file knows the types. */
export type AnyToolSpec = ToolSpec<ArgumentsSchema, ToolData>;

/** Fixes the types of a tool and forgets them again, so that one catalogue can hold all tools. */
export function defineTool<Schema extends ArgumentsSchema, Data extends ToolData>(
  spec: ToolSpec<Schema, Data>,
): AnyToolSpec {
  return Object.freeze(spec) as unknown as AnyToolSpec;
}
