// A server that writes down what it is told at its end, and needs a while for what it flushes then.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [mode, mark] = process.argv.slice(2);
const FLUSH_MS = 800;

const note = (what) => appendFileSync(process.env.NOTES_FILE, `${what}\n`);
const flush = () =>
  setTimeout(() => {
    note('flushed');
    process.exit(0);
  }, FLUSH_MS);
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'ending', version: '1' },
  }),
  'tools/list': () => ({ tools: [] }),
};

if (mark !== undefined) spawn('sleep', [mark]);
if (mode !== 'input') setInterval(() => undefined, 1_000);
process.on('SIGTERM', () => {
  note('TERM');
  if (mode === 'signal') flush();
});
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: answers[method](params) })}\n`);
  if (mode === 'frozen' && method === 'tools/list') setTimeout(() => process.kill(process.pid, 'SIGSTOP'), 100);
}
note('end of input');
if (mode === 'input') flush();
