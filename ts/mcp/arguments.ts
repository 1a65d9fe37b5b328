import { MAX_ARGUMENTS_BYTES } from './limits.js';
import type { McpSchema } from './schema.js';

/** Arguments for a server, or the problem with them. */
export type McpArguments =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

/**
 * Prepares arguments for a server: a copy as JSON, of bounded size, without optional arguments that are `null`, because
 * strict providers send these. The server checks everything else.
 */
export function mcpArguments(schema: McpSchema, args: unknown): McpArguments {
  let text: string;
  try {
    if (typeof args !== 'object' || args === null || Array.isArray(args)) throw new TypeError('no object');
    // Read once, so that a getter cannot return something else after the check.
    text = JSON.stringify(args);
  } catch {
    return { ok: false, problem: 'the arguments must be an object of JSON' };
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_ARGUMENTS_BYTES) {
    return { ok: false, problem: `the arguments have ${bytes} bytes; at most ${MAX_ARGUMENTS_BYTES} are sent` };
  }
  const copy: unknown = JSON.parse(text);
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy)) {
    return { ok: false, problem: 'the arguments must be an object of JSON' };
  }
  return {
    ok: true,
    value: Object.fromEntries(Object.entries(copy).filter(([name, item]) => isGiven(schema, name, item))),
  };
}

/** Whether to keep an argument: `null` may be a value, or stand for an argument that is left out. */
function isGiven({ properties, required }: McpSchema, name: string, value: unknown): boolean {
  if (value !== null || required.includes(name) || !Object.hasOwn(properties, name)) return true;
  return acceptsNull(properties[name] ?? {});
}

function acceptsNull({ type, anyOf, oneOf, enum: values, const: only }: Readonly<Record<string, unknown>>): boolean {
  if (type === undefined && anyOf === undefined && oneOf === undefined && values === undefined && only === undefined) {
    return true;
  }
  const includes = (list: unknown, one: unknown): boolean => Array.isArray(list) && list.includes(one);
  const choices = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as Record<string, unknown>[]) : []));
  return (
    type === 'null' || includes(type, 'null') || includes(values, null) || only === null || choices.some(acceptsNull)
  );
}
