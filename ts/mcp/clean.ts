import { firstChars } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import { sanitize } from '../redaction/text.js';
import { MAX_REASON_CHARS } from './limits.js';

/** Controls but tab and line feed, and what is not seen or changes the direction of what is read. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A text of a server as a terminal would show it: what follows looks for secrets where people would. */
export function shownText(text: string): string {
  return sanitize(Buffer.from(text));
}

/** The same without any character that a reader cannot see, for texts that tell a model what to do. */
export function visibleText(text: string): string {
  return shownText(text).replace(UNSEEN, '');
}

/** One short line about a server. */
export function reasonText(redactor: Redactor, text: string, maxChars: number = MAX_REASON_CHARS): string {
  return firstChars(redactor.redact(visibleText(text)), maxChars);
}

/** A value of JSON with every text replaced. Names of fields that would change are left out. */
export function mapTexts(value: unknown, change: (text: string, field: string) => string, field = ''): unknown {
  if (typeof value === 'string') return change(value, field);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, field));
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = Object.entries(value);
  return Object.fromEntries(
    entries.filter(([name]) => visibleText(name) === name).map(([name, item]) => [name, mapTexts(item, change, name)]),
  );
}

/** Whether a value of JSON is nested deeper than `maxDepth`. Goes no deeper itself, and keeps no stack of calls. */
export function isDeeperThan(value: unknown, maxDepth: number): boolean {
  const left: [value: unknown, depth: number][] = [[value, 0]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [item, depth] = next;
    if (typeof item !== 'object' || item === null) continue;
    if (depth === maxDepth) return true;
    for (const below of Object.values(item)) left.push([below, depth + 1]);
  }
  return false;
}

/** Size of a value as JSON, in bytes, however deep it is. */
export function jsonBytes(value: unknown): number {
  const left: unknown[] = [value];
  let bytes = 0;
  while (left.length > 0) {
    const item = left.pop();
    if (typeof item !== 'object' || item === null) {
      bytes += Buffer.byteLength(JSON.stringify(item) ?? '');
      continue;
    }
    const below: unknown[] = Object.values(item);
    // Brackets, and a comma between two.
    bytes += 2 + Math.max(0, below.length - 1);
    if (!Array.isArray(item))
      for (const name of Object.keys(item)) bytes += Buffer.byteLength(JSON.stringify(name)) + 1;
    for (const one of below) left.push(one);
  }
  return bytes;
}
