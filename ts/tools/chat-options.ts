import type { Bus } from '../bus/bus.js';
import { loadChatConfig } from '../bus/chat-config.js';
import { DEFAULT_MAX_HOPS, DEFAULT_MESSAGES_PER_MINUTE, HOPS_RANGE, MESSAGES_PER_MINUTE_RANGE } from '../bus/limits.js';
import { processBus } from '../bus/process-bus.js';
import { CHAT_NAME_RULE, isChatName } from '../config/chat-names.js';
import { checkedOptions, integer, invalidArgument, list, textValue } from '../config/validate.js';
import type { ChatHost } from './host.js';
import { MAX_KNOWN_AGENTS } from './limits.js';

/** The tool that is published only in a toolkit with a bus. */
export const CHAT_TOOL = 'chat_send';

/** The name of an agent, and the agents that it may write to. */
export interface ToolkitChatOptions {
  /** The sender's name in messages; a model cannot choose it. Default: `AGENT_NAME`, or else `unknown`. */
  readonly agent?: string | undefined;
  /** The conversation of messages that name no other. Default: `CHAT_TOOL_CONVERSATION_ID`. */
  readonly conversationId?: string | undefined;
  /**
   * The agents that exist, at most 1,000. Messages to other agents are refused, and no conversation may have the name
   * of an agent. Default: messages to any agent are sent.
   */
  readonly agents?: readonly string[] | undefined;
  /**
   * How many messages the agent may send within any 60 s, over this bus and from this process, by all toolkits together
   * that send in its name. Beyond it `chat_send` refuses with `rate_limited` and says when there is room again. Default:
   * 60. Range: 1 to 10,000.
   */
  readonly messagesPerMinute?: number | undefined;
  /**
   * How many messages in a row may answer one another. A message that is sent while a handler of `subscribe` runs
   * answers the message of that handler: it has one hop more (`metadata._bus.hops`). Beyond it `chat_send` refuses with
   * `too_many_hops`. Default: 16. Range: 1 to 1,000.
   */
  readonly maxHops?: number | undefined;
}

const CHECKS = {
  agent: nameOption,
  conversationId: nameOption,
  agents: list(MAX_KNOWN_AGENTS, nameValue),
  messagesPerMinute: integer(MESSAGES_PER_MINUTE_RANGE, DEFAULT_MESSAGES_PER_MINUTE),
  maxHops: integer(HOPS_RANGE, DEFAULT_MAX_HOPS),
};

/** The bus and the names for `chat_send`. Undefined where neither option is given. */
export function chatOptions(bus: unknown, chat: unknown): ChatHost | undefined {
  if (bus === undefined && chat === undefined) return undefined;
  const { agent, conversationId, ...bounds } = checkedOptions(chat === undefined ? {} : chat, 'chat', CHECKS);
  const givenBus = busOption(bus);
  const config = loadChatConfig();
  return Object.freeze({
    bus: givenBus ?? processBus(config),
    agent: agent ?? config.agentName,
    conversationId: conversationId ?? config.conversationId,
    ...bounds,
  });
}

function nameOption(value: unknown, name: string): string | undefined {
  return value === undefined ? undefined : nameValue(value, name);
}

function nameValue(value: unknown, name: string): string {
  const text = textValue(value, name);
  if (isChatName(text)) return text;
  throw invalidArgument(name, `a name of ${CHAT_NAME_RULE}`, value);
}

/** Checks a bus. Anything that can publish is one: it may come from another copy of this package. */
function busOption(value: unknown): Bus | undefined {
  if (value === undefined) return undefined;
  const isBus =
    typeof value === 'object' && value !== null && 'publish' in value && typeof value.publish === 'function';
  if (!isBus) throw invalidArgument('bus', 'a bus', value);
  return value as unknown as Bus;
}
