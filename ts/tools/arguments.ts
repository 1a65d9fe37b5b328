import * as z from 'zod/mini';
import { probableName } from '../config/nearest.js';
import type { ParametersSchema } from './definition.js';
import { MAX_SHOWN_PROBLEMS } from './limits.js';

/** Names that are repeated to a model. Long enough for the name of an argument; most secrets have a digit. */
const SHOWABLE_NAME = /^[A-Za-z_]{1,32}$/;

// The small build of zod has no texts of its own.
z.config(z.locales.en());

/** The parts of a JSON Schema that tools use. */
interface JsonSchema {
  readonly type?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** The arguments of a tool: an object with these keys and no others. */
export type ArgumentsSchema = z.ZodMiniObject<Readonly<Record<string, z.ZodMiniType>>, z.core.$strict>;

/** Valid arguments, or the problems with them. */
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
 *
 * @param parameters The JSON Schema of `schema`, where it was made already.
 */
export function checkArguments<Schema extends ArgumentsSchema>(
  schema: Schema,
  args: unknown,
  parameters: ParametersSchema = parametersOf(schema),
): CheckedArguments<Schema> {
  const copiedArguments = copyArguments(args);
  if (typeof copiedArguments === 'string') return { ok: false, problems: [copiedArguments] };
  const parsed = schema.safeParse(withoutNulls(parameters, copiedArguments));
  if (parsed.success) return { ok: true, value: parsed.data };
  const names = Object.keys(parameters.properties);
  const meant = meantArgument(parameters, copiedArguments);
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, copiedArguments, names, meant));
  return { ok: false, problems: firstProblems(problems) };
}

/** The expected arguments in one line, in the syntax of TypeScript. */
export function signatureOf(parameters: ParametersSchema): string {
  return typeOfSchema(parameters);
}

/** A JSON Schema as a type of TypeScript. */
function typeOfSchema({ anyOf, enum: values, items, properties, required = [], type }: JsonSchema): string {
  if (anyOf !== undefined) return anyOf.map(typeOfSchema).join(' | ');
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (items !== undefined) return `${typeOfSchema(items)}[]`;
  if (properties === undefined) return String(type);
  const fields = Object.entries(properties).map(
    ([name, property]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOfSchema(property)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** A copy of the arguments, or a problem. They are read only once, because a getter or a proxy may answer differently. */
function copyArguments(args: unknown): object | string {
  try {
    if (typeof args !== 'object' || args === null || Array.isArray(args)) return 'the arguments must be an object';
    return { ...args };
  } catch {
    return 'the arguments cannot be read';
  }
}

/** Removes every optional argument that is `null`, also in objects of arrays. */
function withoutNulls(schema: JsonSchema, value: unknown): unknown {
  const { items, properties, required = [] } = schema;
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => withoutNulls(items, item));
  if (typeof value !== 'object' || value === null || properties === undefined) return value;
  const schemaOf = (name: string): JsonSchema | undefined =>
    Object.hasOwn(properties, name) ? properties[name] : undefined;
  const entries: [string, unknown][] = Object.entries(value);
  return Object.fromEntries(
    entries
      .filter(([name, item]) => item !== null || required.includes(name) || schemaOf(name) === undefined)
      .map(([name, item]) => [name, withoutNulls(schemaOf(name) ?? {}, item)]),
  );
}

/**
 * The required argument that the only unknown one stands for: it is the only one that is missing, and its type fits. A name
 * that merely looks alike says less.
 */
function meantArgument({ properties, required }: ParametersSchema, args: object): string | undefined {
  const unknown = Object.entries(args).filter(([name]) => !Object.hasOwn(properties, name));
  const missing = required.filter((name) => !Object.hasOwn(args, name));
  const [[, value] = []] = unknown;
  const [name] = missing;
  if (unknown.length !== 1 || missing.length !== 1 || name === undefined) return undefined;
  const { type } = (properties[name] ?? {}) as JsonSchema;
  return type === undefined || type === typeOfValue(value) ? name : undefined;
}

/** The type of a value, by its name in a JSON Schema. */
function typeOfValue(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The problems of one issue of zod. They repeat no value, and only those names that look like the name of an argument. */
function problemsOf(issue: z.core.$ZodIssue, args: object, names: readonly string[], meant?: string): string[] {
  if (issue.code === 'unrecognized_keys') {
    const isTop = issue.path.length === 0;
    const parentPath = isTop ? '' : `${argumentPath(issue.path)}.`;
    return issue.keys.map((key) => {
      const unknown = SHOWABLE_NAME.test(key) ? `: ${parentPath}${key}` : ' of a strange name';
      return `unknown argument${unknown}${isTop ? didYouMean(key, names, meant) : ''}`;
    });
  }
  const name = argumentPath(issue.path);
  return isMissing(issue.path, args) ? [`missing argument: ${name}`] : [`${name}: ${issue.message}`];
}

/** A question that names the argument which was probably meant; empty when there is none. */
function didYouMean(key: string, names: readonly string[], meant: string | undefined): string {
  const name = meant ?? (SHOWABLE_NAME.test(key) ? probableName(key, names) : undefined);
  return name === undefined ? '' : ` (did you mean ${name}?)`;
}

/** A path such as `edits[0].old`. It has only names of the schema and positions. */
function argumentPath(path: readonly PropertyKey[]): string {
  const joinedPath = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return joinedPath === '' ? 'arguments' : joinedPath.replace(/^\./, '');
}

/** Whether the arguments have no key at this path, not even one with the value `undefined`. */
function isMissing(path: readonly PropertyKey[], args: object): boolean {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown>)[step], args);
  return typeof holder === 'object' && holder !== null && !Object.hasOwn(holder, path.at(-1) ?? '');
}

function firstProblems(problems: readonly string[]): readonly string[] {
  const hiddenCount = problems.length - MAX_SHOWN_PROBLEMS;
  return hiddenCount > 0 ? [...problems.slice(0, MAX_SHOWN_PROBLEMS), `and ${hiddenCount} more`] : problems;
}
