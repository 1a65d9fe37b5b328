// A server whose list of tools is what a file says at the time. It announces a list that has changed with the next call.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file] = process.argv.slice(2);
const listed = () => readFileSync(file, 'utf8');
let last = listed();

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const handlers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'changing', version: '1' },
  }),
  'tools/list': () => {
    last = listed();
    return { tools: JSON.parse(last) };
  },
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: `${name} was called` }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  send({ id, result: handlers[method]?.(params) ?? {} });
  if (method === 'tools/call' && listed() !== last) send({ method: 'notifications/tools/list_changed' });
}
