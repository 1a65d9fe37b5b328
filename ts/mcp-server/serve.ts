import type { Toolkit } from '../tools/toolkit.js';
import type { ServeMcpOptions } from './serve-options.js';

/**
 * Offers the tools of a toolkit to one client of the Model Context Protocol, over two streams: `handrail mcp` as a
 * function.
 *
 * Supports the revisions 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26 and 2024-11-05. The answer to a call is one text,
 * with the same in `structuredContent`. Wrong arguments are reported in it, with `isError`. An unknown tool or method, and a
 * line that is no message, are errors of JSON-RPC; none of them ends the serving. `notifications/cancelled` ends a call and
 * everything that it started. For a call that the policy leaves open, the toolkit's `approve` is asked; where there is none, a
 * person at the client, where the client can ask one.
 *
 * @param toolkit The toolkit. You close it when the client has gone.
 * @param options See `ServeMcpOptions`.
 * @returns Settles when the client has gone: `input` has ended or failed, `output` has failed, or `signal` has fired.
 * Open calls are cancelled then.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for a wrong option; `ERR_BUSY` when 64 MiB of messages wait because the
 * client does not read its answers.
 * @example
 * ```ts
 * import { PassThrough } from 'node:stream';
 * import { createToolkit, serveMcp } from 'handrail';
 *
 * await using toolkit = await createToolkit({ workspace: '.', terminal: { allow: ['git'] }, tools: ['terminal_run'] });
 * const [input, output] = [new PassThrough(), new PassThrough()];
 * const served = serveMcp(toolkit, { input, output });
 * input.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
 * await served;
 * console.log(JSON.parse(String(output.read())).result.tools[0].name); // terminal_run
 * ```
 */
export async function serveMcp(toolkit: Toolkit, options: ServeMcpOptions = {}): Promise<void> {
  const { serve } = await import('./streams.js');
  await serve(toolkit, options);
}
