import { firstChars } from '../redaction/fit.js';
import type { Redactor } from '../redaction/redactor.js';
import { sanitize } from '../redaction/text.js';
import { MAX_REASON_CHARS } from './limits.js';

/** Control characters except tab and line feed, invisible characters, and characters that change the direction of text. */
const INVISIBLE_CHARACTERS = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A text of a server as a terminal would show it, so that secrets are found as a reader sees them. */
export function shownText(text: string): string {
  return sanitize(Buffer.from(text));
}

/** The text without characters that a reader cannot see, for texts that tell a model what to do. */
export function visibleText(text: string): string {
  return shownText(text).replace(INVISIBLE_CHARACTERS, '');
}

/** The characters of a text that a reader cannot see. */
export function hiddenCharacters(text: string): readonly string[] {
  return text.match(INVISIBLE_CHARACTERS) ?? [];
}

/** A text of a server for a message: visible, masked and shortened. */
export function reasonText(redactor: Redactor, text: string, maxChars: number = MAX_REASON_CHARS): string {
  return firstChars(redactor.redact(visibleText(text)), maxChars);
}

/** A JSON value with every text replaced. Fields whose names have invisible characters are left out. */
export function mapTexts(value: unknown, change: (text: string, field: string) => string, field = ''): unknown {
  if (typeof value === 'string') return change(value, field);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, field));
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = Object.entries(value);
  return Object.fromEntries(
    entries.filter(([name]) => visibleText(name) === name).map(([name, item]) => [name, mapTexts(item, change, name)]),
  );
}

/** Whether a JSON value is nested deeper than `maxDepth`. It stops there, and does not recurse. */
export function isDeeperThan(value: unknown, maxDepth: number): boolean {
  const pending: [value: unknown, depth: number][] = [[value, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [item, depth] = next;
    if (typeof item !== 'object' || item === null) continue;
    if (depth === maxDepth) return true;
    for (const child of Object.values(item)) pending.push([child, depth + 1]);
  }
  return false;
}

/** The size of a value as JSON, in bytes. It does not recurse, so the value may be nested to any depth. */
export function jsonBytes(value: unknown): number {
  const pending: unknown[] = [value];
  let bytes = 0;
  while (pending.length > 0) {
    const item = pending.pop();
    if (typeof item !== 'object' || item === null) {
      bytes += Buffer.byteLength(JSON.stringify(item) ?? '');
      continue;
    }
    const children: unknown[] = Object.values(item);
    // The brackets, and a comma between two entries.
    bytes += 2 + Math.max(0, children.length - 1);
    if (!Array.isArray(item))
      for (const name of Object.keys(item)) bytes += Buffer.byteLength(JSON.stringify(name)) + 1;
    for (const child of children) pending.push(child);
  }
  return bytes;
}
