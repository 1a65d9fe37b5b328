import {
  functionOption,
  integerOption,
  invalidArgument,
  optionsObject,
  textOption,
  textValue,
} from '../config/validate.js';
import type { Files } from '../files/files.js';
import { MAX_TIMEOUT_MS, MIN_TIMEOUT_MS } from '../terminal/limits.js';
import type { Terminal } from '../terminal/terminal.js';
import { checkedSchema, type ObjectSchema, type ValueOf } from './custom-schema.js';
import type { ToolAnnotations } from './definition.js';
import { DEFAULT_CUSTOM_TIMEOUT_MS } from './limits.js';

/** What the code of a tool of the host's own gets beside its arguments. */
export interface CustomToolCall {
  /** Fires when the result is no longer wanted: the call was cancelled, its time is over, or the toolkit is closed. */
  readonly signal: AbortSignal;
  /** The framework's id of this call. Undefined when the caller gave none. */
  readonly callId: string | undefined;
  /** The terminal of the toolkit, for commands under its policy. */
  readonly terminal: Terminal;
  /** The file engine of the toolkit, for files beneath its roots. */
  readonly files: Files;
}

/** A tool of the host's own. */
export interface CustomToolOptions<Schema extends ObjectSchema = ObjectSchema, Value = unknown> {
  /** The name that a model calls: 1 to 64 letters, digits, `_` and `-`. Names with `mcp__` in front are for servers. */
  readonly name: string;
  /** A description for the model. */
  readonly description: string;
  /** The arguments, in the part of JSON Schema that `ObjectSchema` has. Others are refused before `run` is called. */
  readonly schema: Schema;
  /** Effects of the tool, for hosts that show or filter tools. Default: those of a tool that may do anything. */
  readonly annotations?: Partial<ToolAnnotations> | undefined;
  /** Milliseconds until the call is given up. Default: 120,000. Range: 1 to 86,400,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Does the work. Its value has to be one that JSON can hold, or undefined; secrets in it are masked. An error that it
   * throws, or with which its promise rejects, is a failed result with the message, masked.
   */
  readonly run: (args: ValueOf<Schema>, call: CustomToolCall) => Value | Promise<Value>;
  /** The text for the model; controls are removed and secrets masked. Default: a text as it is, other values as JSON. */
  readonly render?: ((value: Value, args: ValueOf<Schema>) => string) | undefined;
}

const TOOL_BRAND: unique symbol = Symbol('handrail.tool');

/** A tool that `defineTool` has checked, for `customTools` of a toolkit. */
export interface CustomTool {
  /** The name that a model calls. */
  readonly name: string;
  /** @internal */
  readonly [TOOL_BRAND]: CheckedCustomTool;
}

/** The checked options of a tool. */
export interface CheckedCustomTool {
  readonly name: string;
  readonly description: string;
  readonly schema: ObjectSchema;
  readonly annotations: ToolAnnotations;
  readonly timeoutMs: number;
  readonly run: (args: unknown, call: CustomToolCall) => unknown;
  readonly render: ((value: unknown, args: unknown) => unknown) | undefined;
}

const KEYS = ['name', 'description', 'schema', 'annotations', 'timeoutMs', 'run', 'render'];
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const TIMEOUT_RANGE = { min: MIN_TIMEOUT_MS, max: MAX_TIMEOUT_MS, unit: 'milliseconds' };
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/**
 * Defines a tool of the host's own. In a toolkit its calls take the way of all others: arguments are checked against the
 * schema, the result is masked and bounded, the call has a deadline and an audit record, and every adapter publishes it.
 *
 * @param tool See `CustomToolOptions`.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for an unknown or wrong option, and a keyword of JSON Schema that is not
 * checked.
 * @example
 * ```ts
 * import { createToolkit, defineTool } from 'handrail';
 *
 * const addNumbers = defineTool({
 *   name: 'add_numbers',
 *   description: 'Adds whole numbers.',
 *   schema: {
 *     type: 'object',
 *     properties: { numbers: { type: 'array', items: { type: 'integer' }, maxItems: 100 } },
 *     required: ['numbers'],
 *   },
 *   run: ({ numbers }) => ({ sum: numbers.reduce((sum, number) => sum + number, 0) }),
 *   render: ({ sum }) => `The sum is ${sum}.`,
 * });
 * await using toolkit = await createToolkit({ workspace: '.', customTools: [addNumbers] });
 * console.log((await toolkit.execute('add_numbers', { numbers: [1, 2, 3] })).content); // The sum is 6.
 * ```
 */
export function defineTool<const Schema extends ObjectSchema, Value>(
  tool: CustomToolOptions<Schema, Value>,
): CustomTool {
  const given = optionsObject(tool, 'tool', KEYS);
  const name = textValue(given['name'], 'tool.name');
  if (!TOOL_NAME.test(name)) {
    throw invalidArgument('tool.name', 'a name of 1 to 64 letters, digits, `_` and `-`', name);
  }
  const run = functionOption<CheckedCustomTool['run']>(given['run'], 'tool.run');
  if (run === undefined) throw invalidArgument('tool.run', 'a function', run);
  const checked: CheckedCustomTool = Object.freeze({
    name,
    description: textValue(given['description'], 'tool.description'),
    schema: checkedSchema(given['schema'], 'tool.schema'),
    annotations: annotationsOf(given['annotations'], name),
    timeoutMs: integerOption(given['timeoutMs'], 'tool.timeoutMs', TIMEOUT_RANGE, DEFAULT_CUSTOM_TIMEOUT_MS),
    run,
    render: functionOption<NonNullable<CheckedCustomTool['render']>>(given['render'], 'tool.render'),
  });
  return Object.freeze({ name, [TOOL_BRAND]: checked });
}

/** The checked options of a tool. Undefined for anything that `defineTool` did not make. */
export function checkedCustomTool(value: unknown): CheckedCustomTool | undefined {
  return typeof value === 'object' && value !== null && TOOL_BRAND in value
    ? (value as CustomTool)[TOOL_BRAND]
    : undefined;
}

/** The annotations of a tool. What the host does not say is the less harmless of the two. */
function annotationsOf(value: unknown, name: string): ToolAnnotations {
  const given = value === undefined ? {} : optionsObject(value, 'tool.annotations', ['title', ...HINTS]);
  for (const hint of HINTS) {
    const flag = given[hint];
    if (flag !== undefined && typeof flag !== 'boolean') {
      throw invalidArgument(`tool.annotations.${hint}`, 'a boolean', flag);
    }
  }
  const readOnly = given['readOnlyHint'] === true;
  return Object.freeze({
    readOnlyHint: false,
    destructiveHint: !readOnly,
    idempotentHint: readOnly,
    openWorldHint: true,
    ...Object.fromEntries(Object.entries(given).filter(([, entry]) => entry !== undefined)),
    title: textOption(given['title'], 'tool.annotations.title') ?? name,
  });
}
