import * as z from 'zod/mini';
import { messageFacts } from '../audit/record.js';
import { type Address, addressOf } from '../bus/address.js';
import { checkContent, sendEnvelope } from '../bus/send.js';
import { HandrailError, isHandrailError } from '../errors.js';
import { CHAT_TOOL } from './chat-options.js';
import type { MessageData, UnsentMessageData } from './definition.js';
import type { ChatHost } from './host.js';
import { MAX_NAMED_AGENTS } from './limits.js';
import { catalogueTool } from './tool-spec.js';

type RefusalCode = UnsentMessageData['refusal']['code'];

/** Reasons of an `ERR_BUS` that a model can do something about. */
const REPORTED_BUS_REASONS: readonly unknown[] = [
  'unavailable',
  'unknown',
  'refused',
  'rate_limited',
  'too_many_hops',
] satisfies readonly RefusalCode[];

/** The tool `chat_send`: a message to a conversation or to another agent. */
export const chatSend = catalogueTool({
  name: CHAT_TOOL,
  annotations: {
    title: 'Send a message',
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  schema: () =>
    z.strictObject({
      recipient: z.string().check(z.describe("'chat:{conversation_id}' or 'agent:{Name}'.")),
      content: z.string().check(z.describe('The text. It is sent as it is, with secrets masked.')),
      conversation_id: z.optional(
        z.string().check(z.describe('Conversation of a message to an agent. Default: the current one.')),
      ),
    }),
  describe: ({ chat }) =>
    `Send a message to a conversation or to another agent.${chat?.agents === undefined ? '' : ` ${listAgents(chat.agents)}`}`,
  async run({ recipient, content, conversation_id: conversationId }, _call, { chat, redactor }): Promise<MessageData> {
    if (chat === undefined) throw new HandrailError('ERR_INTERNAL', 'chat_send was published without a bus');
    const address = addressOf(recipient, [conversationId, chat.conversationId]);
    const checkedContent = checkContent(content, redactor);
    const refusal = refusalOf(address, chat);
    if (refusal !== undefined) return { kind: 'message', ok: false, refusal };
    try {
      return { kind: 'message', ...(await sendEnvelope(chat, address, checkedContent)) };
    } catch (error) {
      return { kind: 'message', ok: false, refusal: busRefusal(error) };
    }
  },
  isError: ({ ok }) => !ok,
  render: (data) =>
    data.ok ? JSON.stringify({ ...data, kind: undefined }) : `not sent: ${data.refusal.message} (${data.refusal.code})`,
  facts: (data, { recipient }, { redactor }) => messageFacts(redactor, recipient, data),
});

function refusalOf({ agent, conversationId }: Address, { agents }: ChatHost): UnsentMessageData['refusal'] | undefined {
  if (agents === undefined) return undefined;
  if (agent !== undefined && !agents.includes(agent)) {
    return { code: 'unknown_agent', message: `there is no agent of this name. ${listAgents(agents)}` };
  }
  // Conversations and agents share the names of topics: such a conversation would be that agent's inbox.
  if (!agents.includes(conversationId)) return undefined;
  const message = `${conversationId} is the name of an agent, not of a conversation; its recipient is agent:${conversationId}`;
  return { code: 'reserved_name', message };
}

function busRefusal(error: unknown): UnsentMessageData['refusal'] {
  const { reason, retryAfterMs } = (isHandrailError(error) ? error.data : undefined) ?? {};
  if (!REPORTED_BUS_REASONS.includes(reason)) throw error;
  const refusal = { code: reason as RefusalCode, message: (error as Error).message };
  return typeof retryAfterMs === 'number' ? { ...refusal, retryAfterMs } : refusal;
}

function listAgents(agents: readonly string[]): string {
  if (agents.length === 0) return 'There are no other agents.';
  const hiddenCount = agents.length - MAX_NAMED_AGENTS;
  const agentNames = agents.slice(0, MAX_NAMED_AGENTS).join(', ');
  return `Known agents: ${hiddenCount > 0 ? `${agentNames} and ${hiddenCount} more` : agentNames}.`;
}
