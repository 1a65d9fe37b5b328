/** The part of JSON Schema in which a tool of the host's own says its arguments: all of it is checked before a call runs. */
import { invalidArgument, optionsObject, textOption } from '../config/validate.js';
import { HandrailError } from '../errors.js';

/** A text, or one of several texts. */
export interface TextSchema {
  /** Says which of the schemas this is. */
  readonly type: 'string';
  /** A description for the model. */
  readonly description?: string;
  /** The accepted texts. Default: every text. */
  readonly enum?: readonly string[];
  /** Fewest UTF-16 units. Default: 0. */
  readonly minLength?: number;
  /** Most UTF-16 units. Default: no limit. */
  readonly maxLength?: number;
}

/** A number. */
export interface NumberSchema {
  /** `integer` refuses fractions. */
  readonly type: 'integer' | 'number';
  /** A description for the model. */
  readonly description?: string;
  /** The smallest accepted number. Default: none. */
  readonly minimum?: number;
  /** The largest accepted number. Default: none. */
  readonly maximum?: number;
}

/** True or false. */
export interface BooleanSchema {
  /** Says which of the schemas this is. */
  readonly type: 'boolean';
  /** A description for the model. */
  readonly description?: string;
}

/** A list. */
export interface ListSchema {
  /** Says which of the schemas this is. */
  readonly type: 'array';
  /** A description for the model. */
  readonly description?: string;
  /** The schema of each entry. */
  readonly items: ArgumentSchema;
  /** Fewest entries. Default: 0. */
  readonly minItems?: number;
  /** Most entries. Default: no limit. */
  readonly maxItems?: number;
}

/** An object with these fields and no others. */
export interface ObjectSchema {
  /** Says which of the schemas this is. */
  readonly type: 'object';
  /** A description for the model. */
  readonly description?: string;
  /** The schema of each field, by its name. */
  readonly properties: Readonly<Record<string, ArgumentSchema>>;
  /** Names of the fields that have to be there. Default: none. */
  readonly required?: readonly string[];
}

/** The schema of an argument of a tool of the host's own. */
export type ArgumentSchema = TextSchema | NumberSchema | BooleanSchema | ListSchema | ObjectSchema;

/** The type of the values that a schema accepts. */
export type ValueOf<Schema extends ArgumentSchema> = Schema extends TextSchema
  ? Schema['enum'] extends readonly (infer Text)[]
    ? Text
    : string
  : Schema extends NumberSchema
    ? number
    : Schema extends BooleanSchema
      ? boolean
      : Schema extends ListSchema
        ? readonly ValueOf<Schema['items']>[]
        : Schema extends ObjectSchema
          ? FieldsOf<Schema>
          : never;

/** The type of an object that a schema accepts: fields that are not `required` may be missing. */
export type FieldsOf<Schema extends ObjectSchema> = {
  readonly [Name in keyof Schema['properties']]?: ValueOf<Schema['properties'][Name]>;
} & {
  readonly [Name in Extract<keyof Schema['properties'], RequiredNames<Schema>>]: ValueOf<Schema['properties'][Name]>;
};

/** The names of the fields that a schema requires. */
export type RequiredNames<Schema extends ObjectSchema> = Schema['required'] extends readonly (infer Name)[]
  ? Name
  : never;

/** What each keyword takes, by the type of its schema; `description` goes with all. */
const KEYWORDS = {
  string: { enum: texts, minLength: bound, maxLength: bound },
  integer: { minimum: bound, maximum: bound },
  number: { minimum: bound, maximum: bound },
  boolean: {},
  array: { items: schemaValue, minItems: bound, maxItems: bound },
  object: { properties: fields, required: texts },
} as const satisfies Readonly<Record<ArgumentSchema['type'], Readonly<Record<string, KeywordCheck>>>>;

/** Checks the value of a keyword. */
type KeywordCheck = (value: unknown, name: string, depth: number) => void;

/** Deepest nesting of a schema. */
const MAX_DEPTH = 8;

/**
 * Checks the schema of a tool's arguments.
 *
 * @throws HandrailError `ERR_INVALID_ARGUMENT` also for a keyword that calls are not checked against: it would promise
 * too much.
 */
export function checkedSchema(schema: unknown, name: string): ObjectSchema {
  if (typeof schema !== 'object' || schema === null || !('type' in schema) || schema.type !== 'object') {
    throw invalidArgument(name, "a schema of the type 'object'", schema);
  }
  schemaValue(schema, name, -1);
  return schema as ObjectSchema;
}

function schemaValue(schema: unknown, name: string, parentDepth: number): void {
  const depth = parentDepth + 1;
  if (depth > MAX_DEPTH) throw problem(name, `is nested deeper than ${MAX_DEPTH} levels`);
  if (typeof schema !== 'object' || schema === null) throw invalidArgument(name, 'a schema', schema);
  const { type } = schema as { type?: unknown };
  if (typeof type !== 'string' || !Object.hasOwn(KEYWORDS, type)) {
    throw invalidArgument(`${name}.type`, `one of ${Object.keys(KEYWORDS).join(', ')}`, type);
  }
  const checks: Readonly<Record<string, KeywordCheck>> = KEYWORDS[type as ArgumentSchema['type']];
  const given = optionsObject(schema, name, ['type', 'description', ...Object.keys(checks)]);
  textOption(given['description'], `${name}.description`);
  for (const needed of ['items', 'properties']) {
    if (Object.hasOwn(checks, needed) && given[needed] === undefined) {
      throw invalidArgument(`${name}.${needed}`, 'a value', undefined);
    }
  }
  for (const [keyword, check] of Object.entries(checks)) {
    if (given[keyword] !== undefined) check(given[keyword], `${name}.${keyword}`, depth);
  }
  const { properties, required } = schema as Partial<ObjectSchema>;
  const missing = (required ?? []).findIndex((field) => !Object.hasOwn(properties ?? {}, field));
  if (missing >= 0) throw problem(`${name}.required[${missing}]`, 'names no entry of `properties`');
}

function bound(value: unknown, name: string): void {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw invalidArgument(name, 'a number', value);
}

function texts(value: unknown, name: string): void {
  const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  if (!isList) throw invalidArgument(name, 'a list of texts', value);
  if (value.length === 0 && name.endsWith('.enum')) throw problem(name, 'accepts nothing');
}

function fields(value: unknown, name: string, depth: number): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidArgument(name, 'an object', value);
  for (const [field, schema] of Object.entries(value)) schemaValue(schema, `${name}.${field}`, depth);
}

function problem(name: string, text: string): HandrailError {
  return new HandrailError('ERR_INVALID_ARGUMENT', `\`${name}\` ${text}`, { data: { name } });
}
