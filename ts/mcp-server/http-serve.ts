import { chmodSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { checkedOptions, integer } from '../config/validate.js';
import { HandrailError } from '../errors.js';
import type { Toolkit } from '../tools/toolkit.js';
import { McpEndpoint } from './http-endpoint.js';
import { ENDPOINT_PATH, HttpFront } from './http-front.js';
import {
  type CheckedHttpOptions,
  checkHttpOptions,
  type ServedMcpHttp,
  type ServeMcpHttpOptions,
} from './http-options.js';
import { loadMcpServerSdk } from './http-peer.js';
import { HTTP_LIMITS, type HttpLimits, MAX_GRACE_MS } from './limits.js';

const GRACE_RANGE = { min: 0, max: MAX_GRACE_MS, unit: 'milliseconds' };

/** Serves the tools of a toolkit until it is closed. */
export async function serveHttp(
  toolkit: Toolkit,
  options: ServeMcpHttpOptions,
  limits: HttpLimits = HTTP_LIMITS,
): Promise<ServedMcpHttp> {
  const checked = checkHttpOptions(options);
  for (const token of checked.tokens.values()) toolkit.redactor.addSecret('HANDRAIL_TOKEN', token);
  const endpoint = new McpEndpoint(await loadMcpServerSdk(), toolkit);
  const front = new HttpFront(endpoint, checked, limits);
  const server = checked.listen
    ? await listen(checked, limits, front.handle).catch(async (error: unknown) => {
        await endpoint.close();
        throw error;
      })
    : undefined;
  let closed: Promise<void> | undefined;
  const close = (graceMs = 0): Promise<void> => {
    closed ??= shutDown(server, front, endpoint, graceMs);
    return closed;
  };
  const onAbort = (): void => void close();
  checked.signal?.addEventListener('abort', onAbort, { once: true });
  if (checked.signal?.aborted === true) await close();
  return {
    url: server && urlOf(server, checked),
    tokens: Object.fromEntries(checked.tokens),
    handle: front.handle,
    close: async (given = {}) => close(checkedOptions(given, 'options', { graceMs: integer(GRACE_RANGE, 0) }).graceMs),
    [Symbol.asyncDispose]: () => close(),
  };
}

async function listen(
  { host, port, socket, tls }: CheckedHttpOptions,
  { connections, headMs, requestMs }: HttpLimits,
  handle: RequestListener,
): Promise<Server> {
  const limits = { headersTimeout: headMs, requestTimeout: requestMs, connectionsCheckingInterval: headMs / 2 };
  const server =
    tls === undefined
      ? createServer(limits, handle)
      : createTlsServer(
          {
            ...limits,
            ...{ cert: pem(tls.cert), key: pem(tls.key) },
            ...(tls.clientCa === undefined
              ? {}
              : { ca: pem(tls.clientCa), requestCert: true, rejectUnauthorized: true }),
          },
          handle,
        );
  server.maxConnections = connections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const place = socket ?? `${host}:${port}`;
      reject(new HandrailError('ERR_SYSTEM', `Nothing can listen on ${place} (${error.code})`, { cause: error }));
    });
    // Others could connect between the making of a socket and its mode. A worker thread has no mask of its own.
    const mask = socket === undefined || !isMainThread ? undefined : process.umask(0o177);
    server.listen(socket === undefined ? { host, port } : { path: socket }, resolve);
    if (mask !== undefined) process.umask(mask);
  });
  if (socket !== undefined) chmodSync(socket, 0o600);
  return server;
}

function pem(value: string | Uint8Array): string | Buffer {
  return typeof value === 'string' ? value : Buffer.from(value);
}

function urlOf(server: Server, { host, socket, tls }: CheckedHttpOptions): string {
  const scheme = tls === undefined ? 'http' : 'https';
  if (socket !== undefined) return `${scheme}+unix://${encodeURIComponent(socket)}${ENDPOINT_PATH}`;
  const { port } = server.address() as AddressInfo;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}${ENDPOINT_PATH}`;
}

async function shutDown(
  server: Server | undefined,
  front: HttpFront,
  endpoint: McpEndpoint,
  graceMs: number,
): Promise<void> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), graceMs);
  await front.drain(over.signal);
  clearTimeout(timer);
  await endpoint.close();
  if (server === undefined) return;
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await ended;
}
