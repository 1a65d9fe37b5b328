/** The tools over Streamable HTTP, for clients of both eras. */
import { existsSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServedMcpHttp, ServeMcpHttpOptions } from '../../ts/mcp-server/http-options.js';
import { loadMcpServerSdk } from '../../ts/mcp-server/http-peer.js';
import { serveMcpHttp } from '../../ts/mcp-server/serve-http.js';
import type { Toolkit } from '../../ts/toolkit.js';
import { living, marker, until } from '../support/processes.js';
import { toolkits } from '../support/toolkits.js';

const { workspace, make, audited } = toolkits();
const place = path.join(workspace, 'touched');
const TOKENS = { ann: `ann-${'a'.repeat(20)}`, ben: `ben-${'b'.repeat(20)}` };
const servers: ServedMcpHttp[] = [];
const clients: { close(): Promise<void> }[] = [];

beforeEach(() => rmSync(place, { force: true }));
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(toolkit: Toolkit, options: ServeMcpHttpOptions = {}): Promise<URL> {
  const server = await serveMcpHttp(toolkit, { tokens: TOKENS, ...options });
  servers.push(server);
  return new URL(server.url ?? '');
}

const asCaller = (caller: keyof typeof TOKENS) => ({
  requestInit: { headers: { authorization: `Bearer ${TOKENS[caller]}` } },
});

/** What all clients have in common. */
interface Connected {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(
    call: { name: string; arguments: Record<string, unknown> },
    signal?: AbortSignal,
  ): Promise<{ isError?: unknown } | Record<string, unknown>>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
}

interface Person {
  readonly caller?: keyof typeof TOKENS;
  readonly answer?: 'accept' | 'decline';
}

type Connect = (url: URL, person?: Person) => Promise<Connected>;

const connectV1: Connect = async (url, { caller = 'ann', answer } = {}) => {
  const client = new ClientV1(
    { name: 'test', version: '1' },
    { capabilities: answer === undefined ? {} : { elicitation: {} } },
  );
  if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, () => ({ action: answer, content: {} }));
  await client.connect(new HttpV1(url, asCaller(caller)));
  clients.push(client);
  return {
    listTools: () => client.listTools(),
    callTool: (call, signal) => client.callTool(call, undefined, signal === undefined ? {} : { signal }),
    listResources: () => client.listResources(),
  };
};

const connectV2 =
  (mode: 'legacy' | 'auto' | { pin: string }): Connect =>
  async (url, { caller = 'ann', answer } = {}) => {
    const client = new ClientV2(
      { name: 'test', version: '1' },
      {
        capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
        versionNegotiation: { mode },
      },
    );
    if (answer !== undefined) client.setRequestHandler('elicitation/create', () => ({ action: answer, content: {} }));
    await client.connect(new HttpV2(url, asCaller(caller)));
    clients.push(client);
    return {
      listTools: () => client.listTools(),
      callTool: (call, signal) => client.callTool(call, signal === undefined ? {} : { signal }),
      listResources: () => client.listResources(),
    };
  };

describe.each<[string, Connect]>([
  ['@modelcontextprotocol/sdk 1.x', connectV1],
  ['@modelcontextprotocol/client with sessions', connectV2('legacy')],
  ['@modelcontextprotocol/client without a state', connectV2({ pin: '2026-07-28' })],
  ['@modelcontextprotocol/client that finds out', connectV2('auto')],
])('%s over HTTP', (_name, connect) => {
  it('lists and calls tools', async () => {
    const toolkit = await make();
    const client = await connect(await serve(toolkit));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
      toolkit.definitions().map(({ name }) => name),
    );
    const result = await client.callTool({ name: 'terminal_run', arguments: { command: 'echo password=hunter2' } });
    expect(result).toMatchObject({
      isError: false,
      content: [{ type: 'text', text: expect.stringContaining('password=[REDACTED]') }],
      structuredContent: { kind: 'command', ok: true },
    });
    await expect(client.callTool({ name: 'terminal_fly', arguments: {} })).rejects.toMatchObject({ code: -32_602 });
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['handrail://changes']);
  });

  it.each(['accept', 'decline'] as const)('asks its person, who says %s', async (action) => {
    const toolkit = await make({ terminal: { allow: ['touch'], ask: ['touch'] } });
    const client = await connect(await serve(toolkit), { answer: action });
    const result = await client.callTool({ name: 'terminal_run', arguments: { command: 'touch touched' } });
    expect(result).toMatchObject({ isError: action === 'decline' });
    expect(existsSync(place)).toBe(action === 'accept');
  });

  it('keeps the sessions and outputs of two callers apart', async () => {
    const url = await serve(await make({ terminal: { allow: ['bash', 'seq'] } }));
    const [ann, ben] = [await connect(url), await connect(url, { caller: 'ben' })];
    await ann.callTool({ name: 'session_start', arguments: { command: 'bash' } });
    const read = { name: 'session_read', arguments: { session: 's1', timeout_ms: 0 } };
    expect(await ann.callTool(read)).toMatchObject({ isError: false });
    expect(await ben.callTool(read)).toMatchObject({ isError: true });
    await ann.callTool({ name: 'terminal_run', arguments: { command: 'seq 100000' } });
    expect((await ann.listResources()).resources).toHaveLength(2);
    expect((await ben.listResources()).resources).toHaveLength(1);
  });

  it('ends a command by aborting its call', async () => {
    const { toolkit, records } = await audited();
    const client = await connect(await serve(toolkit));
    const mark = marker();
    const end = new AbortController();
    const call = client.callTool({ name: 'terminal_run', arguments: { command: `sleep ${mark}` } }, end.signal);
    const settled = Promise.allSettled([call]);
    await until(() => living(mark).length > 0);
    end.abort();
    await settled;
    await until(() => records.length > 0);
    expect(living(mark)).toEqual([]);
  });
});

describe('a server over HTTP', () => {
  it('says which package it needs, and passes on an error of that package', async () => {
    const missing = Object.assign(new Error("Cannot find package '@modelcontextprotocol/server'"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    await expect(loadMcpServerSdk(() => Promise.reject(missing))).rejects.toMatchObject({ code: 'ERR_PEER_MISSING' });
    const other = new Error('broken');
    await expect(loadMcpServerSdk(() => Promise.reject(other))).rejects.toBe(other);
  });

  it('is one of the host, which listens itself', async () => {
    const toolkit = await make();
    const served = await serveMcpHttp(toolkit, { listen: false, tokens: TOKENS });
    servers.push(served);
    expect(served.url).toBeUndefined();
    const own = createServer(served.handle);
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
    const { port } = own.address() as AddressInfo;
    const client = await connectV2('auto')(new URL(`http://127.0.0.1:${port}/mcp`));
    expect((await client.listTools()).tools).not.toHaveLength(0);
    own.closeAllConnections();
    await new Promise((resolve) => own.close(resolve));
  });

  it('listens on a socket of its user alone, with no token where it says so', async () => {
    const socket = path.join(workspace, 'http.sock');
    const served = await serveMcpHttp(await make(), { socket, auth: 'none' });
    servers.push(served);
    expect(served.tokens).toEqual({});
    const { statSync } = await import('node:fs');
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    const status = await new Promise((resolve) => {
      httpRequest({ socketPath: socket, path: '/mcp', method: 'GET' }, ({ statusCode }) => resolve(statusCode)).end();
    });
    expect(status).not.toBe(401);
  });

  it('says how it is, and ends its calls before itself', async () => {
    const url = await serve(await make());
    const [served] = servers;
    const at = async (name: string) => (await fetch(new URL(name, url))).status;
    expect([await at('/healthz'), await at('/readyz')]).toEqual([200, 200]);
    const client = await connectV2({ pin: '2026-07-28' })(url);
    const mark = `1.${marker().replace('.', '')}`;
    const call = client.callTool({ name: 'terminal_run', arguments: { command: `sleep ${mark}` } });
    await until(() => living(mark).length > 0);
    const answered = call.then((result) => result['isError']);
    const closing = served?.close({ graceMs: 20_000 });
    expect([await at('/healthz'), await at('/readyz')]).toEqual([200, 503]);
    expect(await answered).toBe(false);
    await closing;
    await expect(fetch(new URL('/healthz', url))).rejects.toThrow();
  });

  it.each<[string, ServeMcpHttpOptions]>([
    ['no token on an address of the network', { host: '0.0.0.0', auth: 'none' }],
    ['every address, and no name', { host: '0.0.0.0' }],
    ['a socket and a port', { socket: '/tmp/x.sock', port: 80 }],
    ['tokens that nobody needs', { auth: 'none', tokens: TOKENS }],
    ['a short token', { tokens: { ann: 'short' } }],
    ['one token for two', { tokens: { ann: TOKENS.ann, ben: TOKENS.ann } }],
    ['half of a certificate', { tls: { cert: 'x' } as never }],
    ['no token for a server of the host', { listen: false, auth: 'none' }],
  ])('is refused with %s', async (_title, options) => {
    const failed = serveMcpHttp(await make(), options);
    await expect(failed).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    await expect(failed).rejects.not.toThrow(TOKENS.ann);
  });
});
