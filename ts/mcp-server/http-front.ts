import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpEndpoint } from './http-endpoint.js';
import { type CheckedHttpOptions, ONLY_CALLER } from './http-options.js';
import { MAX_MESSAGE_BYTES, MAX_REQUESTS_PER_CALLER } from './limits.js';
import { isObject, parseLine, RPC_CODES } from './protocol.js';

/** The path of the endpoint, and those that say how the server is. */
export const ENDPOINT_PATH = '/mcp';
const HEALTH_PATH = '/healthz';
const READY_PATH = '/readyz';

const METHODS = ['POST', 'GET', 'DELETE'];

/** A request that goes no further, with the status of its answer. */
class Refused extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** Who may ask what: every request passes here before anything of it reaches the endpoint. */
export class HttpFront {
  readonly #endpoint: McpEndpoint;
  readonly #options: CheckedHttpOptions;
  /** The digest of each token, with its caller. */
  readonly #tokens: readonly (readonly [digest: Buffer, caller: string])[];
  readonly #openCounts = new Map<string, number>();
  readonly #requestMs: number;
  #isDraining = false;
  /** Requests that are not answered, without those that wait for changes. */
  #callCount = 0;
  #onIdle: (() => void) | undefined;

  constructor(endpoint: McpEndpoint, options: CheckedHttpOptions, { requestMs }: { readonly requestMs: number }) {
    this.#requestMs = requestMs;
    this.#endpoint = endpoint;
    this.#options = options;
    this.#tokens = [...options.tokens].map(([caller, token]) => [digestOf(token), caller]);
  }

  /** Answers a request. Never throws. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    response.on('error', () => undefined);
    void this.#answer(request, response).catch((error: unknown) => {
      refuse(response, error instanceof Refused ? error : new Refused(500, 'The server failed'));
    });
  };

  /** Takes no further calls, and settles when the last one was answered or `signal` has fired. */
  async drain(signal: AbortSignal): Promise<void> {
    this.#isDraining = true;
    if (this.#callCount === 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#checkOrigin(request);
    const path = request.url?.split('?', 1)[0];
    if (path === HEALTH_PATH || path === READY_PATH) {
      const isReady = path === HEALTH_PATH || !this.#isDraining;
      response.writeHead(isReady ? 200 : 503, { 'content-type': 'text/plain' }).end(isReady ? 'ok\n' : 'draining\n');
      return;
    }
    const caller = this.#callerOf(request);
    this.#checkEndpoint(path, request);
    const count = this.#openCounts.get(caller) ?? 0;
    if (count >= MAX_REQUESTS_PER_CALLER)
      throw new Refused(429, `This caller has ${MAX_REQUESTS_PER_CALLER} open requests`, { 'retry-after': '1' });
    this.#openCounts.set(caller, count + 1);
    try {
      await this.#serve(request, response, caller);
    } finally {
      const left = (this.#openCounts.get(caller) ?? 1) - 1;
      if (left === 0) this.#openCounts.delete(caller);
      else this.#openCounts.set(caller, left);
    }
  }

  #checkEndpoint(path: string | undefined, { method = '' }: IncomingMessage): void {
    if (path !== ENDPOINT_PATH) throw new Refused(404, `The endpoint is ${ENDPOINT_PATH}`);
    if (!METHODS.includes(method)) throw new Refused(405, 'Method not allowed', { allow: METHODS.join(', ') });
    if (this.#isDraining) throw new Refused(503, 'This server is ending', { 'retry-after': '1' });
  }

  /** A name that leads here in somebody's resolver alone, or a page of a browser, gets nothing. */
  #checkOrigin({ headers }: IncomingMessage): void {
    const { hosts, origins } = this.#options;
    const name = hostName(headers.host);
    if (name === undefined || !hosts.has(name)) throw new Refused(403, 'This Host is not served here');
    const { origin } = headers;
    if (origin !== undefined && !origins.has(origin.toLowerCase()))
      throw new Refused(403, 'This Origin is not allowed');
  }

  #callerOf({ headers }: IncomingMessage): string {
    if (this.#tokens.length === 0) return ONLY_CALLER;
    const { authorization = '' } = headers;
    const given = digestOf(/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '');
    // Every token is compared, whichever fits.
    const callers = this.#tokens.filter(([digest]) => timingSafeEqual(digest, given)).map(([, caller]) => caller);
    const [caller] = callers;
    if (caller !== undefined) return caller;
    throw new Refused(401, 'A token is needed: Authorization: Bearer TOKEN', { 'www-authenticate': 'Bearer' });
  }

  async #serve(request: IncomingMessage, response: ServerResponse, caller: string): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const body = request.method === 'POST' ? await readBody(request, this.#requestMs) : undefined;
    // Who waits for changes would wait for the end of the server.
    const isWaitedFor = isObject(body) && body['method'] !== 'subscriptions/listen';
    if (isWaitedFor) this.#callCount += 1;
    try {
      await send(response, await this.#endpoint.answer({ request: webRequest(request, gone.signal), body, caller }));
    } finally {
      if (isWaitedFor) this.#callCount -= 1;
      if (this.#callCount === 0) this.#onIdle?.();
    }
  }
}

/** The digest of a token: of one length, so that comparing takes the same time for each. */
function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The name in a `Host`, without its port, in lower case. */
function hostName(host: string | undefined): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host ?? '')?.[1]?.toLowerCase();
}

async function readBody(request: IncomingMessage, requestMs: number): Promise<unknown> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== 'application/json') throw new Refused(415, 'The body has to be application/json');
  if (Number(request.headers['content-length'] ?? 0) > MAX_MESSAGE_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const late = setTimeout(() => request.destroy(), requestMs);
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > MAX_MESSAGE_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(late);
  }
  const parsed = parseLine(Buffer.concat(chunks).toString());
  if (parsed === undefined) throw new Refused(400, 'Parse error: the body is no JSON');
  return parsed.value;
}

function tooLarge(): Refused {
  return new Refused(413, `A message has at most ${MAX_MESSAGE_BYTES} bytes`, { connection: 'close' });
}

/** The request as the SDK takes it. Its body was read already. */
function webRequest({ method = 'GET', headers }: IncomingMessage, signal: AbortSignal): Request {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    // The token ends here.
    if (value === undefined || name === 'authorization' || name === 'content-length') return [];
    return [[name, Array.isArray(value) ? value.join(', ') : value]];
  });
  return new Request(`http://localhost${ENDPOINT_PATH}`, { method, headers: entries, signal });
}

async function send(response: ServerResponse, answer: Response): Promise<void> {
  if (response.destroyed) return;
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  const reader = answer.body.getReader();
  response.on('close', () => void reader.cancel().catch(() => undefined));
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (response.destroyed) return;
    if (!response.write(part.value)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}

function refuse(response: ServerResponse, { status, message, headers }: Refused): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const code = status === 400 ? RPC_CODES.parseError : RPC_CODES.invalidRequest;
  const text = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  // What is still being sent is not read.
  if (status === 413) response.once('finish', () => response.socket?.destroy());
}
