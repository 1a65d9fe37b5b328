// What a tool found, held against the truth.

/** Of a secret that counts as found, fewer bytes than this are shown. */
export const SHOWN_BYTES = 4;

/** Sorts spans and unites those that overlap. @param {[number, number][]} spans */
export function united(spans) {
  const result = [];
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

/** Index of the first span that ends after `place`. */
function firstAfter(spans, place) {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle][1] <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Bytes of `[start, end)` that no span covers. */
function shown(spans, [start, end]) {
  let bytes = end - start;
  for (let index = firstAfter(spans, start); index < spans.length && spans[index][0] < end; index += 1) {
    bytes -= Math.min(end, spans[index][1]) - Math.max(start, spans[index][0]);
  }
  return bytes;
}

/**
 * @param {[number, number][]} spans united
 * @param {import('./generator/scribe.mjs').Truth} truth
 */
export function isFound(spans, { ranges }) {
  return ranges.reduce((sum, range) => sum + shown(spans, range), 0) < SHOWN_BYTES;
}

/**
 * @param {[number, number][]} spans
 * @param {import('./generator/scribe.mjs').Truth[]} truths
 * @returns {{recall: number, missed: import('./generator/scribe.mjs').Truth[]}}
 */
export function recallOf(spans, truths) {
  if (truths.length === 0) throw new Error('no truths');
  const all = united(spans);
  const missed = truths.filter((truth) => !isFound(all, truth));
  return { recall: 1 - missed.length / truths.length, missed };
}

/** Recall by a property of the truths, e.g. their context. */
export function recallBy(property, truths, missed) {
  const of = (list, value) => list.filter((truth) => truth[property] === value).length;
  const values = [...new Set(truths.map((truth) => truth[property]))].sort();
  return Object.fromEntries(values.map((value) => [value, 1 - of(missed, value) / of(truths, value)]));
}

/** Fails when a measured run gave something else than it has to. */
export function mustBe(what, expected, found) {
  if (!Object.is(expected, found)) throw new Error(`${what}: expected ${expected}, got ${found}`);
}
