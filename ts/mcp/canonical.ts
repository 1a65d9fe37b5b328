import { createHash } from 'node:crypto';

/** A part of the canonical text that stands as it is, among values that are still to be written. */
class Written {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * SHA-256 of a JSON value in hexadecimal. Keys are sorted first, so that their order makes no difference. It does not
 * recurse, so the value may be nested to any depth.
 */
export function canonicalDigest(value: unknown): string {
  const hash = createHash('sha256');
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (next instanceof Written) hash.update(next.text);
    else if (typeof next !== 'object' || next === null) hash.update(JSON.stringify(next) ?? 'null');
    else for (const part of partsOf(next).reverse()) pending.push(part);
  }
  return hash.digest('hex');
}

/** The brackets, names and values of an object or an array, in their canonical order. */
function partsOf(value: object): unknown[] {
  if (Array.isArray(value)) {
    return [new Written('['), ...value.flatMap((item: unknown) => [item, new Written(',')]), new Written(']')];
  }
  const entries: [string, unknown][] = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([left], [right]) => (left < right ? -1 : 1));
  return [
    new Written('{'),
    ...entries.flatMap(([name, item]) => [new Written(`${JSON.stringify(name)}:`), item, new Written(',')]),
    new Written('}'),
  ];
}

/** The value with sorted keys. For values whose depth is bounded. */
export function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = Object.entries(value);
  entries.sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, sortedKeys(item)]));
}
