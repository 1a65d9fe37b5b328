// An MCP server that does what its arguments say: MODE MARK TOOL..., the mark being for those who look for its process.
import { createInterface } from 'node:readline';
import { SECRET } from './line.mjs';

const [mode, , ...names] = process.argv.slice(2);
const tools = names.map((name) => ({ name, inputSchema: { type: 'object', properties: {} } }));
if (mode === 'flood') process.stderr.write('noise\n'.repeat(500_000));

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: mode, version: '1' },
  }),
  'tools/list': ({ cursor }) => {
    if (mode !== 'pages') return { tools };
    return cursor === undefined ? { tools: tools.slice(0, 1), nextCursor: 'two' } : { tools: tools.slice(1) };
  },
  'tools/call': ({ name }) => {
    if (mode === 'silent') return;
    if (mode === 'dies') {
      process.stderr.write(`about to die\ntoken=${SECRET}\n`);
      process.exit(3);
    }
    const text = name === 'env' ? JSON.stringify({ cwd: process.cwd(), env: process.env }) : `${mode} ${name}`;
    return { content: [{ type: 'text', text }] };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const result = answers[method]?.(params ?? {});
  const isAnswer = id !== undefined && result !== undefined;
  if (isAnswer) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}
