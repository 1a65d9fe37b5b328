import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { living, marker, until } from '../support/processes.js';
import { OWN_TOOLS } from '../support/toolkits.js';
import { MAIN } from './client.js';

let folder: string;
let audit: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-mcp-clients-'));
  audit = path.join(mkdtempSync(path.join(tmpdir(), 'handrail-mcp-audit-')), 'calls.jsonl');
  writeFileSync(path.join(folder, 'notes.txt'), 'one\ntwo\n');
});

afterEach(() => {
  for (const place of [folder, path.dirname(audit)]) rmSync(place, { recursive: true, force: true });
});

/** Calls of tools, in an order in which each works. Every other tool is asked about a file. */
const CALLS: readonly (readonly [tool: string, args: Record<string, unknown>, shown: string])[] = [
  ['terminal_run', { command: 'echo hello' }, 'hello'],
  ['terminal_run', { command: 'sleep 600', background: true }, 'j1'],
  ['job_list', {}, 'j1'],
  ['job_wait', { job: 'j1', timeout_ms: 0 }, 'j1'],
  ['job_read', { job: 'j1' }, 'j1'],
  ['job_send', { job: 'j1', input: 'x' }, 'j1'],
  ['job_end', { job: 'j1' }, 'j1'],
  ['file_list', {}, 'notes.txt'],
  ['file_read', { path: 'notes.txt' }, 'two'],
  ['file_grep', { pattern: 'tw.' }, 'notes.txt'],
  ['file_glob', { pattern: '*.txt' }, 'notes.txt'],
  ['file_write', { path: 'new.txt', content: 'three\n' }, 'new.txt'],
  ['file_edit', { path: 'notes.txt', edits: [{ old: 'one', new: '1' }] }, 'notes.txt'],
  ['file_patch', { patch: '*** Begin Patch\n*** Add File: added.txt\n+four\n*** End Patch' }, 'added.txt'],
  ['changes_list', {}, 'added.txt'],
  ['changes_undo', {}, 'added.txt'],
  ['session_start', { command: 'bash' }, 's1'],
  ['session_send', { session: 's1', input: 'echo $((6*7))' }, '42'],
  ['session_read', { session: 's1', timeout_ms: 0 }, 's1'],
  ['session_screen', { session: 's1' }, '42'],
  ['session_close', { session: 's1' }, 's1'],
];

/** What both of the clients have in common. */
interface Connected {
  listTools(): Promise<{ tools: { name: string; annotations?: { readOnlyHint?: boolean | undefined } | undefined }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }, signal?: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

const info = { name: 'test', version: '1' };

const parameters = () => ({
  command: process.execPath,
  args: [MAIN, 'mcp', '--allow', 'echo,bash,sleep', '--audit', audit],
  cwd: folder,
});

async function connectV1(): Promise<Connected> {
  const client = new ClientV1(info);
  await client.connect(new StdioV1(parameters()));
  return {
    listTools: () => client.listTools(),
    callTool: (call, signal) => client.callTool(call, undefined, signal === undefined ? {} : { signal }),
    close: () => client.close(),
  };
}

async function connectV2(): Promise<Connected> {
  const client = new ClientV2(info);
  await client.connect(new StdioV2(parameters()));
  return {
    listTools: () => client.listTools(),
    callTool: (call, signal) => client.callTool(call, signal === undefined ? {} : { signal }),
    close: () => client.close(),
  };
}

describe.each([
  ['@modelcontextprotocol/sdk 1.x', connectV1],
  ['@modelcontextprotocol/client', connectV2],
])('the client of %s', (_name, connect) => {
  it('calls every tool, and each call is in the audit file', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect([...names].sort()).toEqual([...OWN_TOOLS].sort());
    const others = names.filter((name) => !CALLS.some(([called]) => called === name));
    const calls = [...CALLS, ...others.map((name) => [name, { path: 'notes.txt' }, 'notes.txt'] as const)];
    expect(tools.find(({ name }) => name === 'file_read')?.annotations?.readOnlyHint).toBe(true);
    for (const [name, args, shown] of calls) {
      const result = await client.callTool({ name, arguments: args });
      expect(result, name).toMatchObject({
        content: [{ type: 'text', text: expect.stringContaining(shown) }],
        isError: false,
      });
    }
    await client.close();
    expect(readFileSync(path.join(folder, 'new.txt'), 'utf8')).toBe('three\n');
    const records = readFileSync(audit, 'utf8').trimEnd().split('\n');
    expect(records.map((line) => (JSON.parse(line) as { tool: string }).tool)).toEqual(
      // The end of the job has a record of its own, of the call that started it.
      calls.flatMap(([name]) => (name === 'job_end' ? ['terminal_run', name] : [name])),
    );
  });

  it('reads what is wrong with a call, and gets an error for a tool that is not there', async () => {
    const client = await connect();
    expect(await client.callTool({ name: 'terminal_run', arguments: { command: 'curl example.com' } })).toMatchObject({
      content: [{ text: expect.stringContaining('denied') }],
      isError: true,
    });
    expect(await client.callTool({ name: 'terminal_run', arguments: { comand: 'ls' } })).toMatchObject({
      content: [{ text: expect.stringContaining('did you mean command?') }],
      isError: true,
    });
    await expect(client.callTool({ name: 'terminal_fly', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
    await client.close();
  });

  it('ends a command by aborting its call, and everything by closing', async () => {
    const client = await connect();
    const [first, second] = [marker(), marker()];
    const end = new AbortController();
    const call = client.callTool({ name: 'terminal_run', arguments: { command: `sleep ${first}` } }, end.signal);
    const open = client.callTool({ name: 'terminal_run', arguments: { command: `sleep ${second}` } });
    const settled = Promise.allSettled([call, open]);
    await until(() => living(first).length > 0 && living(second).length > 0);
    end.abort();
    await until(() => living(first).length === 0);
    expect(living(first)).toEqual([]);
    expect(living(second)).not.toEqual([]);
    await client.close();
    await settled;
    await until(() => living(second).length === 0);
    expect(living(second)).toEqual([]);
  });
});
