import type { AuditDetail, AuditRecord } from '../audit/record.js';
import type { Redactor } from '../redaction/redactor.js';
import { formatDuration } from '../report/render.js';
import { renderForApproval } from '../terminal/approval.js';
import type { Style } from './style.js';

/** Columns of the name of a tool; a longer one moves the rest of its line. */
const TOOL_WIDTH = 13;
const DECISION_WIDTH = 5;

/** Fewest columns for what was asked for. */
const MIN_WHAT_WIDTH = 20;

/** How records are shown. */
export interface AuditStyle {
  readonly style: Style;
  /** Masks secrets: the file may be of somebody who masked less. */
  readonly redactor: Redactor;
  /** Columns of a line. */
  readonly width: number;
}

/** The day of a record here, such as `2026-11-25`. */
export function dayOf({ startedAt }: AuditRecord): string {
  const date = new Date(startedAt);
  return [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
}

/** A record in one line: when, the decision, the tool, what was asked for, and how it ended. */
export function auditLine(record: AuditRecord, { style, redactor, width }: AuditStyle): string {
  const shown = (text: string): string => renderForApproval(redactor.redact(text));
  const head = [timeOf(record), record.decision.padEnd(DECISION_WIDTH), shown(record.tool).padEnd(TOOL_WIDTH)];
  const outcome = shown(outcomeOf(record));
  const used = head.join('  ').length + outcome.length + '    → '.length;
  const what = clipped(shown(whatOf(record.detail)), Math.max(MIN_WHAT_WIDTH, width - used));
  const paint = paintFor(record, style);
  const [time = '', decision = '', tool = ''] = head;
  return [style.dim(time), paint(decision), tool, ...(what === '' ? [] : [what]), style.dim(`→ ${outcome}`)].join('  ');
}

function paintFor({ decision, isError }: AuditRecord, style: Style): (text: string) => string {
  if (decision === 'deny') return style.bad;
  return isError || decision === 'ask' ? style.warn : style.good;
}

/** What was asked for. */
function whatOf(detail: AuditDetail): string {
  switch (detail.kind) {
    case 'command':
      return detail.cwd === undefined ? detail.command : `${detail.command} (in ${detail.cwd})`;
    case 'file':
      return detail.path;
    case 'session':
      return [detail.session, detail.input].filter((part) => part !== undefined).join(': ');
    case 'job':
      return [detail.job, detail.input].filter((part) => part !== undefined).join(': ');
    case 'message':
      return `to ${detail.recipient}`;
    case 'mcp':
      return `${detail.tool} of ${detail.server}`;
    default:
      return '';
  }
}

/** How the call ended, in words. */
function outcomeOf({ detail, decision, rules, durationMs, redactions, network = [] }: AuditRecord): string {
  const reason = rules.length === 0 ? '' : `: ${rules.join(', ')}`;
  const end = decision === 'deny' ? `denied${reason}` : endOf(detail);
  const masked = redactions === 0 ? '' : `, ${redactions} masked`;
  const refused = network.flatMap(({ outcome, host, port }) =>
    outcome === 'refused' && host !== undefined ? [`${host}:${port}`] : [],
  );
  const hosts = refused.length === 0 ? '' : `, refused ${refused.join(', ')}`;
  return `${end} in ${formatDuration(durationMs)}${masked}${hosts}`;
}

function endOf(detail: AuditDetail): string {
  if (detail.kind !== 'command') return detail.status.replaceAll('_', ' ');
  if (detail.status === 'exited') return `exit ${detail.exitCode}`;
  return detail.status === 'signaled' ? `killed by ${detail.signal}` : detail.status.replaceAll('_', ' ');
}

function timeOf({ startedAt }: AuditRecord): string {
  const date = new Date(startedAt);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** The beginning of a text, with a mark where something is left out. */
function clipped(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`;
}
