/** What stands before the host in an address: its scheme, which may be missing, then a user with a password. */
const BEFORE_HOST = /^([a-z][a-z0-9+.-]*:\/\/)?(?:[^/?#]*@)?/i;
/** Characters between the addresses of a list. */
const SEPARATORS = /([,|\s]+)/;
/** What follows the path of an address. */
const AFTER_PATH = /[?#].*$/;
/** Names, host names, patterns of them, networks and versions. Not an address with a user. */
const PLAIN_LIST = /^[\w.*,:/+\-[\]|! ]*$/;

/** An address that is whole, or a word: `https://host:80/path`, `host:80`, `direct`. What follows its path is not looked at. */
const WHOLE = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:\[[0-9a-f:.]*\]|[^/?#:@[\]]*)(?::\d+)?(?:[/?#][^@]*)?$/i;

/**
 * The addresses of a list without users, passwords, queries and fragments. Undefined when an address may hold a
 * password all the same, such as one with a slash in it, or
 * with a character that separates addresses.
 */
export function withoutCredentials(addresses: string): string | undefined {
  const parts = addresses.trim().split(SEPARATORS);
  const cleaned = parts.map((part, index) =>
    index % 2 === 1 ? part : part.replace(BEFORE_HOST, '$1').replace(AFTER_PATH, ''),
  );
  // A password may hold a separator: then what is in front of it is no whole address, or what follows has no scheme.
  const isCertain = parts.every((part, index) => {
    if (index % 2 === 1 || WHOLE.test(part)) return true;
    return part.includes('@') && (index === 0 || part.includes('://'));
  });
  if (!isCertain && addresses.includes('@')) return undefined;
  const text = cleaned.join('');
  return text.includes('@') || /\p{Cc}/u.test(text) ? undefined : text;
}

/** The list when no entry of it can hold a password. */
export function plainList(list: string): string | undefined {
  return PLAIN_LIST.test(list) ? list : undefined;
}
