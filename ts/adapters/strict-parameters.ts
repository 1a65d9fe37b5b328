import type { ParametersSchema } from '../tools/definition.js';

/** A schema as providers with strict decoding take it. */
export interface StrictParameters {
  type: 'object';
  properties: Record<string, Record<string, unknown>>;
  required: string[];
  additionalProperties: false;
}

/** Keywords every strict provider takes. Bounds are said in descriptions and checked by the tool itself. */
const KEPT_KEYWORDS: readonly string[] = ['type', 'description', 'enum'];

/**
 * The same arguments for strict decoding: every one is required, and one that may be left out
 * takes `null` instead.
 */
export function strictParameters({ properties, required }: ParametersSchema): StrictParameters {
  const strict = Object.entries(properties).map(([name, property]) => {
    const kept = Object.fromEntries(Object.entries(property).filter(([keyword]) => KEPT_KEYWORDS.includes(keyword)));
    return [name, required.includes(name) ? kept : { ...kept, type: [property['type'], 'null'] }] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(strict),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}
