/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** What a value under a keyword has to be. */
type Shape = 'schema' | 'schemas' | 'named schemas' | 'items' | 'texts' | 'text' | 'number' | 'list' | 'type';

const TYPES: readonly unknown[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** The keywords of JSON Schema that providers look into. Others pass as they are. */
const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ...listed('schema', ['additionalProperties', 'contains', 'else', 'if', 'not', 'propertyNames', 'then']),
  ...listed('schemas', ['allOf', 'anyOf', 'oneOf', 'prefixItems']),
  ...listed('named schemas', ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties']),
  ...listed('items', ['items']),
  ...listed('texts', ['required']),
  ...listed('text', ['$ref', 'description', 'format', 'pattern', 'title']),
  ...listed('number', ['maxItems', 'maxLength', 'maximum', 'minItems', 'minLength', 'minimum', 'multipleOf']),
  ...listed('list', ['enum']),
  ...listed('type', ['type']),
]);

/** What providers take in no root, because arguments are one object: it is left to the server. */
const NOT_IN_ROOT: readonly string[] = [
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

/** How often a reference may lead to another one. */
const MAX_HOPS = 8;

function listed(shape: Shape, keywords: readonly string[]): [string, Shape][] {
  return keywords.map((keyword) => [keyword, shape]);
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is wrong with a schema, as in `type in properties`; undefined when nothing is. Goes no deeper itself. */
export function schemaProblem(root: Json): string | undefined {
  const left: unknown[] = [root];
  for (let schema = left.pop(); schema !== undefined; schema = left.pop()) {
    if (typeof schema === 'boolean') continue;
    if (!isObject(schema)) return 'a schema in it is no object';
    for (const [keyword, value] of Object.entries(schema)) {
      const below = schemasBelow(SHAPES.get(keyword), value);
      if (below === undefined) return `it has a wrong ${keyword}`;
      for (const one of below) left.push(one);
    }
  }
  return undefined;
}

/** The schemas under a keyword; undefined when what stands there is something else. */
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

/** A schema without what no root may have, and the arguments that go together where there is a choice. */
export interface FlatSchema {
  readonly schema: Json;
  readonly choices: readonly (readonly string[])[];
}

/**
 * The same arguments with every one of them in `properties`: parts that all hold are put together, of
 * parts to choose from every argument may be given and those are required that each part requires. What
 * it says less than before is the server's to check.
 */
export function flatRoot(root: Json): FlatSchema {
  const own = Object.fromEntries(Object.entries(root).filter(([keyword]) => !NOT_IN_ROOT.includes(keyword)));
  // What some languages write for an empty object.
  if (Array.isArray(own['properties']) && own['properties'].length === 0) own['properties'] = {};
  if (isObject(own['properties'])) own['properties'] = withoutBooleans(own['properties']);
  const all = [...(root['$ref'] === undefined ? [] : [{ $ref: root['$ref'] }]), ...listOf(root['allOf'])];
  const choices = [root['anyOf'], root['oneOf']].map(listOf).filter((parts) => parts.length > 0);
  if (all.length === 0 && choices.length === 0) return { schema: own, choices: [] };
  const flat = new FlatParts(own);
  for (const part of all) flat.add([resolved(root, part)], 'allOf');
  for (const parts of choices)
    flat.add(
      parts.map((part) => resolved(root, part)),
      'anyOf',
    );
  return { schema: flat.schema(), choices: flat.choices };
}

/** Arguments of a root and of its parts, put together. */
class FlatParts {
  readonly choices: (readonly string[])[] = [];
  readonly #own: Json;
  /** What is said of each argument, each once. */
  readonly #properties = new Map<string, { together: 'allOf' | 'anyOf'; readonly said: Map<string, unknown> }>();
  readonly #required = new Set<string>();
  /** Whether a part could not be read: there may be arguments that nobody sees here. */
  #isOpen = false;

  constructor(own: Json) {
    this.#own = own;
    this.#take(own, 'allOf');
    for (const name of textsOf(own['required'])) this.#required.add(name);
  }

  add(parts: readonly (Json | undefined)[], together: 'allOf' | 'anyOf'): void {
    const read = parts.filter((part) => part !== undefined);
    if (read.length < parts.length) this.#isOpen = true;
    for (const part of read) this.#take(part, together);
    const [first, ...others] = parts.map((part) => textsOf(part?.['required']));
    for (const name of first ?? []) if (others.every((names) => names.includes(name))) this.#required.add(name);
    if (parts.length === 1) return;
    for (const part of read) {
      const required = textsOf(part['required']);
      const names =
        required.length > 0 ? required : Object.keys(isObject(part['properties']) ? part['properties'] : {});
      if (names.length > 0) this.choices.push(names);
    }
  }

  schema(): Json {
    return {
      ...this.#own,
      properties: Object.fromEntries(
        [...this.#properties].map(([name, { together, said }]) => {
          const schemas = [...said.values()];
          return [name, schemas.length === 1 ? schemas[0] : { [together]: schemas }];
        }),
      ),
      required: [...this.#required],
      ...(this.#isOpen ? { additionalProperties: true } : {}),
    };
  }

  #take(part: Json, together: 'allOf' | 'anyOf'): void {
    const properties = isObject(part['properties']) ? withoutBooleans(part['properties']) : {};
    for (const [name, schema] of Object.entries(properties)) {
      const known = this.#properties.get(name) ?? { together, said: new Map() };
      known.together = together;
      known.said.set(JSON.stringify(schema), schema);
      this.#properties.set(name, known);
    }
  }
}

/** A part without references; undefined for one that is no plain object of arguments. */
function resolved(root: Json, part: unknown): Json | undefined {
  let found = part;
  for (let hops = 0; isObject(found) && typeof found['$ref'] === 'string'; hops += 1) {
    if (hops === MAX_HOPS) return undefined;
    found = pointed(root, found['$ref']);
  }
  if (!isObject(found) || !['object', undefined].includes(found['type'] as undefined)) return undefined;
  const names = Object.keys(found);
  return names.some((keyword) => NOT_IN_ROOT.includes(keyword)) ? undefined : found;
}

/** What a reference within the schema, such as `#/$defs/A`, points to. */
function pointed(root: Json, reference: string): unknown {
  const [first, ...names] = reference.split('/');
  if (first !== '#') return undefined;
  let found: unknown = root;
  for (const name of names) {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}

/** `true` is any value, and no argument has the schema `false`. */
function withoutBooleans(properties: Json): Json {
  const kept = Object.entries(properties).filter(([, schema]) => schema !== false);
  return Object.fromEntries(kept.map(([name, schema]) => [name, schema === true ? {} : schema]));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((one) => typeof one === 'string');
}
