// Divides texts into chunks, as callers of the redactor pass them.
const NEWLINE = '\n'.charCodeAt(0);

/** Chunks of at most `bytes` that end with a line. A longer line is a chunk of its own. */
export function lineChunks(text, bytes) {
  const chunks = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + bytes, text.length);
    if (end < text.length) {
      const last = text.lastIndexOf(NEWLINE, end - 1);
      const next = last < start ? text.indexOf(NEWLINE, end) : last;
      end = next === -1 ? text.length : next + 1;
    }
    chunks.push(text.subarray(start, end));
    start = end;
  }
  return chunks;
}

/** Chunks of exactly `bytes`, as a pipe gives them, and a shorter last one. */
export function fixedSizeChunks(text, bytes) {
  return Array.from({ length: Math.ceil(text.length / bytes) }, (_, index) =>
    text.subarray(index * bytes, (index + 1) * bytes),
  );
}
