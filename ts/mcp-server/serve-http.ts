import type { Toolkit } from '../tools/toolkit.js';
import type { ServedMcpHttp, ServeMcpHttpOptions } from './http-options.js';

/**
 * Offers the tools of a toolkit to clients of the Model Context Protocol over Streamable HTTP: `handrail serve` as a function.
 * Needs the package `@modelcontextprotocol/server`.
 *
 * Revision 2026-07-28 is served without any state, 2025-11-25 and earlier ones with sessions. A request is answered where its
 * `Host` is a name of this server, its `Origin`, if it has one, is allowed, and its token is that of a caller; a caller reaches
 * its own sessions, jobs and spilled outputs alone. A client that goes away has cancelled its call.
 *
 * @param toolkit The toolkit. You close it after the server.
 * @param options See `ServeMcpHttpOptions`.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for options that are wrong or do not go together, `ERR_PEER_MISSING` without the
 * package, `ERR_SYSTEM` where nothing can listen there.
 * @example
 * ```ts
 * import { createToolkit, serveMcpHttp } from 'handrail';
 *
 * await using toolkit = await createToolkit({ workspace: '.', terminal: { allow: ['git'] } });
 * await using server = await serveMcpHttp(toolkit, { port: 0 });
 * const answer = await fetch(server.url ?? '', { method: 'POST' });
 * console.log(answer.status); // 401
 * ```
 */
export async function serveMcpHttp(toolkit: Toolkit, options: ServeMcpHttpOptions = {}): Promise<ServedMcpHttp> {
  const { serveHttp } = await import('./http-serve.js');
  return await serveHttp(toolkit, options);
}
