/**
 * Longest piece of a string that is given to the native part at once, in UTF-16 units. A converted piece fits into the
 * processor's cache, and the memory for it is used again.
 */
export const PIECE_UNITS = 65_536;

/** The first `end` units of a text in pieces. No piece ends between the two halves of a character. */
export function* piecesOf(text: string, end: number): Generator<string> {
  for (let start = 0; start < end; ) {
    const longest = Math.min(start + PIECE_UNITS, end);
    const cut = longest < end && isHighSurrogate(text, longest - 1) ? longest - 1 : longest;
    yield text.slice(start, cut);
    start = cut;
  }
}

/** Whether the unit at `index`, if there is one, is the first half of a character. */
export function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}
