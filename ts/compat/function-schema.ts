/** A tool as chat completion services take it. */
export interface FunctionSchema {
  /** Always a function. */
  readonly type: 'function';
  /** Its name, what it does and its JSON Schema. */
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
}

/** The schema of a tool that has these three. */
export function functionSchema(tool: FunctionSchema['function']): FunctionSchema {
  const { name, description, parameters } = tool;
  return { type: 'function', function: { name, description, parameters: structuredClone(parameters) } };
}
