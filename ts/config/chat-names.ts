/** Names of agents and conversations. They are parts of topics. */
const CHAT_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** The rule for names, in words for messages. */
export const CHAT_NAME_RULE = "1 to 64 letters, digits, '_', '.' and '-', the first a letter or digit";

/** Whether an agent or a conversation may have this name. */
export function isChatName(name: string): boolean {
  return CHAT_NAME.test(name);
}
