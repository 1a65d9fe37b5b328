import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Redactor } from '../redaction/redactor.js';
import { within } from '../terminal/within.js';
import { boundedResponse } from './http-body.js';
import {
  HTTP_CLOSE_MS,
  MAX_HTTP_RECONNECTS,
  MAX_LINE_BYTES,
  MAX_RECONNECT_MS,
  MIN_RECONNECT_MS,
  TOKEN_TIMEOUT_MS,
} from './limits.js';
import type { Link, TransportEnd } from './link.js';
import type { McpSdk } from './peer.js';

/** A server that is called over HTTP. */
export interface HttpServer {
  /** Name of the server, in errors. */
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly token: (() => string | Promise<string>) | undefined;
  /** The longest time of a request, in milliseconds. The stream of announcements has none. */
  readonly requestMs: number;
}

/** The status of a session that the server does not know any more. */
const NOT_FOUND = 404;

/**
 * The connection to a server over Streamable HTTP. Every request goes to the server's own address: redirects are errors,
 * since headers would go with them. What a server cannot be reached with, and the loss of its session, end the connection;
 * the next call begins a new one, and lists the tools again.
 */
export class HttpLink implements Link {
  readonly transport: StreamableHTTPClientTransport;
  over: TransportEnd | undefined;
  readonly #server: HttpServer;
  readonly #redactor: Redactor;
  readonly #maxBytes: number;
  /** The last token, which the redactor knows. */
  #token: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(sdk: McpSdk, server: HttpServer, redactor: Redactor, maxBytes: number = MAX_LINE_BYTES) {
    this.#server = server;
    this.#redactor = redactor;
    this.#maxBytes = maxBytes;
    this.transport = new sdk.StreamableHTTPClientTransport(new URL(server.url), {
      fetch: (_url, init) => this.#fetch(init ?? {}),
      reconnectionOptions: {
        initialReconnectionDelay: MIN_RECONNECT_MS,
        maxReconnectionDelay: MAX_RECONNECT_MS,
        reconnectionDelayGrowFactor: 2,
        maxRetries: MAX_HTTP_RECONNECTS,
      },
      // The server may ask for another pause: neither none, nor one without end.
      reconnectionScheduler: (reconnect, delay) => {
        const timer = setTimeout(reconnect, Math.min(MAX_RECONNECT_MS, Math.max(MIN_RECONNECT_MS, delay)));
        timer.unref();
        return () => clearTimeout(timer);
      },
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    if (this.over === undefined) {
      await within(
        this.transport.terminateSession().catch(() => undefined),
        HTTP_CLOSE_MS,
      );
    }
    await this.#finish(undefined);
  }

  async #fetch(init: RequestInit): Promise<Response> {
    const isStream = init.method === 'GET';
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(this.#server.headers)) headers.set(name, value);
    const token = await this.#freshToken();
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const limit = isStream ? [] : [AbortSignal.timeout(this.#server.requestMs)];
    const signal = AbortSignal.any([...(init.signal ? [init.signal] : []), ...limit]);
    let response: Response;
    try {
      response = await fetch(this.#server.url, { ...init, headers, signal, redirect: 'error' });
    } catch (error) {
      if (!signal.aborted && !isStream) void this.#finish(`it could not be reached (${codeOf(error)})`);
      throw new Error(`it could not be reached (${codeOf(error)})`, { cause: error });
    }
    if (response.status === NOT_FOUND && headers.has('mcp-session-id'))
      void this.#finish('it has forgotten the session');
    return boundedResponse(response, this.#maxBytes);
  }

  /** The token of a request. It is masked everywhere before it is sent. */
  async #freshToken(): Promise<string | undefined> {
    const { token, name } = this.#server;
    if (token === undefined) return undefined;
    const value: unknown = await within(Promise.resolve().then(token), TOKEN_TIMEOUT_MS);
    if (typeof value !== 'string' || !isHeaderText(value)) throw new Error('`token` gave no token');
    if (value !== this.#token) this.#redactor.addSecret(`mcpServers.${name}.token`, value);
    this.#token = value;
    return value;
  }

  async #finish(breach: string | undefined): Promise<void> {
    if (this.over !== undefined) return;
    this.over = { end: undefined, breach, isOurs: this.#closing !== undefined, stderr: '' };
    await this.transport.close();
  }
}

/** Whether a text can be the value of a header: printable ASCII, not empty. */
export function isHeaderText(text: string): boolean {
  return text !== '' && [...text].every((character) => character >= ' ' && character <= '~');
}

/** Why a request failed: the code of the system, or of what checked the answer. */
function codeOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  const codes = [cause, error].map((one) => (one instanceof Error && 'code' in one ? String(one.code) : undefined));
  const redirected = cause instanceof Error && cause.message.includes('redirect') ? 'a redirect' : undefined;
  return redirected ?? codes.find((code) => code !== undefined) ?? 'no reason is known';
}
