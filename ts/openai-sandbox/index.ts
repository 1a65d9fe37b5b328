/**
 * Handrail as the sandbox of `SandboxAgent` of the OpenAI Agents SDK, which is an optional peer dependency: import this
 * entry only where `@openai/agents` is installed.
 *
 * @module handrail/openai-sandbox
 */
import { HandrailSandboxClient } from './client.js';
import { checkSandboxOptions, type HandrailSandboxOptions } from './options.js';

export { HandrailSandboxClient } from './client.js';
export type { HandrailSandboxOptions } from './options.js';
export { HandrailSandboxSession } from './session.js';
export type { HandrailSandboxState } from './state.js';

/**
 * A `SandboxClient` for `SandboxAgent`: each session is a workspace with a toolkit of Handrail on it.
 *
 * @param options See `HandrailSandboxOptions`.
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for an unknown or wrong option.
 * @example
 * ```ts
 * import { Runner } from '@openai/agents';
 * import { SandboxAgent } from '@openai/agents/sandbox';
 * import { handrailSandbox } from 'handrail/openai-sandbox';
 *
 * const client = handrailSandbox({ terminal: { allow: ['git', 'ls', 'cat'] } });
 * const agent = new SandboxAgent({ name: 'Developer', capabilities: client.capabilities() });
 * const result = await new Runner({ sandbox: { client } }).run(agent, 'What is in the workspace?');
 * console.log(result.finalOutput);
 * ```
 */
export function handrailSandbox(options: HandrailSandboxOptions = {}): HandrailSandboxClient {
  return new HandrailSandboxClient(checkSandboxOptions(options));
}
