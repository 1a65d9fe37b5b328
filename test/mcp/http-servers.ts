/** Servers of Streamable HTTP, for the tests of one file. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

/** A request that came, and what it brought. */
export interface SeenRequest {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  /** The method of the protocol. Undefined for a request without a message. */
  readonly called: string | undefined;
}

/** A server whose answers a test may change. */
export interface TestHttpServer {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** Its tools, as it lists them. */
  tools: readonly object[];
  /** Answers in the place of the server where it returns true. */
  answer?: ((request: SeenRequest, response: ServerResponse) => boolean) | undefined;
  /** Sends a message on the stream of announcements. */
  announce(method: string): void;
  stop(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: object; readonly protocolVersion?: string };
}

const SESSION = 'session-1';

/** Makes servers that are stopped after each test. */
export function httpServers() {
  const made: TestHttpServer[] = [];
  afterEach(async () => {
    await Promise.all(made.splice(0).map((server) => server.stop()));
  });
  return async (): Promise<TestHttpServer> => {
    const server = await startServer();
    made.push(server);
    return server;
  };
}

async function startServer(): Promise<TestHttpServer> {
  const streams = new Set<ServerResponse>();
  const requests: SeenRequest[] = [];
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const message = (body === '' ? {} : JSON.parse(body)) as Message;
    const seen = { method: request.method ?? '', headers: request.headers, called: message.method };
    requests.push(seen);
    if (server.answer?.(seen, response) === true) return;
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': open\n\n');
      streams.add(response);
    } else if (message.id === undefined) response.writeHead(request.method === 'DELETE' ? 200 : 202).end();
    else reply(response, message);
  });
  const reply = (response: ServerResponse, { id, method, params }: Message): void => {
    const results: Readonly<Record<string, object>> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'http', version: '1' },
      },
      'tools/list': { tools: server.tools },
      'tools/call': { content: [{ type: 'text', text: `${params?.name} got ${JSON.stringify(params?.arguments)}` }] },
    };
    const result = results[method ?? ''];
    const answer = result === undefined ? { error: { code: -32601, message: 'unknown' } } : { result };
    const session = method === 'initialize' ? { 'mcp-session-id': SESSION } : {};
    response.writeHead(200, { 'content-type': 'application/json', ...session });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: TestHttpServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    requests,
    tools: [{ name: 'search', description: 'Searches.', inputSchema: { type: 'object' } }],
    announce(method) {
      for (const stream of streams)
        stream.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method })}\n\n`);
    },
    async stop() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}

/** A server made with the second line of the SDK, for both eras of the protocol. */
export async function sdkServer(): Promise<{ readonly url: string; readonly seen: string[]; stop(): Promise<void> }> {
  const { McpServer, createMcpHandler } = await import('@modelcontextprotocol/server');
  const z = await import('zod');
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'v2', version: '1.0.0' });
    const inputSchema = z.object({ a: z.number(), b: z.number() });
    server.registerTool('add', { description: 'Adds two numbers.', inputSchema }, ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
    }));
    return server;
  });
  const seen: string[] = [];
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    seen.push(String(request.headers['mcp-protocol-version'] ?? ''));
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const method = request.method ?? 'GET';
    const given = new Request(`http://127.0.0.1${request.url}`, { method, headers, ...(body === '' ? {} : { body }) });
    const answer = await handler.fetch(given);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const piece of answer.body ?? []) response.write(piece);
    response.end();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    seen,
    async stop() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
