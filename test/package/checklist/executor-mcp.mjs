// Checklist E, MCP: servers that behave and servers that do not.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { ToolExecutor } from 'handrail';
import { line, living, marker, SECRET, temporaryFolder } from './line.mjs';

const workspace = temporaryFolder('executor-mcp');
const executor = new ToolExecutor(workspace);
const execute = (name, args) => executor.execute(name, args);
const done = (content) => ({ content, isError: false });
const failed = (content) => ({ content, isError: true });
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));
const SERVER = beside('faulty-server.mjs');
const NOTES = { name: 'notes', command: process.execPath, args: [beside('notes-server.mjs')] };

const warnings = [];
process.on('warning', ({ code, message }) => warnings.push([code, message]));
const mark = marker();
const server = (name, mode, tools, more = {}) => ({
  name,
  command: process.execPath,
  args: [SERVER, mode, mark, ...tools],
  ...more,
});
const shell = {
  name: 'shell',
  command: 'sh',
  args: ['-c', `"$0" "$1" shell "$2" wrapped; true`, process.execPath, SERVER, mark],
};

await line('one server cannot start: a warning, the others go on', async () => {
  process.env.CHECKLIST_PLANTED = 'planted';
  await executor.connectMcpServers([
    NOTES,
    server('pages', 'pages', ['first', 'second', 'same', 'env'], { env: { MINE: 'yes' } }),
    server('dies', 'dies', ['die', 'same']),
    server('silent', 'silent', ['wait'], { timeoutMs: 400 }),
    shell,
    server('flood', 'flood', ['speak']),
    { name: 'missing', command: '/nowhere/at-all', args: [] },
  ]);
  await new Promise(setImmediate);
  assert.equal(warnings.length, 1);
  assert.deepEqual([warnings[0][0], warnings[0][1].includes('missing')], ['HANDRAIL_MCP', true]);
  assert.deepEqual([...executor.mcpClients.keys()].sort(), ['dies', 'flood', 'notes', 'pages', 'shell', 'silent']);
});

await line('tool_executor_mcp_tool_map_routing: four built-ins first, then mcp__server__tool of every page', () => {
  const names = executor.allToolDefs().map(({ name }) => name);
  const pages = ['env', 'first', 'same', 'second'].map((name) => `mcp__pages__${name}`);
  const others = ['mcp__shell__wrapped', 'mcp__silent__wait'];
  const all = [
    'mcp__dies__die',
    'mcp__dies__same',
    'mcp__flood__speak',
    'mcp__notes__add',
    'mcp__notes__list',
    ...pages,
    ...others,
  ];
  assert.deepEqual(names, ['bash', 'read', 'write', 'edit', ...all]);
  assert.deepEqual(
    [...executor.mcpToolMap].sort(),
    all.map((name) => [name, name.split('__')[1]]),
  );
});

await line('a tool is called by mcp__server__tool, or bare where one server has it; the answer is masked', async () => {
  assert.deepEqual(
    await execute('mcp__notes__add', { text: `password=${SECRET}` }),
    done('note 1: password=[REDACTED]'),
  );
  assert.deepEqual(await execute('list', {}), done('password=[REDACTED]'));
  assert.deepEqual(await execute('mcp__pages__second', {}), done('pages second'));
  assert.deepEqual(await execute('second', {}), done('pages second'));
  const both = 'Error: several servers have this tool: call mcp__dies__same or mcp__pages__same';
  assert.deepEqual(await execute('same', {}), failed(both));
});

await line('a server runs in the workspace with the default environment and what env adds', async () => {
  const { cwd, env } = JSON.parse((await execute('env', {})).content);
  assert.deepEqual([cwd, env.MINE, env.CHECKLIST_PLANTED], [workspace, 'yes', undefined]);
});

await line('a server that dies in a call is an exact error, and no time-out', async () => {
  const { content, isError } = await execute('die', {});
  assert.ok(isError);
  const how = 'The MCP server dies ended during the call (it exited with code 3): whether it did something is unknown.';
  assert.ok(content.startsWith(how), content);
  assert.ok(content.endsWith('Its standard error ended with:\nabout to die\ntoken=[REDACTED]'), content);
});

await line('a server that never answers is an exact error in time', async () => {
  const { content, isError } = await execute('wait', {});
  assert.ok(isError);
  assert.ok(content.startsWith('The MCP server silent gave no answer (it may be silent for 400 ms): '), content);
});

await line('servers behind sh -c and with a flooded standard error answer', async () => {
  assert.deepEqual(await execute('wrapped', {}), done('shell wrapped'));
  assert.deepEqual(await execute('speak', {}), done('flood speak'));
});

await line('shutdownMcp ends every process, twice is fine', async () => {
  assert.ok(living(mark).length >= 4);
  await executor.shutdownMcp();
  await executor.shutdownMcp();
  assert.deepEqual([living(mark), executor.mcpClients.size, executor.mcpToolMap.size], [[], 0, 0]);
  assert.deepEqual(await execute('mcp__notes__list', {}), failed('Unknown tool: mcp__notes__list'));
});

await executor.close();
