import { CHAT_NAME_RULE, isChatName } from '../config/chat-names.js';
import { HandrailError } from '../errors.js';

/** The address of a message. */
export interface Address {
  /** The recipient as it was given, without spaces around it. */
  readonly recipient: string;
  readonly conversationId: string;
  /** The name in `agent:{Name}`. Undefined for a conversation. */
  readonly agent: string | undefined;
  /** The topics, each once; that of the conversation comes first. */
  readonly topics: readonly string[];
}

/** Possible ids of the conversation, in addition to the recipient. The first one that is not blank is used. */
export type ConversationSources = readonly unknown[];

const RECIPIENT = /^(chat|agent):(.*)$/s;
const RECIPIENT_RULE = "recipient must be 'chat:{conversation_id}' or 'agent:{Name}'";

/**
 * Reads a recipient.
 *
 * @throws HandrailError `ERR_INVALID_ARGUMENT` for anything else than a name after `chat:` or `agent:`, and when the
 * conversation is not named.
 */
export function addressOf(recipient: unknown, sources: ConversationSources): Address {
  const text = typeof recipient === 'string' ? recipient.trim() : '';
  const [, kind, suffix = ''] = RECIPIENT.exec(text) ?? [];
  const name = suffix.trim();
  if (kind === undefined || name === '') throw invalid('recipient', RECIPIENT_RULE);
  if (name !== suffix || !isChatName(name)) throw invalid('recipient', `${RECIPIENT_RULE}, with ${CHAT_NAME_RULE}`);
  if (kind === 'chat') return { recipient: text, conversationId: name, agent: undefined, topics: [`chat:${name}`] };
  const conversationId = conversationOf(sources);
  const topics = [...new Set([`chat:${conversationId}`, `chat:${name}`])];
  return { recipient: text, conversationId, agent: name, topics };
}

function conversationOf(sources: ConversationSources): string {
  for (const source of sources) {
    if (source === undefined || source === null) continue;
    if (typeof source !== 'string') throw invalid('conversation_id', 'conversation_id must be a string');
    const name = source.trim();
    if (name === '') continue;
    if (isChatName(name)) return name;
    throw invalid('conversation_id', `conversation_id must be ${CHAT_NAME_RULE}`);
  }
  throw invalid('conversation_id', 'conversation_id not available for agent recipient');
}

function invalid(name: string, message: string): HandrailError {
  return new HandrailError('ERR_INVALID_ARGUMENT', message, { data: { name } });
}
