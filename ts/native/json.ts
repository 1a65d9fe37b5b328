import type { Json } from './reports.js';

export type { Json };

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The value as JSON. An unpaired surrogate becomes U+FFFD, as in every other text that crosses: `JSON.stringify` would write an
 * escape that strict parsers refuse.
 */
export function jsonOf<Value extends object>(value: Value): Json<Value> {
  const wellFormed = (_key: string, part: unknown) =>
    typeof part === 'string' ? decoder.decode(encoder.encode(part)) : part;
  return JSON.stringify(value, wellFormed);
}

/** Parses a report. */
export function read<Report>(report: Json<Report>): Report {
  return JSON.parse(report) as Report;
}
