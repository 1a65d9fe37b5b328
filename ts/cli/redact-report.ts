import { styleFor } from './style.js';

/** The report of `handrail redact --json`. */
export interface RedactReport {
  /** How many secrets were masked. */
  readonly findings: number;
  /** How many secrets each rule found, by its id. */
  readonly rules: Readonly<Record<string, number>>;
  readonly bytes: { readonly read: number; readonly written: number };
  /** Entries of rule files that have no effect here. */
  readonly notes: readonly string[];
  /** The signal that ended the work before the end of the input. Null when none did. */
  readonly endedBy: NodeJS.Signals | null;
}

const LABEL = 'handrail:';

/**
 * The report for a person: the number of secrets, and the number by rule, the largest first.
 *
 * @param isCheck Whether secrets were only found, and not masked.
 */
export function reportText({ findings, rules, endedBy }: RedactReport, isCheck: boolean): string {
  const style = styleFor(process.stderr);
  const until = endedBy === null ? '' : ` until ${endedBy}`;
  if (findings === 0) return `${style.dim(LABEL)} ${style.good(`no secrets found${until}`)}\n`;
  const rows = Object.entries(rules).sort(([, one], [, other]) => other - one);
  const width = Math.max(...rows.map(([, count]) => String(count).length));
  const lines = rows.map(([rule, count]) => `${' '.repeat(LABEL.length)} ${String(count).padStart(width)} ${rule}`);
  const head = `${findings} ${findings === 1 ? 'secret' : 'secrets'} ${isCheck ? 'found' : 'masked'}${until}`;
  return [`${style.dim(LABEL)} ${style.warn(head)}`, ...lines.map(style.dim), ''].join('\n');
}
