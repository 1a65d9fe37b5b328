import type { ParametersSchema } from '../tools/definition.js';

/** A schema as providers with strict decoding take it. */
export interface StrictParameters {
  type: 'object';
  properties: Record<string, Record<string, unknown>>;
  required: string[];
  additionalProperties: false;
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * Keywords every strict provider takes. Other bounds, such as lengths of texts, are said in
 * descriptions and checked by the tool itself.
 */
const KEPT_KEYWORDS: readonly string[] = ['type', 'description', 'enum', 'minimum', 'maximum', 'minItems', 'maxItems'];

/**
 * The same arguments for strict decoding: every one is required, and one that may be left out
 * takes `null` instead. Objects in arrays are no exception.
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
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => KEPT_KEYWORDS.includes(keyword)));
  return {
    ...kept,
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map((choice: Schema) => strictSchema(choice)) } : {}),
    ...(items === undefined ? {} : { items: strictSchema(items as Schema) }),
    ...(properties === undefined
      ? {}
      : strictObject(properties as Record<string, Schema>, (required ?? []) as readonly string[])),
  };
}

function orNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, enum: values, type } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  const nullable = { ...schema, type: [type, 'null'] };
  return Array.isArray(values) ? { ...nullable, enum: [...values, null] } : nullable;
}
