import type { AuditRecord } from '../audit/record.js';
import { Redactor } from '../redaction/redactor.js';
import { readArguments } from './arguments.js';
import { type AuditFilter, auditFilter } from './audit-filter.js';
import { type AuditStyle, auditLine, dayOf } from './audit-line.js';
import { AUDIT, AUDIT_ACTIONS } from './audit-options.js';
import { auditLines } from './audit-records.js';
import { verify } from './audit-verify.js';
import { EXIT } from './exit-code.js';
import type { Outputs } from './outputs.js';
import { readablePath } from './shown-path.js';
import { styleFor } from './style.js';
import { UsageError } from './usage-error.js';

/** Most numbers of damaged lines that are named; further ones are counted. */
const MAX_NAMED_LINES = 10;

/** What was read of a file. */
interface Tally {
  calls: number;
  denied: number;
  failed: number;
  /** Numbers of the damaged lines. */
  readonly damaged: number[];
}

/** Runs `handrail audit` and returns its exit code. */
export async function audit(args: readonly string[], outputs: Outputs): Promise<number> {
  const line = readArguments(args, AUDIT);
  const [action] = AUDIT_ACTIONS;
  if (line.words[0] === action && line.words.length > 1) return await verify(line, outputs);
  const [file, ...more] = line.words;
  if (file === undefined) throw new UsageError('which file? Name one that `audit` or --audit has written');
  if (more.length > 0) throw new UsageError('audit takes one file');
  const json = line.flags.has('json');
  const redactor = new Redactor();
  const show = json ? jsonLines(redactor) : textLines(styleOfOutput(redactor));
  const { calls, denied, failed, damaged } = await print(file, auditFilter(line), show, outputs);
  if (process.stdout.isTTY === true && !json) {
    await outputs.remark(`${calls} ${calls === 1 ? 'call' : 'calls'}, ${denied} denied, ${failed} failed\n`);
  }
  if (damaged.length > 0) await outputs.remark(`handrail: ${damagedText(damaged)} of ${readablePath(file)}\n`);
  return damaged.length === 0 ? EXIT.ok : EXIT.found;
}

/** Prints the accepted records of a file, as long as somebody reads them. */
async function print(
  file: string,
  accepts: AuditFilter,
  show: (record: AuditRecord) => string,
  outputs: Outputs,
): Promise<Tally> {
  const tally: Tally = { calls: 0, denied: 0, failed: 0, damaged: [] };
  for await (const { number, record } of auditLines(file)) {
    if (outputs.failure !== undefined) break;
    if (record === undefined) tally.damaged.push(number);
    if (record === undefined || !accepts(record)) continue;
    tally.calls += 1;
    tally.denied += record.decision === 'deny' ? 1 : 0;
    tally.failed += record.decision !== 'deny' && record.isError ? 1 : 0;
    await outputs.write('stdout', show(record));
  }
  return tally;
}

/** Shows a record as a line, below its day where that is another than the last. */
function textLines(style: AuditStyle): (record: AuditRecord) => string {
  let day = '';
  return (record) => {
    const head = dayOf(record) === day ? '' : `${style.style.bold(dayOf(record))}\n`;
    day = dayOf(record);
    return `${head}${auditLine(record, style)}\n`;
  };
}

function styleOfOutput(redactor: Redactor): AuditStyle {
  const { isTTY, columns } = process.stdout;
  const width = isTTY === true ? columns || 80 : Number.POSITIVE_INFINITY;
  return { style: styleFor(process.stdout), redactor, width };
}

/** A record as a line of JSON, masked again, in which no character controls a terminal. */
function jsonLines(redactor: Redactor): (record: AuditRecord) => string {
  return (record) => `${redactor.redact(JSON.stringify(record)).replace(/\p{C}/gu, escaped)}\n`;
}

/** The character as escapes of JSON, one for each UTF-16 unit. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

function damagedText(numbers: readonly number[]): string {
  const named = numbers.slice(0, MAX_NAMED_LINES).join(', ');
  const rest = numbers.length > MAX_NAMED_LINES ? ` and ${numbers.length - MAX_NAMED_LINES} more` : '';
  return numbers.length === 1
    ? `1 line is damaged and left out: line ${named}`
    : `${numbers.length} lines are damaged and left out: lines ${named}${rest}`;
}
