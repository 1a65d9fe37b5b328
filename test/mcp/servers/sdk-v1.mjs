// A server of the first line of the SDK.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import * as z from 'zod';

const server = new McpServer({ name: 'v1', version: '1.0.0' });
server.registerTool(
  'add',
  {
    description: 'Adds two numbers.',
    inputSchema: { a: z.number(), b: z.number() },
    outputSchema: { sum: z.number() },
    annotations: { readOnlyHint: true },
  },
  ({ a, b }) => ({ content: [], structuredContent: { sum: a + b } }),
);
server.registerTool('fail', { description: 'Fails.' }, () => {
  throw new Error('it broke');
});
await server.connect(new StdioServerTransport());
