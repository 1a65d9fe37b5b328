import type { AuditRecord } from '../audit/record.js';
import { type CommandLine, lastValue, listEntries } from './arguments.js';
import { UsageError } from './usage-error.js';

const DECISIONS: readonly string[] = ['allow', 'ask', 'deny'];

/** A time ago, such as `90m`. */
const AGO = /^(\d{1,6})(m|h|d)$/;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A day, such as `2026-11-25`, which begins when it begins here. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a record is one that the command line asks for. */
export type AuditFilter = (record: AuditRecord) => boolean;

/**
 * The filter of a command line. A record has to pass all that were given.
 *
 * @param now The present, in milliseconds since 1970.
 * @throws UsageError for a decision or a time that there is not.
 */
export function auditFilter(line: CommandLine, now = Date.now()): AuditFilter {
  const tools = listEntries(line, 'tool');
  const decisions = listEntries(line, 'decision');
  if (!decisions.every((decision) => DECISIONS.includes(decision))) {
    throw new UsageError(`--decision takes ${DECISIONS.join(', ')}`);
  }
  const session = lastValue(line, 'session');
  const since = timeOf(line, 'since', now);
  const until = timeOf(line, 'until', now);
  return ({ tool, decision, startedAt, detail }) => {
    const at = Date.parse(startedAt);
    return (
      (tools.length === 0 || tools.includes(tool)) &&
      (decisions.length === 0 || decisions.includes(decision)) &&
      (session === undefined || (detail.kind === 'session' && detail.session === session)) &&
      (since === undefined || at >= since) &&
      (until === undefined || at < until)
    );
  };
}

/** A point in time: a day or a time in ISO 8601, `today`, `yesterday`, or a time ago. */
function timeOf(line: CommandLine, name: 'since' | 'until', now: number): number | undefined {
  const text = lastValue(line, name);
  if (text === undefined) return undefined;
  const midnight = new Date(now);
  midnight.setHours(0, 0, 0, 0);
  if (text === 'yesterday') midnight.setDate(midnight.getDate() - 1);
  if (text === 'today' || text === 'yesterday') return midnight.getTime();
  const [, count, unit] = AGO.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return now - Number(count) * (UNIT_MS[unit] ?? 0);
  const time = /^\d{4}-/.test(text) ? Date.parse(DAY.test(text) ? `${text}T00:00` : text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new UsageError(`--${name} takes a time such as 2026-11-25, 2026-11-25T14:00, yesterday, today or 2h`);
}
