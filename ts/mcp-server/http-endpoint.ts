import { randomUUID } from 'node:crypto';
import type { Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { GuardedToolkit } from '../tools/guarded-toolkit.js';
import type { Toolkit } from '../tools/toolkit.js';
import type { McpServerSdk } from './http-peer.js';
import { LIST_TTL_MS, MAX_MESSAGE_BYTES, MAX_SESSIONS_PER_CALLER, PROGRESS_MS, SESSION_IDLE_MS } from './limits.js';
import { canAsk, META, PROTOCOL_VERSIONS, RpcError, STATELESS_VERSIONS } from './protocol.js';
import { SERVER_INFO, ServedTools } from './served-tools.js';

const NOT_FOUND = 404;

/** A request whose sender and body are known. */
export interface EndpointRequest {
  readonly request: Request;
  /** The body of a POST, as JSON holds it. */
  readonly body: unknown;
  readonly caller: string;
}

/** A session of a revision that begins with `initialize`. */
interface Session {
  readonly caller: string;
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
  openCount: number;
}

/** The endpoint of MCP over HTTP: what a request means is the SDK's, what its tools do is the toolkit's. */
export class McpEndpoint {
  readonly #sdk: McpServerSdk;
  readonly #toolkit: Toolkit;
  readonly #tools: ServedTools;
  readonly #stateless: ReturnType<McpServerSdk['createMcpHandler']>;
  readonly #sessions = new Map<string, Session>();
  readonly #sweep: NodeJS.Timeout;
  readonly #announceTools = (): void => {
    this.#stateless.notify.toolsChanged();
    // A session whose client has gone is ended when it is idle.
    for (const { server } of this.#sessions.values()) void server.sendToolListChanged().catch(() => undefined);
  };

  constructor(sdk: McpServerSdk, toolkit: Toolkit) {
    this.#sdk = sdk;
    this.#toolkit = toolkit;
    this.#tools = new ServedTools(toolkit, GuardedToolkit.hasApprover(toolkit));
    this.#stateless = sdk.createMcpHandler(({ authInfo }) => this.#makeServer(authInfo?.clientId ?? ''), {
      legacy: 'reject',
      maxRequestBodySize: MAX_MESSAGE_BYTES,
    });
    toolkit.on('tools', this.#announceTools);
    this.#sweep = setInterval(() => this.#endIdle(), SESSION_IDLE_MS / 2).unref();
  }

  /** Answers one request. */
  async answer({ request, body, caller }: EndpointRequest): Promise<Response> {
    if (await this.#sdk.isLegacyRequest(request, body)) return await this.#answerSession(request, body, caller);
    const authInfo = { token: '', clientId: caller, scopes: [] };
    return await this.#stateless.fetch(request, { authInfo, parsedBody: body });
  }

  /** Cancels every call and ends every session. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.#toolkit.off('tools', this.#announceTools);
    const sessions = [...this.#sessions.values()];
    await Promise.allSettled([this.#stateless.close(), ...sessions.map(({ server }) => server.close())]);
  }

  async #answerSession(request: Request, parsedBody: unknown, caller: string): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const found = id === null ? await this.#open(caller) : this.#sessions.get(id);
    // Another caller's session is not there for this one.
    if (found === undefined || found.caller !== caller) return rpcResponse(NOT_FOUND, -32_001, 'Session not found');
    request.signal.throwIfAborted();
    found.openCount += 1;
    request.signal.addEventListener('abort', () => {
      found.openCount -= 1;
      found.usedAt = Date.now();
    });
    const answer = await found.transport.handleRequest(request, request.method === 'POST' ? { parsedBody } : {});
    if (found.transport.sessionId === undefined) await found.server.close();
    return answer;
  }

  /** Makes a session. It stays only where its first message begins one. */
  async #open(caller: string): Promise<Session> {
    const server = this.#makeServer(caller);
    const transport = new this.#sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#makeRoom(caller);
        this.#sessions.set(id, session);
      },
    });
    const session: Session = { caller, server, transport, usedAt: Date.now(), openCount: 0 };
    await server.connect(transport);
    server.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    return session;
  }

  #makeRoom(caller: string): void {
    const own = [...this.#sessions.values()].filter((session) => session.caller === caller);
    const [oldest] = own.sort((one, other) => one.usedAt - other.usedAt);
    if (own.length >= MAX_SESSIONS_PER_CALLER) void oldest?.server.close();
  }

  #endIdle(): void {
    const since = Date.now() - SESSION_IDLE_MS;
    for (const { server, usedAt, openCount } of this.#sessions.values()) {
      if (openCount === 0 && usedAt < since) void server.close();
    }
  }

  /** A server of the SDK for one request, or one session. */
  #makeServer(caller: string): Server {
    const { ProtocolError, Server } = this.#sdk;
    const server = new Server(SERVER_INFO, {
      capabilities: this.#tools.capabilities(),
      supportedProtocolVersions: [...STATELESS_VERSIONS, ...PROTOCOL_VERSIONS],
      cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' } },
    });
    const shaped = async <Result>(work: () => Promise<unknown>): Promise<Result> => {
      try {
        return (await work()) as Result;
      } catch (error) {
        if (error instanceof RpcError) throw new ProtocolError(error.code, error.message, error.data);
        throw error;
      }
    };
    server.setRequestHandler('tools/list', () => shaped(async () => ({ tools: this.#tools.list() })));
    server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
      shaped(async () => {
        const token = mcpReq._meta?.progressToken;
        const started = performance.now();
        const timer = setInterval(() => {
          if (token === undefined) return;
          const progress = Math.round((performance.now() - started) / 1_000);
          // Whoever does not listen any more has cancelled the call.
          void mcpReq
            .notify({ method: 'notifications/progress', params: { progressToken: token, progress } })
            .catch(() => undefined);
        }, PROGRESS_MS);
        try {
          const asked = { ...params, requestState: mcpReq.requestState(), inputResponses: mcpReq.inputResponses };
          const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
          const capabilities = envelope[META.clientCapabilities] ?? server.getClientCapabilities();
          const call = { caller, callId: String(mcpReq.id), signal: mcpReq.signal, meta: mcpReq._meta };
          return await this.#tools.callStateless(asked, call, canAsk(capabilities));
        } finally {
          clearInterval(timer);
        }
      }),
    );
    const { resources } = this.#tools;
    server.setRequestHandler('resources/list', () => shaped(async () => ({ resources: resources.list(caller) })));
    server.setRequestHandler('resources/templates/list', () => shaped(async () => ({ resourceTemplates: [] })));
    server.setRequestHandler('resources/read', ({ params }) => shaped(() => resources.read(caller, params.uri)));
    return server;
  }
}

/** An answer that is an error of the protocol. */
function rpcResponse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}
