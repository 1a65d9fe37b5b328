/**
 * The chain over the lines of an audit file. A line names a part of the file before it (`prevBytes`, from a byte to before
 * another) with its SHA-256 (`prevHash`), and ends with the SHA-256 of its own text up to there (`hash`).
 *
 * A writer names all that it has not named before, as the file was when it looked: its own last line, and what others have
 * added since. With one writer that is the line before. Two that look at one moment name the same, and whoever writes next
 * names the lines of both, so nobody has to wait for a lock, and every line but the last ones is named by a later one.
 */
import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import type { AuditRecord } from './record.js';

/**
 * Most bytes that one line names, which is more than a line has. It also bounds what a writer reads that has just opened the
 * file, or has not written for long: what lies before was named by others.
 */
export const MAX_LINK_BYTES = 2_097_152;

/** The fields that a line of a file has beside those of its record. */
const CHAIN_FIELDS: readonly string[] = ['prevBytes', 'prevHash', 'hash'];

/** A part of an audit file, which a line names. */
export interface Link {
  /** Where it begins, in bytes from the beginning of the file. */
  readonly from: number;
  /** Where it ends. The first line of a file names nothing: both are 0, and the hash is that of no bytes. */
  readonly to: number;
  /** The SHA-256 of it, in hexadecimal digits. */
  readonly prevHash: string;
}

/** The SHA-256 of a text or of bytes, in hexadecimal digits. */
export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The bytes of a file from one on: as many as were asked for, or to its end. */
export function readBytes(descriptor: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(descriptor, bytes, filled, length - filled, from + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** A record as a line, without its line feed. */
export function linkedLine(record: AuditRecord, { from, to, prevHash }: Link): string {
  const text = JSON.stringify({ ...record, prevBytes: [from, to], prevHash });
  const start = text.slice(0, -1);
  return `${start}${endOf(start)}`;
}

/** How a line ends that begins so. */
function endOf(start: string | Buffer): string {
  return `,"hash":"${sha256(start)}"}`;
}

/** The bytes of the end of a line: its length is always the same. */
const END_BYTES = endOf('').length;

/** What a line without its line feed names. Undefined: it is of no chain, or damaged. */
export function linkOf(line: Buffer): (Link & { readonly isWhole: boolean }) | undefined {
  const fields = fieldsOf(line.toString('utf8'));
  if (fields === undefined || !CHAIN_FIELDS.every((name) => Object.hasOwn(fields, name))) return undefined;
  const { prevBytes, prevHash } = fields;
  const [from, to]: readonly unknown[] = Array.isArray(prevBytes) ? prevBytes : [];
  if (!isOffset(from) || !isOffset(to) || from > to || typeof prevHash !== 'string') return undefined;
  const start = line.subarray(0, Math.max(0, line.length - END_BYTES));
  return { from, to, prevHash, isWhole: line.subarray(start.length).equals(Buffer.from(endOf(start))) };
}

/** The fields of a line that are of its record. */
export function withoutLink(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !CHAIN_FIELDS.includes(name)));
}

function isOffset(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    // It is no JSON, and therefore of no chain.
    return undefined;
  }
}
