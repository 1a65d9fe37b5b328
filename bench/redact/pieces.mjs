// Texts as callers have them: in pieces of whole lines.
const NEWLINE = '\n'.charCodeAt(0);

/** Pieces of about `bytes`, each up to the end of a line. A longer line is a piece of its own. */
export function linePieces(text, bytes) {
  const pieces = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + bytes, text.length);
    if (end < text.length) {
      const last = text.lastIndexOf(NEWLINE, end - 1);
      const next = last < start ? text.indexOf(NEWLINE, end) : last;
      end = next === -1 ? text.length : next + 1;
    }
    pieces.push(text.subarray(start, end));
    start = end;
  }
  return pieces;
}

/** Pieces of exactly `bytes`, as a pipe gives them. */
export function cutPieces(text, bytes) {
  return Array.from({ length: Math.ceil(text.length / bytes) }, (_, index) =>
    text.subarray(index * bytes, (index + 1) * bytes),
  );
}
