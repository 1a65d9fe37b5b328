import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BodyTooLarge, boundedResponse } from '../../ts/mcp/http-body.js';
import { HttpLink } from '../../ts/mcp/http-link.js';
import { MAX_HEADERS } from '../../ts/mcp/limits.js';
import { loadMcpSdk } from '../../ts/mcp/peer.js';
import { type McpServerOptions, mcpServersOption } from '../../ts/mcp/server-options.js';
import { Redactor } from '../../ts/redaction/redactor.js';
import { toolkits } from '../support/toolkits.js';
import { httpServers, sdkServer } from './http-servers.js';
import { routers } from './routers.js';

const start = httpServers();
const open = routers();
const { make } = toolkits();

/** What looks like a token, put together here. */
const TOKEN = ['tok', '8f3a1c', '77e0b2d9', 'x4'].join('-');
const OTHER = ['tok', '11aa22', '33bb44c5', 'y9'].join('-');

let warned: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
});
afterEach(() => warned.mockRestore());

describe('a server that is called over HTTP', () => {
  it('offers its tools, is called, and is told of the end', async () => {
    const server = await start();
    const { router, call, warnings } = await open([{ name: 'far', url: server.url }]);
    expect(router.tools.map(({ name }) => name)).toEqual(['mcp__far__search']);
    expect(await call('search', { words: 'a' })).toMatchObject({ status: 'done', text: 'search got {"words":"a"}' });
    await router.close();
    expect(warnings).toEqual([]);
    expect(server.requests.at(-1)).toMatchObject({ method: 'DELETE' });
    expect(server.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it('is called in the newest revision where it has it', async () => {
    const server = await sdkServer();
    try {
      const { call, router } = await open([{ name: 'far', url: server.url }]);
      expect(await call('add', { a: 2, b: 3 })).toMatchObject({ status: 'done', text: '5' });
      await router.close();
      expect(new Set(server.seen)).toEqual(new Set(['2026-07-28']));
    } finally {
      await server.stop();
    }
  });

  it('gets the headers and a token with each request, which nobody else sees', async () => {
    const server = await start();
    const tokens = [TOKEN];
    server.tools = [{ name: 'search', description: `Knows ${TOKEN} and ${OTHER}.`, inputSchema: { type: 'object' } }];
    const redactor = new Redactor();
    const far = { name: 'far', url: server.url, headers: { 'X-Api-Key': OTHER }, token: async () => tokens[0] ?? '' };
    const { router, call } = await open([far], { redactor });
    expect(server.requests.length).toBeGreaterThan(2);
    for (const { headers } of server.requests) {
      expect(headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'x-api-key': OTHER });
    }
    expect(router.tools[0]?.description).toBe('Knows [REDACTED] and [REDACTED].');
    tokens[0] = `${TOKEN}-new`;
    expect((await call('search', { echo: `${TOKEN}-new` })).text).toBe('search got {"echo":"[REDACTED]"}');
    expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${TOKEN}-new`);
    expect(JSON.stringify(router.servers())).not.toContain(TOKEN);
  });

  it.each<[string, () => string]>([
    ['gives none', () => ''],
    ['gives what is no text', () => 7 as never],
    ['gives a second line', () => `${TOKEN}\r\nX-More: 1`],
    [
      'throws',
      () => {
        throw new Error(`no ${TOKEN}`);
      },
    ],
    ['gives what cannot be masked', () => 'a'],
  ])('is not reached where its token %s', async (_what, token) => {
    const server = await start();
    const { router, warnings } = await open([{ name: 'far', url: server.url, token }]);
    expect([router.tools, server.requests]).toEqual([[], []]);
    expect(warnings).toEqual([expect.stringContaining('The MCP server far is not connected: ')]);
  });

  it('is pinned like any other, also when it announces other tools', async () => {
    const server = await start();
    const toolkit = await make({ mcpServers: [{ name: 'far', url: server.url }] });
    await expect.poll(() => server.requests.some(({ method }) => method === 'GET')).toBe(true);
    server.tools = [...server.tools, { name: 'upload', inputSchema: { type: 'object' } }];
    server.announce('notifications/tools/list_changed');
    await expect
      .poll(() => toolkit.mcp?.servers[0]?.unapproved?.tools.map(({ name }) => name))
      .toEqual(['mcp__far__upload']);
    expect(toolkit.definitions().filter(({ name }) => name.startsWith('mcp__'))).toEqual([]);
  });

  it('may offer other tools to somebody with other headers', async () => {
    const server = await start();
    await make({ mcpServers: [{ name: 'far', url: server.url, headers: { 'X-Api-Key': TOKEN } }] });
    server.tools = [{ name: 'upload', inputSchema: { type: 'object' } }];
    const [same, other] = await Promise.all(
      [TOKEN, OTHER].map((key) =>
        make({ mcpServers: [{ name: 'far', url: server.url, headers: { 'X-Api-Key': key } }] }),
      ),
    );
    expect(same?.mcp?.servers[0]?.unapproved).toBeDefined();
    expect(other?.mcp?.servers[0]?.tools).toEqual(['mcp__far__upload']);
  });

  it('is connected anew after it has forgotten the session, and its tools are looked at again', async () => {
    const server = await start();
    const { call, router } = await open([{ name: 'far', url: server.url }]);
    server.answer = ({ called }, response) => {
      if (called !== 'tools/call') return false;
      response.writeHead(404).end();
      return true;
    };
    expect(await call('search')).toMatchObject({ ok: false, status: 'interrupted' });
    expect((await call('search')).ok).toBe(false);
    server.answer = undefined;
    server.tools = [{ name: 'search', description: 'Does something else.', inputSchema: { type: 'object' } }];
    await expect.poll(() => router.servers()[0]?.state).toBe('down');
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { text } = await call('search');
    expect(text).toBe('The MCP server far was not called: it has other tools than were approved');
  });

  it('is a result where it is gone', async () => {
    const server = await start();
    const { call } = await open([{ name: 'far', url: server.url }]);
    await server.stop();
    const data = await call('search');
    expect(data).toMatchObject({ ok: false, status: 'interrupted', outcomeUnknown: true });
    expect(data.text).toMatch(/it could not be reached \([A-Z_]+\)/);
    expect((await call('search')).ok).toBe(false);
  });

  it('is given up in its time where it says nothing, or stops in the middle', async () => {
    const server = await start();
    const { call } = await open([{ name: 'far', url: server.url, timeoutMs: 200 }]);
    server.answer = ({ called }, response) => {
      if (called !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":');
      return true;
    };
    expect(await call('search')).toMatchObject({ status: 'timed_out', outcomeUnknown: true });
  });

  it('leads nowhere else: a redirect is an error, and the headers do not go with it', async () => {
    const [server, other] = [await start(), await start()];
    server.answer = (_request, response) => {
      response.writeHead(307, { location: other.url }).end();
      return true;
    };
    const { warnings } = await open([{ name: 'far', url: server.url, token: () => TOKEN }]);
    expect(warnings[0]).toContain('The MCP server far is not connected: ');
    expect(other.requests).toEqual([]);
    // The guard is ours: `fetch` follows.
    await fetch(server.url, { method: 'POST', body: '{}', headers: { 'X-Api-Key': OTHER } });
    expect(other.requests[0]?.headers['x-api-key']).toBe(OTHER);
  });

  it('says what it answered in the place of an answer, masked', async () => {
    const server = await start();
    const { call } = await open([{ name: 'far', url: server.url, token: () => TOKEN }]);
    server.answer = ({ called, headers }, response) => {
      if (called !== 'tools/call') return false;
      response.writeHead(401).end(`you sent ${headers.authorization}`);
      return true;
    };
    const { text, ok } = await call('search');
    expect([ok, text.includes(TOKEN), text.includes('[REDACTED]')]).toEqual([false, false, true]);
  });
});

describe('what a server over HTTP sends', () => {
  const streamOf = (...pieces: string[]) =>
    new Response(new Blob(pieces).stream(), { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });

  it('is bounded: one answer, and each event of a stream that goes on', async () => {
    const event = `data: ${'x'.repeat(40)}\n\n`;
    expect(await boundedResponse(streamOf(event, event, event), 64).text()).toBe(event.repeat(3));
    expect(await boundedResponse(streamOf(event.replaceAll('\n', '\r\n'), event), 64).text()).toContain('xxx');
    await expect(boundedResponse(streamOf(event.repeat(3).replaceAll('\n\n', '\n')), 64).text()).rejects.toThrow(
      BodyTooLarge,
    );
    await expect(boundedResponse(new Response('x'.repeat(65)), 64).text()).rejects.toThrow('more than 64 bytes');
    expect(await boundedResponse(new Response('x'.repeat(64)), 64).text()).toHaveLength(64);
  });

  it('ends a call where it is too large', async () => {
    const server = await start();
    server.tools = [{ name: 'search', description: 'x'.repeat(5_000), inputSchema: { type: 'object' } }];
    const far = { name: 'far', url: server.url, headers: {}, token: undefined, requestMs: 5_000 };
    const sdk = await loadMcpSdk();
    const [small, large] = [1_000, 10_000].map((most) => new HttpLink(sdk, far, new Redactor(), most));
    for (const [link, fits] of [
      [small, false],
      [large, true],
    ] as const) {
      const client = new sdk.Client({ name: 'test', version: '1' });
      await client.connect(link?.transport as never);
      const listed = client.listTools();
      if (fits) expect((await listed).tools).toHaveLength(1);
      else await expect(listed).rejects.toThrow('a message of more than 1000 bytes');
      await link?.close();
    }
  });
});

describe('the options of a server over HTTP', () => {
  const url = 'https://notes.example/mcp';
  const check = (options: object) => mcpServersOption([{ name: 'far', ...options }], 'mcpServers');

  it.each<[string, object]>([
    ['neither a program nor an address', {}],
    ['both', { command: 'cat', url }],
    ['an address that is none', { url: 'notes' }],
    ['another scheme', { url: 'file:///etc/passwd' }],
    ['a user in it', { url: 'https://user:word@notes.example/' }],
    ['a token off the loopback without TLS', { url: 'http://notes.example/', token: () => TOKEN }],
    ['headers off the loopback without TLS', { url: 'http://10.0.0.1/', headers: { 'X-Api-Key': TOKEN } }],
    ['a host that begins like the loopback', { url: 'http://127.0.0.1.notes.example/', token: () => TOKEN }],
    ['a host that ends like it', { url: 'http://notes.localhost/', token: () => TOKEN }],
    ['arguments of a program', { url, args: [] }],
    ['a confinement', { url, confine: {} }],
    ['headers of a program', { command: 'cat', headers: {} }],
    ['a token of a program', { command: 'cat', token: () => TOKEN }],
    ['a token that is no function', { url, token: TOKEN }],
    ['a header with a second line', { url, headers: { 'X-Api-Key': `${TOKEN}\r\nX: y` } }],
    ['a header of no name', { url, headers: { 'X Api': TOKEN } }],
    ['a header of the protocol', { url, headers: { 'Mcp-Session-Id': TOKEN } }],
    ['a host of its own', { url, headers: { Host: 'other.example' } }],
    [
      'too many headers',
      { url, headers: Object.fromEntries(Array.from({ length: MAX_HEADERS + 1 }, (_, at) => [`X-${at}`, TOKEN])) },
    ],
  ])('are refused: %s', (_what, options) => {
    expect(() => check(options)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
    expect(() => check(options)).not.toThrow(TOKEN);
  });

  it.each([
    { url, token: () => TOKEN },
    { url: 'http://notes.example/' },
    { url: 'http://localhost:8080/', token: () => TOKEN },
    { url: 'http://127.0.0.1:1/', headers: { 'X-Api-Key': TOKEN } },
    { url: 'http://[::1]:8080/', token: () => TOKEN },
  ])('are taken: %j', (options) => {
    expect(check(options)).toHaveLength(1);
  });

  it('have no header that cannot be masked', async () => {
    const far = { name: 'far', url, headers: { Accepted: 'yes' } } satisfies McpServerOptions;
    await expect(make({ mcpServers: [far] })).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });
});
