// A server written out, without an SDK: it does what its arguments and the arguments of its tools say.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const flags = new Set(process.argv.slice(2).filter((word) => word.startsWith('--')));
const label = process.argv.slice(2).find((word) => !word.startsWith('--')) ?? 'raw';
const calls = process.env.CALLS_FILE;

const object = (properties = {}) => ({ type: 'object', properties });
let tools = [
  { name: 'echo', description: `Says what it was told (${label}).`, inputSchema: object({ text: { type: 'string' } }) },
  { name: 'die', inputSchema: object({ code: { type: 'integer' } }) },
  { name: 'silent', inputSchema: object() },
  { name: 'slow', inputSchema: object({ steps: { type: 'integer' }, ms: { type: 'integer' } }) },
  { name: 'flood', inputSchema: object() },
  { name: 'env', inputSchema: object() },
  { name: 'give', description: 'Gives back a result as it is.', inputSchema: object({ result: { type: 'object' } }) },
  { name: 'refuse', inputSchema: object() },
  { name: 'line', inputSchema: object({ bytes: { type: 'integer' } }) },
  { name: 'grow', inputSchema: object({ name: { type: 'string' } }) },
  { name: 'holder', inputSchema: object({ mark: { type: 'string' } }) },
  { name: 'where', inputSchema: object() },
];
if (flags.has('--empty')) tools = [];
if (flags.has('--extra')) tools.push(JSON.parse(process.env.EXTRA_TOOL));

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const note = (value) => calls && appendFileSync(calls, `${value}\n`);
note('started');

const handlers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: flags.has('--no-tools') ? {} : { tools: { listChanged: true } },
    serverInfo: { name: label, version: '1' },
  }),
  'tools/list': ({ cursor } = {}) => {
    if (!flags.has('--pages')) return { tools };
    const middle = Math.ceil(tools.length / 2);
    return cursor === undefined ? { tools: tools.slice(0, middle), nextCursor: 'two' } : { tools: tools.slice(middle) };
  },
  ping: () => ({}),
};

const running = {
  echo: ({ text: value }) => text(`${label}: ${value}`),
  die: ({ code }) => {
    process.stderr.write('about to die\npassword=hunter2\n');
    process.exitCode = code ?? 3;
    setTimeout(() => process.exit(), 10);
  },
  silent: () => undefined,
  slow: async ({ steps, ms }, { progressToken } = {}) => {
    for (let step = 1; step <= steps; step += 1) {
      await new Promise((resolve) => setTimeout(resolve, ms));
      if (progressToken !== undefined)
        send({ method: 'notifications/progress', params: { progressToken, progress: step, total: steps } });
    }
    return text('done');
  },
  flood: async (_args, { progressToken }) => {
    for (let progress = 1; ; progress += 1) {
      send({ method: 'notifications/progress', params: { progressToken, progress } });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  },
  env: () => text(Object.keys(process.env).sort().join(' ')),
  give: ({ result }) => result,
  line: ({ bytes }) => {
    process.stdout.write(`${'x'.repeat(bytes)}\n`);
  },
  grow: ({ name }) => {
    tools = [...tools, { name, inputSchema: object() }];
    send({ method: 'notifications/tools/list_changed' });
    return text('grown');
  },
  holder: ({ mark }) => {
    // Keeps the pipes open, and is in no way the server.
    spawn('sleep', [mark], { stdio: 'inherit' });
    setTimeout(() => process.exit(7), 50);
  },
  where: () => text(process.cwd()),
};

if (flags.has('--gated')) {
  while (!existsSync(process.env.GATE_FILE)) await new Promise((resolve) => setTimeout(resolve, 10));
  if (readFileSync(process.env.GATE_FILE, 'utf8') === 'exit') process.exit(9);
}
if (flags.has('--ping')) send({ id: 'are-you-there', method: 'ping' });
if (flags.has('--chatty')) process.stdout.write('Listening...\n{"not": "a message"}\n');
if (flags.has('--flood')) process.stderr.write(`${'noise '.repeat(20)}\n`.repeat(100_000));
if (flags.has('--exit')) {
  process.stderr.write('cannot find its token\n');
  process.exit(9);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) note(`answer ${id} ${JSON.stringify(result)}`);
  if (method === 'notifications/cancelled') note('cancelled');
  if (id === undefined || method === undefined || flags.has('--mute')) continue;
  if (method === 'tools/call') {
    note(`call ${params.name}`);
    if (params.name === 'refuse') {
      send({ id, error: { code: -32_042, message: 'not today, token=ghs_16C7e42F292c6912E7710c838347Ae178B4a' } });
      continue;
    }
    Promise.resolve(running[params.name]?.(params.arguments ?? {}, params._meta)).then((value) => {
      if (value !== undefined) send({ id, result: value });
    });
  } else if (flags.has('--dies-listing') && method === 'tools/list') process.exit(4);
  else send({ id, result: handlers[method]?.(params) ?? {} });
}
