import type { ParametersSchema } from '../tools/definition.js';

/** A schema for providers with strict decoding. */
export interface StrictParameters {
  type: 'object';
  properties: Record<string, Record<string, unknown>>;
  required: string[];
  additionalProperties: false;
}

/** A schema of an MCP server that strict decoding cannot express. The server checks the arguments. */
export interface LooseParameters {
  type: 'object';
  properties: Record<string, Record<string, unknown>>;
  required: string[];
  additionalProperties: true;
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * Keywords that every strict provider accepts. Other bounds, such as lengths of texts, are in descriptions, and the
 * tool itself checks them.
 */
const KEPT_KEYWORDS: readonly string[] = ['type', 'description', 'enum', 'minimum', 'maximum', 'minItems', 'maxItems'];

/** Keywords that are left out: the tool checks them, or they do not restrict values. */
const DROPPED_KEYWORDS: readonly string[] = [
  '$schema',
  'additionalProperties',
  'default',
  'examples',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxLength',
  'minLength',
  'multipleOf',
  'pattern',
  'title',
  'uniqueItems',
];

const READ_KEYWORDS: readonly string[] = [
  ...KEPT_KEYWORDS,
  ...DROPPED_KEYWORDS,
  'anyOf',
  'items',
  'properties',
  'required',
];

/** Whether strict decoding can express a schema. Servers use all of JSON Schema. */
export function canBeStrict(schema: Schema): boolean {
  if (Object.keys(schema).some((keyword) => !READ_KEYWORDS.includes(keyword))) return false;
  const { additionalProperties, anyOf, items, properties, type } = schema;
  // Strict objects have no other properties than those that they name.
  if (additionalProperties === true || typeof additionalProperties === 'object') return false;
  const types = [type].flat();
  if (types.includes('object') && properties === undefined) return false;
  if (types.includes('array') && items === undefined) return false;
  if (type === undefined && anyOf === undefined && schema['enum'] === undefined) return false;
  const nestedSchemas = [
    ...(Array.isArray(anyOf) ? (anyOf as unknown[]) : []),
    ...(items === undefined ? [] : [items]),
    ...Object.values((properties ?? {}) as object),
  ];
  return nestedSchemas.every(
    (part) => typeof part === 'object' && part !== null && !Array.isArray(part) && canBeStrict(part),
  );
}

/** The unchanged schema for decoding that is not strict. The SDK's type allows only `true` as `additionalProperties`. */
export function looseParameters(parameters: ParametersSchema): LooseParameters {
  const { properties, required } = parameters;
  const additionalProperties = (parameters.additionalProperties ?? true) as true;
  return { ...parameters, properties: { ...properties }, required: [...required], additionalProperties };
}

/**
 * The schema for strict decoding: every argument is required, and an optional one also accepts `null`. The same applies
 * to objects in arrays.
 */
export function strictParameters(parameters: ParametersSchema): StrictParameters {
  return strictObject(parameters.properties, parameters.required);
}

function strictObject(properties: Readonly<Record<string, Schema>>, required: readonly string[]): StrictParameters {
  const strict = Object.entries(properties).map(
    ([name, property]) =>
      [name, required.includes(name) ? strictSchema(property) : orNull(strictSchema(property))] as const,
  );
  return {
    type: 'object',
    properties: Object.fromEntries(strict),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function strictSchema(schema: Schema): Record<string, unknown> {
  const { anyOf, items, properties, required } = schema;
  const keptKeywords = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => KEPT_KEYWORDS.includes(keyword)),
  );
  return {
    ...keptKeywords,
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map((choice: Schema) => strictSchema(choice)) } : {}),
    ...(items === undefined ? {} : { items: strictSchema(items as Schema) }),
    ...(properties === undefined
      ? {}
      : strictObject(properties as Record<string, Schema>, (required ?? []) as readonly string[])),
  };
}

function orNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, enum: values, type } = schema;
  if (Array.isArray(type)) return { ...schema, type: [...new Set([...(type as unknown[]), 'null'])] };
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  const nullable = { ...schema, type: [type, 'null'] };
  return Array.isArray(values) ? { ...nullable, enum: [...values, null] } : nullable;
}
