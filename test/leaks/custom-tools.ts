/** Secrets in every place of a tool of the host's own: its definition, what it gives and what it throws. */
import { createToolkit, defineTool } from '../../ts/index.js';
import type { Planting } from './files.js';
import { MCP_PLANTINGS } from './mcp.js';

/** Anything where something else belongs. */
const wrong = (value: unknown): never => value as never;

const OWN_TOOL = {
  ...{ name: 'own', description: 'A tool.', run: (): unknown => 1 },
  schema: { type: 'object', properties: {} },
} as const;

export const CUSTOM_TOOL_PLANTINGS: Readonly<Record<string, Readonly<Record<string, Planting>>>> = {
  ...MCP_PLANTINGS,
  defineTool: {
    'an unknown option': (secret) => defineTool(wrong({ ...OWN_TOOL, [secret]: secret })),
    'a name': (secret) => defineTool({ ...OWN_TOOL, name: `${secret} ` }),
    'a schema': (secret) => defineTool(wrong({ ...OWN_TOOL, schema: { type: secret, [secret]: secret } })),
    'a keyword': (secret) => {
      const schema = { type: 'object', properties: { a: { type: 'string', [secret]: secret } } };
      return defineTool(wrong({ ...OWN_TOOL, schema }));
    },
    'what it gives and throws': async (secret) => {
      const redaction = { secrets: [secret] };
      const tools = [() => ({ [secret]: secret }), () => Promise.reject(new Error(secret))].map((run, index) =>
        defineTool({ ...OWN_TOOL, name: `own_${index}`, run }),
      );
      await using toolkit = await createToolkit({ workspace: '.', redaction, customTools: tools });
      return [await toolkit.execute('own_0', {}), await toolkit.execute('own_1', {})];
    },
  },
};
