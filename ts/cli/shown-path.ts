/** Longest name in a message, in UTF-16 units. */
const MAX_NAME_CHARS = 200;

/**
 * The name of a file for a message, without characters that could disturb a terminal.
 *
 * @param mask Masks secrets: a secret may have been given in place of a file.
 */
export function shownPath(file: string, mask: (text: string) => string): string {
  const visible = mask(file).replace(/\p{C}/gu, '?');
  return visible.length > MAX_NAME_CHARS ? `${visible.slice(0, MAX_NAME_CHARS)}...` : visible;
}

/** A harmless part of a name between dots and dashes: letters, a number, or a short word with a number. A key is none. */
const HARMLESS_PART = /^(?:[A-Za-z]{0,20}|\d{0,8}|[A-Za-z]{1,12}\d{1,4})$/;

/**
 * A path for a message. Parts that do not read like the name of a file or folder are left out: they may be a secret
 * that no rule recognises.
 */
export function readablePath(file: string): string {
  const parts = file
    .split('/')
    .map((part) => (part.split(/[-_.]/).every((word) => HARMLESS_PART.test(word)) ? part : '[...]'));
  return shownPath(parts.join('/'), (text) => text);
}
