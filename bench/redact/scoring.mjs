// Scores the findings of a tool against the planted secrets.

/** A secret counts as found when fewer of its bytes than this stay visible. */
export const MIN_VISIBLE_BYTES = 4;

/** Sorts spans and merges those that overlap. @param {[number, number][]} spans */
export function mergedSpans(spans) {
  const result = [];
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

/** Index of the first span that ends after `offset`. */
function indexOfFirstEndingAfter(spans, offset) {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle][1] <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Bytes of `[start, end)` that no span covers. */
function countVisibleBytes(spans, [start, end]) {
  let bytes = end - start;
  for (let index = indexOfFirstEndingAfter(spans, start); index < spans.length && spans[index][0] < end; index += 1) {
    bytes -= Math.min(end, spans[index][1]) - Math.max(start, spans[index][0]);
  }
  return bytes;
}

/**
 * @param {[number, number][]} spans sorted and merged
 * @param {import('./generator/text-writer.mjs').PlantedSecret} plantedSecret
 */
export function isFound(spans, { ranges }) {
  return ranges.reduce((sum, range) => sum + countVisibleBytes(spans, range), 0) < MIN_VISIBLE_BYTES;
}

/**
 * @param {[number, number][]} spans
 * @param {import('./generator/text-writer.mjs').PlantedSecret[]} plantedSecrets
 * @returns {{recall: number, missed: import('./generator/text-writer.mjs').PlantedSecret[]}}
 */
export function recallOf(spans, plantedSecrets) {
  if (plantedSecrets.length === 0) throw new Error('no planted secrets');
  const all = mergedSpans(spans);
  const missed = plantedSecrets.filter((plantedSecret) => !isFound(all, plantedSecret));
  return { recall: 1 - missed.length / plantedSecrets.length, missed };
}

/** Recall for each value of a property of the planted secrets, e.g. for each context. */
export function recallBy(property, plantedSecrets, missed) {
  const count = (secrets, value) => secrets.filter((secret) => secret[property] === value).length;
  const values = [...new Set(plantedSecrets.map((plantedSecret) => plantedSecret[property]))].sort();
  return Object.fromEntries(values.map((value) => [value, 1 - count(missed, value) / count(plantedSecrets, value)]));
}
