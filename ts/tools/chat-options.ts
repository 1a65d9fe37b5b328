import type { Bus } from '../bus/bus.js';
import { loadChatConfig } from '../bus/chat-config.js';
import { processBus } from '../bus/process-bus.js';
import { CHAT_NAME_RULE, isChatName } from '../config/chat-names.js';
import { invalidArgument, listOption, optionsObject, textOption, textValue } from '../config/validate.js';
import type { ChatHost } from './host.js';
import { MAX_KNOWN_AGENTS } from './limits.js';

/** The tool that there is only where messages can be sent. */
export const CHAT_TOOL = 'chat_send';

/** Who an agent is to others, and whom it may write to. */
export interface ToolkitChatOptions {
  /** The name that messages are sent under, never the model's choice. Default: `AGENT_NAME`, or else `unknown`. */
  readonly agent?: string | undefined;
  /** The conversation of messages that name none. Default: `CHAT_TOOL_CONVERSATION_ID`. */
  readonly conversationId?: string | undefined;
  /**
   * The agents there are, at most 1,000: another one is refused, and no conversation may have the
   * name of one. Default: anybody may be written to.
   */
  readonly agents?: readonly string[] | undefined;
}

/** What a toolkit sends messages with. Undefined where neither option is given. */
export function chatOptions(bus: unknown, chat: unknown): ChatHost | undefined {
  if (bus === undefined && chat === undefined) return undefined;
  const given = chat === undefined ? {} : optionsObject(chat, 'chat', ['agent', 'conversationId', 'agents']);
  const agent = nameOption(given['agent'], 'chat.agent');
  const conversationId = nameOption(given['conversationId'], 'chat.conversationId');
  const agents = listOption(given['agents'], 'chat.agents', MAX_KNOWN_AGENTS, nameValue);
  const known = busOption(bus);
  const config = loadChatConfig();
  return Object.freeze({
    bus: known ?? processBus(config),
    agent: agent ?? config.agentName,
    conversationId: conversationId ?? config.conversationId,
    agents,
  });
}

function nameOption(value: unknown, name: string): string | undefined {
  const text = textOption(value, name);
  return text === undefined ? undefined : nameValue(text, name);
}

function nameValue(value: unknown, name: string): string {
  const text = textValue(value, name);
  if (isChatName(text)) return text;
  throw invalidArgument(name, `a name of ${CHAT_NAME_RULE}`, value);
}

/** Anything that can publish: it may be of another copy of this package. */
function busOption(value: unknown): Bus | undefined {
  if (value === undefined) return undefined;
  const isBus =
    typeof value === 'object' && value !== null && 'publish' in value && typeof value.publish === 'function';
  if (!isBus) throw invalidArgument('bus', 'a bus', value);
  return value as unknown as Bus;
}
