/** Longest name in a message, in UTF-16 units. */
const NAME_CHARS = 200;

/**
 * The name of a file as it stands in a message. Names come from anywhere: nothing in one may disturb a terminal.
 *
 * @param mask Masks secrets: one may stand where a file was meant.
 */
export function shownPath(file: string, mask: (text: string) => string): string {
  const visible = mask(file).replace(/\p{C}/gu, '?');
  return visible.length > NAME_CHARS ? `${visible.slice(0, NAME_CHARS)}...` : visible;
}

/** A part of a name, between dots and dashes: letters, a number, or a short word with a number. Keys are neither. */
const WORD = /^(?:[A-Za-z]{0,20}|\d{0,8}|[A-Za-z]{1,12}\d{1,4})$/;

/**
 * A path that was the value of an option, as it stands in a message: what does not read like the name of a file or folder
 * is left out, for it may be a secret that no rule knows.
 */
export function readablePath(file: string): string {
  const parts = file.split('/').map((part) => (part.split(/[-_.]/).every((word) => WORD.test(word)) ? part : '[...]'));
  return shownPath(parts.join('/'), (text) => text);
}
