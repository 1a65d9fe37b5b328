// A server that reaches out, made with the SDK: it connects, writes a file and starts a program, and says what came of it.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

function reach(port) {
  return new Promise((resolve, reject) => {
    connect(port, '127.0.0.1').on('connect', resolve).on('error', reject);
  });
}

const ACTIONS = {
  connect: ({ port }) => reach(port),
  write: ({ file }) => writeFileSync(file, 'written'),
  start: ({ program }) => execFileSync(program),
};

const server = new McpServer({ name: 'reaching', version: '1.0.0' });
for (const [name, act] of Object.entries(ACTIONS)) {
  const inputSchema = z.object({
    port: z.number().optional(),
    file: z.string().optional(),
    program: z.string().optional(),
  });
  server.registerTool(name, { inputSchema }, async (given) => {
    const text = await Promise.resolve()
      .then(() => act(given))
      .then(
        () => 'done',
        (error) => error.code ?? error.message,
      );
    return { content: [{ type: 'text', text }] };
  });
}
await server.connect(new StdioServerTransport());
