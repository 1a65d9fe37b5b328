import { MAX_ARGUMENTS_BYTES } from './limits.js';
import type { McpSchema } from './schema.js';

/** Arguments for a server, or what is wrong with them. */
export type McpArguments =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

/**
 * Arguments as a server gets them: what JSON can say of an object, of a bounded size. Everything else about them is
 * the server's to judge. `null` for what may be left out is taken away, because strict providers send it so.
 */
export function mcpArguments(schema: McpSchema, args: unknown): McpArguments {
  let text: string;
  try {
    if (typeof args !== 'object' || args === null || Array.isArray(args)) throw new TypeError('no object');
    // What is sent is what was measured: a getter may give something else the second time.
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
    value: Object.fromEntries(Object.entries(copy).filter(([name, item]) => isMeant(schema, name, item))),
  };
}

/** Whether `null` says something, or stands for an argument that was left out. */
function isMeant({ properties, required }: McpSchema, name: string, value: unknown): boolean {
  if (value !== null || required.includes(name) || !Object.hasOwn(properties, name)) return true;
  return takesNull(properties[name] ?? {});
}

function takesNull({ type, anyOf, oneOf, enum: values, const: only }: Readonly<Record<string, unknown>>): boolean {
  if (type === undefined && anyOf === undefined && oneOf === undefined && values === undefined && only === undefined) {
    return true;
  }
  const among = (list: unknown, one: unknown): boolean => Array.isArray(list) && list.includes(one);
  const choices = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as Record<string, unknown>[]) : []));
  return type === 'null' || among(type, 'null') || among(values, null) || only === null || choices.some(takesNull);
}
