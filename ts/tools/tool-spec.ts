import type * as z from 'zod/mini';
import type { CallFacts } from '../audit/record.js';
import type { ArgumentsSchema } from './arguments.js';
import type { CallContext, CallDecision, ToolAnnotations, ToolData } from './definition.js';
import type { ToolHost } from './host.js';

/**
 * One tool, as its file defines it. The executor does the rest for all tools alike: it checks arguments, refuses, maps
 * errors, bounds results, measures time and records.
 */
export interface ToolSpec<Schema extends ArgumentsSchema, Data extends ToolData> {
  /** The name that a model calls. */
  readonly name: string;
  /** The effects of the tool. */
  readonly annotations: ToolAnnotations;
  /** The schema of its arguments, which may depend on the host's settings. */
  schema(host: ToolHost): Schema;
  /** A description for the model. */
  describe(host: ToolHost): string;
  /** Judges a call without making it. Absent: nothing is judged before a call runs. */
  explain?(args: z.output<Schema>, host: ToolHost): CallDecision;
  /** Runs the tool. An error is the host's mistake, except for the codes that the executor maps. */
  run(args: z.output<Schema>, call: CallContext, host: ToolHost): Promise<Data>;
  /** Whether the call failed, for the model. */
  isError(data: Data): boolean;
  /** The text for the model. The engine that made `data` has masked it; the executor bounds it once more. */
  render(data: Data, args: z.output<Schema>, host: ToolHost): string | Promise<string>;
  /** The facts for the audit. */
  facts(data: Data, args: z.output<Schema>, host: ToolHost): CallFacts;
}

/** A tool whose argument and result types only its own file knows. */
export type AnyToolSpec = ToolSpec<ArgumentsSchema, ToolData>;

/** Checks the types of a tool and returns it without them, so that one catalogue can hold all tools. */
export function catalogueTool<Schema extends ArgumentsSchema, Data extends ToolData>(
  spec: ToolSpec<Schema, Data>,
): AnyToolSpec {
  return Object.freeze(spec) as unknown as AnyToolSpec;
}
