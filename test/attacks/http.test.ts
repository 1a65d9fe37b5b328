/** What a stranger, a page of a browser, another caller and a command try on the server of tools over HTTP. */
import { existsSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ServedMcpHttp, ServeMcpHttpOptions } from '../../ts/mcp-server/http-options.js';
import { serveHttp } from '../../ts/mcp-server/http-serve.js';
import { HTTP_LIMITS, MAX_MESSAGE_BYTES } from '../../ts/mcp-server/limits.js';
import { META } from '../../ts/mcp-server/protocol.js';
import { createToolkit, type Toolkit } from '../../ts/toolkit.js';
import { folderPerTest } from '../support/folder.js';
import { soakSize } from '../support/soak.js';

const TOKENS = { ann: `ann-${'a'.repeat(20)}`, ben: `ben-${'b'.repeat(20)}` };
const PLACE = 'touched';
const CALL = { name: 'terminal_run', arguments: { command: `touch ${PLACE}` } };
const VERSION = '2026-07-28';
const BODY = {
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { ...CALL, _meta: { [META.protocolVersion]: VERSION, [META.clientCapabilities]: {} } },
};
const HEADERS = {
  accept: 'application/json, text/event-stream',
  authorization: `Bearer ${TOKENS.ann}`,
  'content-type': 'application/json',
  'mcp-method': 'tools/call',
  'mcp-name': 'terminal_run',
  'mcp-protocol-version': VERSION,
};

type Headers = Readonly<Record<string, string | undefined>>;

const folder = folderPerTest();
let toolkit: Toolkit;
let served: ServedMcpHttp;
let port: number;
const sockets: Socket[] = [];

async function start(limits = HTTP_LIMITS, terminal: object = {}, options: ServeMcpHttpOptions = { tokens: TOKENS }) {
  toolkit = await createToolkit({ workspace: folder(), terminal: { allow: ['touch', 'bash'], ...terminal } });
  served = await serveHttp(toolkit, options, limits);
  port = Number(new URL(served.url ?? '').port);
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await served.close();
  await toolkit.close();
});

/** The text of a request with these headers, in place of or beside those of a good one. */
function request(headers: Headers = {}, body: unknown = BODY, line = 'POST /mcp HTTP/1.1'): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all: Headers = {
    host: `127.0.0.1:${port}`,
    ...HEADERS,
    'content-length': `${Buffer.byteLength(text)}`,
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `${[line, ...lines, 'connection: close'].join('\r\n')}\r\n\r\n${text}`;
}

function open(): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

/** Sends these bytes, and gives back everything that comes until the server closes. */
async function exchange(bytes: string): Promise<string> {
  const socket = open();
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
  });
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.write(bytes);
  await ended;
  return answer;
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? 0);
const wasRun = (): boolean => existsSync(path.join(folder(), PLACE));

/** The server goes on: a good request is answered, and runs its command. */
async function assertGoesOn(): Promise<void> {
  expect(wasRun()).toBe(false);
  expect(statusOf(await exchange(request()))).toBe(200);
  expect(wasRun()).toBe(true);
  rmSync(path.join(folder(), PLACE));
}

const withMeta = (meta: object) => ({ ...BODY, params: { ...CALL, _meta: meta } });

describe('a request', () => {
  it.each<[string, number, () => string]>([
    ['without a token', 401, () => request({ authorization: undefined })],
    ['with another token', 401, () => request({ authorization: `Bearer ${'x'.repeat(24)}` })],
    ['with an empty token', 401, () => request({ authorization: 'Bearer ' })],
    ['with a token by another scheme', 401, () => request({ authorization: `Basic ${TOKENS.ann}` })],
    ['with the beginning of a token', 401, () => request({ authorization: `Bearer ${TOKENS.ann.slice(0, -1)}` })],
    ['with a token and more', 401, () => request({ authorization: `Bearer ${TOKENS.ann}x` })],
    ['with a token in other letters', 401, () => request({ authorization: `Bearer ${TOKENS.ann.toUpperCase()}` })],
    ['with two tokens', 401, () => request({ authorization: `Bearer ${TOKENS.ann} ${TOKENS.ben}` })],
    ['with the name of a caller', 401, () => request({ authorization: 'Bearer ann' })],
    [
      'with a token in its address',
      401,
      () => request({ authorization: undefined }, BODY, `POST /mcp?token=${TOKENS.ann} HTTP/1.1`),
    ],
    [
      'with a token in a cookie',
      401,
      () => request({ authorization: undefined, cookie: `authorization=Bearer ${TOKENS.ann}` }),
    ],
    ['under a name that leads here', 403, () => request({ host: 'rebound.example.com' })],
    ['under a name that begins as ours', 403, () => request({ host: '127.0.0.1.example.com' })],
    ['under a name with a user', 403, () => request({ host: `localhost@example.com:${port}` })],
    ['under two names', 400, () => request({ 'Host ': 'x', host: 'rebound.example.com' })],
    ['under no name', 400, () => request({ host: undefined })],
    ['under no name, of an old HTTP', 403, () => request({ host: undefined }, BODY, 'POST /mcp HTTP/1.0')],
    ['from a page', 403, () => request({ origin: 'https://example.com' })],
    ['from a page of this machine', 403, () => request({ origin: `http://127.0.0.1:${port}` })],
    ['from a page of a file', 403, () => request({ origin: 'null' })],
    ['from a form', 415, () => request({ 'content-type': 'text/plain' })],
    ['from a form of another kind', 415, () => request({ 'content-type': 'application/x-www-form-urlencoded' })],
    ['that asks what a page may', 405, () => request({}, '', 'OPTIONS /mcp HTTP/1.1')],
    ['by PUT', 405, () => request({}, BODY, 'PUT /mcp HTTP/1.1')],
    ['by TRACE', 405, () => request({}, '', 'TRACE /mcp HTTP/1.1')],
    ['to another path', 404, () => request({}, BODY, 'POST /mcp/../mcp HTTP/1.1')],
    ['to a path with two slashes', 404, () => request({}, BODY, 'POST //mcp HTTP/1.1')],
    ['to a path in escapes', 404, () => request({}, BODY, 'POST /%6dcp HTTP/1.1')],
    ['through us to somewhere', 404, () => request({}, BODY, 'POST http://example.com/mcp HTTP/1.1')],
    [
      'for a session nobody has',
      404,
      () => request({ 'mcp-session-id': 'abc', 'mcp-protocol-version': '2025-11-25' }, { ...BODY, params: CALL }),
    ],
    ['with a header in a header', 400, () => request({ 'mcp-session-id': 'abc\rx-injected: 1' })],
    ['with another method in its head', 400, () => request({ 'mcp-method': 'tools/list' })],
    ['with another tool in its head', 400, () => request({ 'mcp-name': 'file_read' })],
    ['with another revision in its head', 400, () => request({ 'mcp-protocol-version': '2025-11-25' })],
    [
      'of a revision nobody speaks',
      400,
      () =>
        request(
          { 'mcp-protocol-version': '1900-01-01' },
          withMeta({ [META.protocolVersion]: '1900-01-01', [META.clientCapabilities]: {} }),
        ),
    ],
    ['with two lengths', 400, () => request({ 'transfer-encoding': 'chunked' })],
    ['with another length', 400, () => request({ 'content-length': '5' })],
    ['with a body that is said to have 100 MB', 413, () => request({ 'content-length': `${100 * 1024 * 1024}` }, '{')],
    ['with a packed body', 400, () => request({ 'content-encoding': 'gzip' }, '\u001f\u008b')],
    ['that is no JSON', 400, () => request({}, '{"jsonrpc":')],
    ['of deep JSON', 400, () => request({}, `${'['.repeat(100_000)}`)],
    ['of several messages', 400, () => request({}, [BODY, BODY])],
    ['with a head of 64 KiB', 431, () => request({ 'x-long': 'x'.repeat(65_536) })],
    ['that is none', 400, () => 'GARBAGE\r\n\r\n'],
  ])('%s is refused with %i', async (_title, status, bytes) => {
    await start();
    const answer = await exchange(bytes());
    expect(statusOf(answer)).toBe(status);
    expect(answer).not.toContain(TOKENS.ann.slice(0, -1));
    expect(answer.toLowerCase()).not.toMatch(/access-control-allow|x-injected/);
    await assertGoesOn();
  });
});

describe('with the guard off', () => {
  it.each<[string, ServeMcpHttpOptions, Headers]>([
    ['without a token', { auth: 'none' }, { authorization: undefined }],
    [
      'under a name that leads here',
      { tokens: TOKENS, hosts: ['Rebound.example.com'] },
      { host: 'rebound.example.com' },
    ],
    ['from a page', { tokens: TOKENS, origins: ['https://example.com'] }, { origin: 'https://example.com' }],
  ])('a request %s runs its command', async (_title, options, headers) => {
    await start(HTTP_LIMITS, {}, options);
    expect(statusOf(await exchange(request(headers)))).toBe(200);
    expect(wasRun()).toBe(true);
  });
});

describe('another caller', () => {
  const begin = { jsonrpc: '2.0', id: 1, method: 'initialize' };
  const about = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const ben = { authorization: `Bearer ${TOKENS.ben}` };

  it.each(['POST', 'GET', 'DELETE'])('reaches no session with its id by %s', async (method) => {
    await start();
    const stateful = { 'mcp-protocol-version': '2025-11-25' };
    const begun = await exchange(request(stateful, { ...begin, params: about }));
    const id = /mcp-session-id: (\S+)/i.exec(begun)?.[1];
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const body = method === 'POST' ? { ...BODY, params: CALL } : '';
    const line = `${method} /mcp HTTP/1.1`;
    const session = { ...stateful, 'mcp-session-id': id };
    expect(statusOf(await exchange(request({ ...session, ...ben }, body, line)))).toBe(404);
    expect(wasRun()).toBe(false);
    // Its own caller does.
    expect(statusOf(await exchange(request(session, { ...BODY, params: CALL })))).toBe(200);
    expect(wasRun()).toBe(true);
  });
});

describe('whoever connects', () => {
  const LIMITS = { ...HTTP_LIMITS, headMs: 300, requestMs: 600 };

  it('is not waited for while it sends a head letter by letter', async () => {
    await start(LIMITS);
    const socket = open();
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('data', () => undefined);
    const timer = setInterval(() => socket.write('x'), 50);
    socket.write('POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ');
    await closed;
    clearInterval(timer);
    await assertGoesOn();
  });

  it('is not waited for while it sends a body letter by letter', async () => {
    await start(LIMITS);
    const socket = open();
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('data', () => undefined);
    const timer = setInterval(() => socket.write(' '), 50);
    socket.write(request({ 'content-length': '100000' }, ''));
    await closed;
    clearInterval(timer);
    await assertGoesOn();
  });

  it('has no body of 100 MB read', async () => {
    await start();
    const socket = open();
    socket.on('data', () => undefined);
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.write(request({ 'content-length': undefined, 'transfer-encoding': 'chunked' }, ''));
    const chunk = Buffer.from(`100000\r\n${' '.repeat(0x100000)}\r\n`);
    let sent = 0;
    while (!socket.destroyed && sent < 100) {
      sent += 1;
      if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    }
    expect(sent * chunk.length).toBeLessThan(3 * MAX_MESSAGE_BYTES);
    await assertGoesOn();
  });

  const count = soakSize(10_000, 1_500);
  it(`does not keep others out with ${count} connections`, async () => {
    await start({ ...HTTP_LIMITS, headMs: 1_000 });
    for (let made = 0; made < count; made += 1) {
      open().write('POST /mcp HTTP/1.1\r\n');
      if (made % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    // Those that say nothing are closed, and then there is room again.
    await vi.waitFor(async () => expect(statusOf(await exchange(request()))).toBe(200), { timeout: 20_000 });
    expect(wasRun()).toBe(true);
  });
});

describe('a command with network', () => {
  it('reaches the server of its own toolkit, and gets nothing from it without a token', async () => {
    await start(HTTP_LIMITS, {
      ...{ allow: ['bash', 'cat', 'env'], trustInterpreters: ['bash'], confine: { network: 'any' } },
    });
    const script = [
      `exec 3<>/dev/tcp/127.0.0.1/${port}`,
      String.raw`printf 'POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n' >&3`,
      'cat <&3; env; cat /proc/*/environ',
    ].join('\n');
    const result = await toolkit.terminal.run(['bash', '-c', script]);
    expect(result.stdout).toContain('401');
    expect(result.stdout).not.toContain(TOKENS.ann);
  });
});
