/**
 * Handrail for the OpenAI Agents SDK, which is an optional peer dependency: import this entry only
 * where `@openai/agents` is installed.
 *
 * @module handrail/openai-agents
 */
import { type FunctionTool, type RunContext, tool } from '@openai/agents';
import * as z from 'zod/mini';
import { DEFAULT_MESSAGES_PER_MINUTE, sendMessage } from '../compat/chat.js';
import { terminalRun } from '../compat/terminal-function.js';
import type { Toolkit } from '../toolkit.js';
import { checkArguments, parametersOf } from '../tools/arguments.js';
import type { ToolDefinition } from '../tools/definition.js';
import { AgentApprovals } from './agent-approval.js';
import { type AdapterOptions, chosenTools } from './chosen-tools.js';
import {
  canBeStrict,
  type LooseParameters,
  looseParameters,
  type StrictParameters,
  strictParameters,
} from './strict-parameters.js';
import { toolErrorText } from './tool-error.js';

export { type AgentApplyPatchOptions, agentApplyPatchTool } from './agent-apply-patch.js';
export { type AgentShellOptions, agentShellTool, MAX_SHELL_COMMANDS } from './agent-shell.js';
export type { HostedToolOptions } from './hosted-tool.js';

/**
 * A function tool of the SDK that answers with text. Its schema is strict: every argument is required, and `null`
 * stands for one that is left out. A tool of an MCP server whose schema cannot be strict keeps its schema, with
 * `strict: false`.
 */
export type AgentTool = FunctionTool<unknown, StrictParameters | LooseParameters, string>;

/** The options of `agentTools`: which tools an agent gets, and how calls are approved that the policy leaves open. */
export interface AgentToolsOptions extends AdapterOptions {}

/**
 * A toolkit's tools as function tools for an `Agent`.
 *
 * Denials, timeouts, wrong arguments and failures are texts that the model can act on. Aborting the run ends the
 * command and everything that it started.
 *
 * With `approval: 'interrupt'` a call that the policy leaves open interrupts the run: the result has a
 * `RunToolApprovalItem`. After `result.state.approve(item)`, `run(agent, result.state)` judges the call again and runs
 * it only as it was approved. `alwaysApprove` covers the same command in the same directory, not every call of the
 * tool.
 *
 * @param toolkit The toolkit. You close it when the agent is done.
 * @param options See `AgentToolsOptions`. Default: all of the toolkit's tools.
 * @returns One tool for each current definition, in the order of `toolkit.definitions()`. `toolkit.on('tools', ...)`
 * tells of changes.
 * @throws HandrailError `ERR_UNKNOWN_TOOL` when `options.tools` names a tool that the toolkit does not have,
 * `ERR_INVALID_ARGUMENT` for another `approval` and for a `caller` that is no string.
 * @example
 * ```ts
 * import { Agent, run } from '@openai/agents';
 * import { createToolkit } from 'handrail';
 * import { agentTools } from 'handrail/openai-agents';
 *
 * await using toolkit = await createToolkit({ workspace: '.', terminal: { allow: ['git', 'ls'] } });
 * const agent = new Agent({ name: 'Reader', tools: agentTools(toolkit) });
 * console.log((await run(agent, 'What changed last?')).finalOutput);
 * ```
 */
export function agentTools(toolkit: Toolkit, options: AgentToolsOptions = {}): AgentTool[] {
  const approvals = options.approval === undefined ? undefined : new AgentApprovals(toolkit);
  return chosenTools(toolkit, options).map((definition) => agentTool(toolkit, definition, approvals, options.caller));
}

type CallDetails = Parameters<FunctionTool<unknown>['invoke']>[2];

function agentTool(
  toolkit: Toolkit,
  { name, description, parameters }: ToolDefinition,
  approvals: AgentApprovals | undefined,
  caller: string | undefined,
): AgentTool {
  const common = {
    name,
    description,
    async execute(input: unknown, context?: RunContext<unknown>, details?: CallDetails) {
      const { content } = await toolkit.execute(name, input, {
        ...(caller === undefined ? {} : { caller }),
        ...(details?.signal === undefined ? {} : { signal: details.signal }),
        ...(details?.toolCall === undefined ? {} : { callId: details.toolCall.callId }),
        ...(approvals === undefined ? {} : { approve: approvals.approver(name, context, details?.toolCall?.callId) }),
      });
      return content;
    },
    ...(approvals === undefined
      ? {}
      : {
          needsApproval: async (context: RunContext<unknown>, input: unknown, callId?: string) =>
            approvals.isNeeded(name, context, input, callId),
        }),
    errorFunction: (_context: unknown, error: unknown) => toolErrorText(error),
  };
  return canBeStrict({ ...parameters })
    ? tool({ ...common, parameters: strictParameters(parameters), strict: true })
    : tool({ ...common, parameters: looseParameters(parameters), strict: false });
}

const TERMINAL_RUN_ARGUMENTS = z.strictObject({
  command: z.string().check(z.describe('Full command line (first token must be allowlisted by policy).')),
  cwd: z.optional(z.string().check(z.describe('Optional working directory.'))),
});

/**
 * `terminalRun` as a function tool: it runs a command under the policy of the `TERMINAL_*` variables, which are read on
 * each call. Refusals and failures are texts.
 *
 * @example
 * ```ts
 * import { Agent } from '@openai/agents';
 * import { terminalRunTool } from 'handrail/openai-agents';
 *
 * const agent = new Agent({ name: 'Developer', tools: [terminalRunTool] });
 * console.log(agent.tools.length); // 1
 * ```
 */
export const terminalRunTool: AgentTool = tool({
  name: 'terminal_run',
  description: 'Execute an allowed command non-interactively and return concise output.',
  parameters: strictParameters(parametersOf(TERMINAL_RUN_ARGUMENTS)),
  strict: true,
  async execute(input: unknown, _context, details) {
    const checked = checkArguments(TERMINAL_RUN_ARGUMENTS, input);
    if (!checked.ok) return `invalid arguments: ${checked.problems.join('; ')}`;
    const signal = details?.signal;
    return await terminalRun(checked.value.command, checked.value.cwd, signal === undefined ? {} : { signal });
  },
  errorFunction: (_context, error) => toolErrorText(error),
});

const CHAT_SEND_ARGUMENTS = z.strictObject({
  recipient: z.string().check(z.describe("'chat:{conversation_id}' or 'agent:{Name}'.")),
  content: z.string().check(z.describe('Non-empty message text.')),
  conversation_id: z.optional(z.string().check(z.describe('Conversation of a message to an agent.'))),
});

/**
 * `sendMessage` as a function tool: it sends a message to a conversation or an agent, as `agent:$AGENT_NAME`, over the
 * bus of `getBus()`. Messages without a conversation get the `conversation_id` of the run's context. The answer is
 * JSON, `{ ok, envelope_id, published_to }`; errors are texts. At most 60 messages are sent within a minute.
 *
 * @example
 * ```ts
 * import { Agent } from '@openai/agents';
 * import { chatSendTool } from 'handrail/openai-agents';
 *
 * const agent = new Agent({ name: 'Developer', tools: [chatSendTool] });
 * console.log(agent.tools.map(({ name }) => name)); // [ 'chat_send' ]
 * ```
 */
export const chatSendTool: AgentTool = tool({
  name: 'chat_send',
  description: 'Send a chat message to a conversation or agent via Bus.',
  parameters: strictParameters(parametersOf(CHAT_SEND_ARGUMENTS)),
  strict: true,
  async execute(input: unknown, context) {
    const checked = checkArguments(CHAT_SEND_ARGUMENTS, input);
    if (!checked.ok) return `invalid arguments: ${checked.problems.join('; ')}`;
    const { recipient, content, conversation_id: conversationId } = checked.value;
    const sentMessage = await sendMessage(recipient, content, {
      ...(conversationId === undefined ? {} : { conversationId }),
      ...conversationOfRun(context?.context),
      messagesPerMinute: DEFAULT_MESSAGES_PER_MINUTE,
    });
    return JSON.stringify(sentMessage);
  },
  errorFunction: (_context, error) => toolErrorText(error),
});

/** The conversation in the context that the host gave the run; empty when there is none. */
function conversationOfRun(context: unknown): { readonly context?: { readonly conversation_id: string } } {
  if (typeof context !== 'object' || context === null || !('conversation_id' in context)) return {};
  const { conversation_id } = context;
  return typeof conversation_id === 'string' ? { context: { conversation_id } } : {};
}
