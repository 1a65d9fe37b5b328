/** Reads audit files: a record of a call on each line. */
import { createReadStream } from 'node:fs';
import { withoutLink } from '../audit/chain.js';
import type { AuditRecord } from '../audit/record.js';
import { readablePath } from './shown-path.js';
import { UsageError } from './usage-error.js';

/** A longer line is no record: texts in records are clipped. Also bounds how much of a file without lines is held. */
const MAX_LINE_BYTES = 1_048_576;

const LINE_FEED = 0x0a;

/** A line of an audit file: its number, from 1, and its record. Undefined: the line is damaged. */
export interface AuditLine {
  readonly number: number;
  readonly record: AuditRecord | undefined;
}

/**
 * Reads the lines of an audit file one by one. Empty lines are passed over.
 *
 * @throws UsageError when the file cannot be read.
 */
export async function* auditLines(file: string): AsyncGenerator<AuditLine> {
  let number = 0;
  for await (const line of lines(file)) {
    number += 1;
    if (line === undefined || line.trim() !== '') yield { number, record: recordOf(line) };
  }
}

/** The lines of a file. Undefined stands for one that is too long. */
async function* lines(file: string): AsyncGenerator<string | undefined> {
  let pieces: Buffer[] = [];
  let length = 0;
  const add = (piece: Buffer): void => {
    length += piece.length;
    if (length <= MAX_LINE_BYTES) pieces.push(piece);
    else pieces = [];
  };
  const take = (): string | undefined => {
    const line = length > MAX_LINE_BYTES ? undefined : Buffer.concat(pieces).toString('utf8');
    pieces = [];
    length = 0;
    return line;
  };
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        add(chunk.subarray(start, end));
        yield take();
        start = end + 1;
      }
      add(chunk.subarray(start));
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new UsageError(`${readablePath(file)} cannot be read (${String(error.code)})`);
  }
  // The end of a file that a crash cut short.
  if (length > 0) yield take();
}

function recordOf(line: string | undefined): AuditRecord | undefined {
  if (line === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value)) return undefined;
    const record: unknown = withoutLink(value);
    return isRecord(record) ? record : undefined;
  } catch {
    // It is no JSON: the caller counts it among the damaged lines.
    return undefined;
  }
}

/** Whether a value has the fields of a record that are shown. Records of later releases may have more. */
function isRecord(value: unknown): value is AuditRecord {
  if (!isObject(value)) return false;
  const { tool, startedAt, durationMs, decision, isError, redactions, rules, detail } = value;
  return (
    typeof tool === 'string' &&
    typeof startedAt === 'string' &&
    !Number.isNaN(Date.parse(startedAt)) &&
    typeof durationMs === 'number' &&
    (decision === 'allow' || decision === 'ask' || decision === 'deny') &&
    typeof isError === 'boolean' &&
    typeof redactions === 'number' &&
    Array.isArray(rules) &&
    rules.every((rule) => typeof rule === 'string') &&
    isObject(detail) &&
    typeof detail['kind'] === 'string' &&
    typeof detail['status'] === 'string' &&
    isShowable(detail)
  );
}

/** Fields of a detail that are shown, with the types that they have where they are there. */
const SHOWN_TEXTS = ['command', 'path', 'recipient', 'server', 'tool', 'cwd', 'session', 'input', 'signal'];

/** Fields that are there in each detail of a kind. */
const NEEDED_TEXTS: Readonly<Record<string, readonly string[]>> = {
  command: ['command'],
  file: ['path'],
  message: ['recipient'],
  mcp: ['server', 'tool'],
};

function isShowable(detail: Readonly<Record<string, unknown>>): boolean {
  const needed = Object.hasOwn(NEEDED_TEXTS, String(detail['kind'])) ? NEEDED_TEXTS[String(detail['kind'])] : undefined;
  const isAbsent = (value: unknown): boolean => value === undefined || value === null;
  return (
    SHOWN_TEXTS.every((name) => isAbsent(detail[name]) || typeof detail[name] === 'string') &&
    (isAbsent(detail['exitCode']) || typeof detail['exitCode'] === 'number') &&
    (needed ?? []).every((name) => typeof detail[name] === 'string')
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
