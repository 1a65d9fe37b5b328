import type { Toolkit } from '../tools/toolkit.js';
import type { ServeMcpOptions } from './serve-options.js';

/**
 * Offers the tools of a toolkit to one client of the Model Context Protocol, over two streams: `handrail mcp` as a function.
 *
 * Revisions 2025-11-25, 2025-06-18 and 2024-11-05. A call's answer is one text; what is wrong with its arguments is said in
 * it, with `isError`. A tool or a method that is not there is an error of JSON-RPC, as is a line that is no message: none of
 * them ends the serving. `notifications/cancelled` ends a call and what it started. A call that the policy leaves open asks
 * the toolkit's `approve`.
 *
 * @param toolkit Stays yours: close it when the client has gone.
 * @param options See `ServeMcpOptions`.
 * @returns When the client has gone: `input` has ended or failed, `output` failed, or `signal` has fired. Calls that were
 * open are cancelled then.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for an option that is none; `ERR_BUSY` when 64 MiB of messages wait for a
 * client that does not read its answers.
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
