// A server of the second line of the SDK.
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const server = new McpServer({ name: 'v2', version: '1.0.0' });
server.registerTool(
  'add',
  {
    description: 'Adds two numbers.',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
    annotations: { readOnlyHint: true },
  },
  ({ a, b }) => ({ content: [], structuredContent: { sum: a + b } }),
);
server.registerTool('fail', { description: 'Fails.' }, () => {
  throw new Error('it broke');
});
await server.connect(new StdioServerTransport());
