import { CHAT_NAME_RULE, isChatName } from '../config/chat-names.js';
import { type Environment, hostEnvironment } from '../config/host-environment.js';
import { invalidVariable } from '../config/lists.js';
import { environmentArgument } from '../config/validate.js';
import { MAX_TOPIC_MESSAGES } from './limits.js';

/** The values of the environment variables of the chat tool. */
export interface ChatConfig {
  /** `REDIS_URL`: the address of Redis. Undefined: messages stay in this process. */
  readonly redisUrl: string | undefined;
  /** `AGENT_NAME`: the sender. Default: `unknown`. */
  readonly agentName: string;
  /** `CHAT_TOOL_CONVERSATION_ID`: the conversation of messages that name no other. */
  readonly conversationId: string | undefined;
  /** `BUS_STREAM_MAXLEN`: how many messages Redis keeps of each topic. Undefined: all. */
  readonly maxLength: number | undefined;
}

const VARIABLES = ['REDIS_URL', 'AGENT_NAME', 'CHAT_TOOL_CONVERSATION_ID', 'BUS_STREAM_MAXLEN'] as const;

const WHOLE_NUMBER = /^\d{1,10}$/;
const REDIS_PROTOCOL = /^rediss?:\/\/./;

/**
 * Reads the environment variables of the chat tool. Empty variables count as unset.
 *
 * @throws HandrailError `ERR_INVALID_CONFIG` with the name of the variable, never its value; `ERR_INVALID_ARGUMENT`
 * when `given` is no object, or a variable no string.
 */
export function loadChatConfig(environment: Environment = hostEnvironment()): ChatConfig {
  const env: Environment = environmentArgument(environment, VARIABLES);
  return Object.freeze({
    redisUrl: redisUrl(env),
    agentName: nameVariable(env, 'AGENT_NAME') ?? 'unknown',
    conversationId: nameVariable(env, 'CHAT_TOOL_CONVERSATION_ID'),
    maxLength: lengthVariable(env, 'BUS_STREAM_MAXLEN'),
  });
}

function textVariable(env: Environment, variable: string): string | undefined {
  const text = env[variable]?.trim() ?? '';
  return text === '' ? undefined : text;
}

function redisUrl(env: Environment): string | undefined {
  const text = textVariable(env, 'REDIS_URL');
  if (text === undefined || (REDIS_PROTOCOL.test(text) && URL.canParse(text) && new URL(text).hostname !== ''))
    return text;
  throw invalidVariable('REDIS_URL', 'is not an address of the form redis://host:port or rediss://host:port');
}

function nameVariable(env: Environment, variable: string): string | undefined {
  const text = textVariable(env, variable);
  if (text === undefined || isChatName(text)) return text;
  throw invalidVariable(variable, `is not a name of ${CHAT_NAME_RULE}`);
}

function lengthVariable(env: Environment, variable: string): number | undefined {
  const text = textVariable(env, variable);
  if (text === undefined) return undefined;
  const number = WHOLE_NUMBER.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= MAX_TOPIC_MESSAGES) return number;
  throw invalidVariable(variable, `is not a whole number of messages from 1 to ${MAX_TOPIC_MESSAGES}`);
}
