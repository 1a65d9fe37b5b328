import { firstChars } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import { isDeeperThan, mapTexts, visibleText } from './clean.js';
import { MAX_DESCRIPTION_CHARS, MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH } from './limits.js';
import { flatRoot, isObject, type Json, schemaProblem } from './schema-shape.js';

/** The JSON Schema of a tool's arguments. */
export interface McpSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required: readonly string[];
  readonly additionalProperties?: boolean | Readonly<Record<string, unknown>>;
}

/** The published form of a server's schema, or why its tool cannot be called. */
export type ReadSchema =
  | { readonly schema: McpSchema; readonly note: string; readonly problem?: string; readonly refused?: never }
  | { readonly refused: string };

const ANY_OBJECT: McpSchema = Object.freeze({
  type: 'object',
  properties: {},
  required: [],
  additionalProperties: true,
});

/**
 * Makes a server's schema acceptable to every provider: providers refuse the whole list of tools for one invalid
 * schema. A valid schema in an unusual form is rewritten. An invalid one is replaced by one for any object, because the
 * server checks the arguments.
 */
export function readSchema(redactor: Redactor, value: unknown): ReadSchema {
  if (value === undefined || value === null || value === true) return anyObject('it has no schema');
  if (!isObject(value)) return { refused: 'its inputSchema is no object' };
  if (isDeeperThan(value, MAX_SCHEMA_DEPTH)) return anyObject(`its schema is deeper than ${MAX_SCHEMA_DEPTH} levels`);
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_SCHEMA_BYTES) return anyObject('its schema is too large');
  const { schema, choices } = flatRoot(value);
  const types = schema['type'] === undefined ? ['object'] : [schema['type']].flat();
  if (!types.includes('object')) return { refused: 'its inputSchema is of another type than object' };
  const problem = schemaProblem(schema);
  if (problem !== undefined) return anyObject(`its schema is not valid (${problem})`);
  const note = choices.map((names) => `(${visibleText(names.join(', '))})`).join(' or ');
  return {
    schema: maskedSchema(redactor, schema),
    note: note === '' ? '' : firstChars(redactor.redact(` Takes one of these: ${note}.`), MAX_DESCRIPTION_CHARS),
  };
}

function anyObject(reason: string): ReadSchema {
  return { schema: ANY_OBJECT, note: ` Its arguments are not described: ${reason}.`, problem: reason };
}

/** The schema with every text masked. */
function maskedSchema(redactor: Redactor, schema: Json): McpSchema {
  const cleaned = mapTexts(schema, (text, field) => {
    const maskedText = redactor.redact(visibleText(text));
    return field === 'description' || field === 'title' ? firstChars(maskedText, MAX_DESCRIPTION_CHARS) : maskedText;
  }) as Record<string, unknown>;
  const properties = (cleaned['properties'] ?? {}) as McpSchema['properties'];
  const required = (cleaned['required'] ?? []) as readonly string[];
  return Object.freeze({
    ...cleaned,
    type: 'object',
    properties,
    required: required.filter((name) => Object.hasOwn(properties, name)),
  });
}
