/** A JSON Schema, as it is written. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A function as chat completion services describe it. */
export interface FunctionDescription {
  /** What a model calls it by. */
  readonly name: string;
  /** What it does, for the model. */
  readonly description: string;
  /** The JSON Schema of its arguments. */
  readonly parameters: JsonSchema;
}

/** A tool as chat completion services take it. */
export interface FunctionSchema {
  /** Always a function. */
  readonly type: 'function';
  /** What it is. */
  readonly function: FunctionDescription;
}

/** The schema of a tool that has these three. */
export function functionSchema({ name, description, parameters }: FunctionDescription): FunctionSchema {
  return { type: 'function', function: { name, description, parameters: structuredClone(parameters) } };
}
