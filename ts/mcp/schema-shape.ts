/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** The required form of a keyword's value. */
type Shape = 'schema' | 'schemas' | 'named schemas' | 'items' | 'texts' | 'text' | 'number' | 'list' | 'type';

const TYPES: readonly unknown[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** The keywords of JSON Schema that providers check, with the form of their values. Others are passed on unchecked. */
const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ...withShape('schema', ['additionalProperties', 'contains', 'else', 'if', 'not', 'propertyNames', 'then']),
  ...withShape('schemas', ['allOf', 'anyOf', 'oneOf', 'prefixItems']),
  ...withShape('named schemas', ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties']),
  ...withShape('items', ['items']),
  ...withShape('texts', ['required']),
  ...withShape('text', ['$ref', 'description', 'format', 'pattern', 'title']),
  ...withShape('number', ['maxItems', 'maxLength', 'maximum', 'minItems', 'minLength', 'minimum', 'multipleOf']),
  ...withShape('list', ['enum']),
  ...withShape('type', ['type']),
]);

/** Keywords that providers refuse in a root schema. They are left out, and the server checks them. */
const NOT_ALLOWED_IN_ROOT: readonly string[] = [
  '$ref',
  'allOf',
  'anyOf',
  'const',
  'else',
  'enum',
  'if',
  'not',
  'oneOf',
  'then',
];

/** Longest chain of references. */
const MAX_REFERENCES = 8;

function withShape(shape: Shape, keywords: readonly string[]): [string, Shape][] {
  return keywords.map((keyword) => [keyword, shape]);
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is wrong with a schema, as a clause; undefined when nothing is. It does not recurse. */
export function schemaProblem(root: Json): string | undefined {
  const pendingSchemas: unknown[] = [root];
  for (let schema = pendingSchemas.pop(); schema !== undefined; schema = pendingSchemas.pop()) {
    if (typeof schema === 'boolean') continue;
    if (!isObject(schema)) return 'a schema in it is no object';
    for (const [keyword, value] of Object.entries(schema)) {
      const nestedSchemas = schemasBelow(SHAPES.get(keyword), value);
      if (nestedSchemas === undefined) return `it has a wrong ${keyword}`;
      for (const nestedSchema of nestedSchemas) pendingSchemas.push(nestedSchema);
    }
  }
  return undefined;
}

/** The schemas within a keyword's value; undefined when the value has the wrong form. */
function schemasBelow(shape: Shape | undefined, value: unknown): readonly unknown[] | undefined {
  const fits = (is: boolean): readonly unknown[] | undefined => (is ? [] : undefined);
  const isTexts = (): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');
  switch (shape) {
    case undefined:
      return [];
    case 'schema':
      return [value];
    case 'schemas':
      return Array.isArray(value) && value.length > 0 ? value : undefined;
    case 'named schemas':
      return isObject(value) ? Object.values(value) : undefined;
    case 'items':
      return Array.isArray(value) ? value : [value];
    case 'texts':
      return fits(isTexts());
    case 'text':
      return fits(typeof value === 'string');
    case 'number':
      return fits(typeof value === 'number');
    case 'list':
      return fits(Array.isArray(value));
    case 'type':
      return fits([value].flat().every((one) => TYPES.includes(one)) && [value].flat().length > 0);
  }
}

/** A schema for a root, and the groups of arguments to choose from. */
export interface FlatSchema {
  readonly schema: Json;
  readonly choices: readonly (readonly string[])[];
}

/**
 * Rewrites a schema so that every argument stands in `properties`. Parts of `allOf` are merged. Of the parts of `anyOf`
 * and `oneOf` every argument is allowed, and those are required that every part requires. The result may accept more
 * than the original schema; the server checks the rest.
 */
export function flatRoot(root: Json): FlatSchema {
  const ownKeywords = Object.fromEntries(
    Object.entries(root).filter(([keyword]) => !NOT_ALLOWED_IN_ROOT.includes(keyword)),
  );
  // Some languages write an empty array for an empty object.
  if (Array.isArray(ownKeywords['properties']) && ownKeywords['properties'].length === 0)
    ownKeywords['properties'] = {};
  if (isObject(ownKeywords['properties'])) ownKeywords['properties'] = withoutBooleans(ownKeywords['properties']);
  const mandatoryParts = [...(root['$ref'] === undefined ? [] : [{ $ref: root['$ref'] }]), ...listOf(root['allOf'])];
  const choices = [root['anyOf'], root['oneOf']].map(listOf).filter((parts) => parts.length > 0);
  if (mandatoryParts.length === 0 && choices.length === 0) return { schema: ownKeywords, choices: [] };
  const flat = new MergedArguments(ownKeywords);
  for (const part of mandatoryParts) flat.add([resolvePart(root, part)], 'allOf');
  for (const parts of choices)
    flat.add(
      parts.map((part) => resolvePart(root, part)),
      'anyOf',
    );
  return { schema: flat.schema(), choices: flat.choices };
}

/** Merges the arguments of a root schema and of its parts. */
class MergedArguments {
  readonly choices: (readonly string[])[] = [];
  readonly #ownKeywords: Json;
  /** The schemas of each argument, without duplicates. */
  readonly #properties = new Map<string, { together: 'allOf' | 'anyOf'; readonly schemas: Map<string, unknown> }>();
  readonly #required = new Set<string>();
  /** Whether a part could not be read, so that there may be further arguments. */
  #isOpen = false;

  constructor(ownKeywords: Json) {
    this.#ownKeywords = ownKeywords;
    this.#addProperties(ownKeywords, 'allOf');
    for (const name of textsOf(ownKeywords['required'])) this.#required.add(name);
  }

  add(parts: readonly (Json | undefined)[], together: 'allOf' | 'anyOf'): void {
    const readableParts = parts.filter((part) => part !== undefined);
    if (readableParts.length < parts.length) this.#isOpen = true;
    for (const part of readableParts) this.#addProperties(part, together);
    const [first, ...others] = parts.map((part) => textsOf(part?.['required']));
    for (const name of first ?? []) if (others.every((names) => names.includes(name))) this.#required.add(name);
    if (parts.length === 1) return;
    for (const part of readableParts) {
      const required = textsOf(part['required']);
      const names =
        required.length > 0 ? required : Object.keys(isObject(part['properties']) ? part['properties'] : {});
      if (names.length > 0) this.choices.push(names);
    }
  }

  schema(): Json {
    return {
      ...this.#ownKeywords,
      properties: Object.fromEntries(
        [...this.#properties].map(([name, { together, schemas: said }]) => {
          const schemas = [...said.values()];
          return [name, schemas.length === 1 ? schemas[0] : { [together]: schemas }];
        }),
      ),
      required: [...this.#required],
      ...(this.#isOpen ? { additionalProperties: true } : {}),
    };
  }

  #addProperties(part: Json, together: 'allOf' | 'anyOf'): void {
    const properties = isObject(part['properties']) ? withoutBooleans(part['properties']) : {};
    for (const [name, schema] of Object.entries(properties)) {
      const argument = this.#properties.get(name) ?? { together, schemas: new Map() };
      argument.together = together;
      argument.schemas.set(JSON.stringify(schema), schema);
      this.#properties.set(name, argument);
    }
  }
}

/** A part with its references resolved; undefined for a part that is no plain object of arguments. */
function resolvePart(root: Json, part: unknown): Json | undefined {
  let current = part;
  for (let hops = 0; isObject(current) && typeof current['$ref'] === 'string'; hops += 1) {
    if (hops === MAX_REFERENCES) return undefined;
    current = valueAt(root, current['$ref']);
  }
  if (!isObject(current) || !['object', undefined].includes(current['type'] as undefined)) return undefined;
  const names = Object.keys(current);
  return names.some((keyword) => NOT_ALLOWED_IN_ROOT.includes(keyword)) ? undefined : current;
}

/** The value at a reference within the schema, such as `#/$defs/A`. */
function valueAt(root: Json, reference: string): unknown {
  const [first, ...names] = reference.split('/');
  if (first !== '#') return undefined;
  let current: unknown = root;
  for (const name of names) {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    current = isObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
  }
  return current;
}

/** The properties without boolean schemas: `true` becomes a schema for any value, and `false` is left out. */
function withoutBooleans(properties: Json): Json {
  const keptProperties = Object.entries(properties).filter(([, schema]) => schema !== false);
  return Object.fromEntries(keptProperties.map(([name, schema]) => [name, schema === true ? {} : schema]));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((one) => typeof one === 'string');
}
