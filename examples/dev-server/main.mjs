// Starts a server as a job, waits for its port, tests it, and stops it: `node examples/dev-server/main.mjs`.
import { writeFileSync } from 'node:fs';
import { createToolkit } from 'handrail';

const PORT = 48_398;
writeFileSync(
  'dev-server.mjs',
  `import { createServer } from 'node:http';
createServer((_, answer) => answer.end('hello from the server\\n')).listen(${PORT}, '127.0.0.1', () => console.log('ready'));
`,
);

const terminal = { allow: ['node', 'curl'], trustInterpreters: ['node'], confine: { network: 'loopback' } };
const toolkit = await createToolkit({ workspace: '.', terminal });
for (const [name, args] of [
  ['terminal_run', { command: 'node dev-server.mjs', background: true }],
  ['job_wait', { job: 'j1', until: { port: PORT }, timeout_ms: 60_000 }],
  ['terminal_run', { command: `curl -s http://127.0.0.1:${PORT}/` }],
  ['job_end', { job: 'j1' }],
]) {
  console.log(`--- ${name}`);
  console.log((await toolkit.execute(name, args)).content);
}
await toolkit.close();
