/** A JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The description of a function for chat completion services. */
export interface FunctionDescription {
  /** The name that a model calls. */
  readonly name: string;
  /** A description for the model. */
  readonly description: string;
  /** The JSON Schema of its arguments. */
  readonly parameters: JsonSchema;
}

/** The definition of a tool for chat completion services. */
export interface FunctionSchema {
  /** Always a function. */
  readonly type: 'function';
  /** The description of the function. */
  readonly function: FunctionDescription;
}

/** The definition of a tool with a name, a description and parameters. */
export function functionSchema({ name, description, parameters }: FunctionDescription): FunctionSchema {
  return { type: 'function', function: { name, description, parameters: structuredClone(parameters) } };
}
