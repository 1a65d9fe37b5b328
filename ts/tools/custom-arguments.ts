import * as z from 'zod/mini';
import type { ArgumentsSchema } from './arguments.js';
import type { ArgumentSchema, NumberSchema, ObjectSchema, TextSchema } from './custom-schema.js';

/** What checks the arguments of a tool of the host's own, made of its checked schema. */
export function argumentsSchema(schema: ObjectSchema): ArgumentsSchema {
  return typeOf(schema) as unknown as ArgumentsSchema;
}

function typeOf(schema: ArgumentSchema): z.ZodMiniType {
  const { description } = schema;
  const type = plainType(schema);
  return description === undefined ? type : type.check(z.describe(description));
}

function plainType(schema: ArgumentSchema): z.ZodMiniType {
  switch (schema.type) {
    case 'string':
      return textType(schema);
    case 'boolean':
      return z.boolean();
    case 'array': {
      const { items, minItems, maxItems } = schema;
      return z.array(typeOf(items)).check(...lengths(minItems, maxItems));
    }
    case 'object': {
      const { properties, required = [] } = schema;
      const fields = Object.entries(properties).map(([name, field]) => {
        const type = typeOf(field);
        return [name, required.includes(name) ? type : z.optional(type)] as const;
      });
      return z.strictObject(Object.fromEntries(fields));
    }
    default:
      return numberType(schema);
  }
}

function textType({ enum: values, minLength, maxLength }: TextSchema): z.ZodMiniType {
  if (values !== undefined) return z.enum(values);
  return z.string().check(...lengths(minLength, maxLength));
}

function numberType({ type, minimum, maximum }: NumberSchema): z.ZodMiniType {
  const checks = [
    ...(minimum === undefined ? [] : [z.minimum(minimum)]),
    ...(maximum === undefined ? [] : [z.maximum(maximum)]),
  ];
  return type === 'integer' ? z.int().check(...checks) : z.number().check(...checks);
}

function lengths(least = 0, most = Number.MAX_SAFE_INTEGER) {
  return [
    ...(least === 0 ? [] : [z.minLength(least)]),
    ...(most === Number.MAX_SAFE_INTEGER ? [] : [z.maxLength(most)]),
  ];
}
