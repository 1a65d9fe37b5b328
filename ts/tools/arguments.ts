import * as z from 'zod/mini';
import type { ParametersSchema } from './definition.js';
import { MAX_SHOWN_PROBLEMS } from './limits.js';

/** Long enough for the name of an argument; most secrets have a digit. */
const SHOWABLE_NAME = /^[A-Za-z_]{1,32}$/;

// The small build of zod has no texts of its own.
z.config(z.locales.en());

/** The arguments of a tool: an object with these keys and no others. */
export type ArgumentsSchema = z.ZodMiniObject<Readonly<Record<string, z.ZodMiniType>>, z.core.$strict>;

/** Arguments that fit, or what is wrong with them. */
export type CheckedArguments<Schema extends ArgumentsSchema> =
  | { readonly ok: true; readonly value: z.output<Schema> }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The JSON Schema of a tool's arguments: optional ones are left out of `required`. */
export function parametersOf(schema: ArgumentsSchema): ParametersSchema {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  return Object.freeze({
    type: 'object',
    properties: properties as ParametersSchema['properties'],
    required: [...required],
    additionalProperties: false,
  });
}

/**
 * Checks what a model sent. Nothing is guessed: an unknown, missing or wrong argument is a problem.
 * Only `null` for an optional argument counts as left out, because strict providers send it so.
 */
export function checkArguments<Schema extends ArgumentsSchema>(
  schema: Schema,
  args: unknown,
): CheckedArguments<Schema> {
  const given = entriesOf(args);
  if (typeof given === 'string') return { ok: false, problems: [given] };
  const parsed = schema.safeParse(withoutNulls(schema, given));
  if (parsed.success) return { ok: true, value: parsed.data };
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, given));
  return { ok: false, problems: capped(problems) };
}

/** How the arguments should look, in one line. */
export function signatureOf({ properties, required }: ParametersSchema): string {
  const fields = Object.entries(properties).map(
    ([name, property]) => `${name}${required.includes(name) ? '' : '?'}: ${String(property['type'])}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** A copy that is read once, or why there is none: a getter or a proxy may do anything. */
function entriesOf(args: unknown): object | string {
  try {
    if (typeof args !== 'object' || args === null || Array.isArray(args)) return 'the arguments must be an object';
    return { ...args };
  } catch {
    return 'the arguments cannot be read';
  }
}

function withoutNulls(schema: ArgumentsSchema, args: object): object {
  const isLeftOut = ([name, value]: [string, unknown]): boolean =>
    value === null && schema.shape[name]?.safeParse(undefined).success === true;
  return Object.fromEntries(Object.entries(args).filter((entry) => !isLeftOut(entry)));
}

/** Values are never repeated, and of what a model sent for names only what looks like one. */
function problemsOf(issue: z.core.$ZodIssue, args: object): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `unknown argument${SHOWABLE_NAME.test(key) ? `: ${key}` : ' of a strange name'}`);
  }
  const name = String(issue.path[0] ?? 'arguments');
  if (!Object.hasOwn(args, name)) return [`missing argument: ${name}`];
  return [`${name}: ${issue.message}`];
}

function capped(problems: readonly string[]): readonly string[] {
  const rest = problems.length - MAX_SHOWN_PROBLEMS;
  return rest > 0 ? [...problems.slice(0, MAX_SHOWN_PROBLEMS), `and ${rest} more`] : problems;
}
