import { styleFor } from './style.js';

/** What `handrail redact --json` says. */
export interface RedactReport {
  /** Secrets that were masked. */
  readonly findings: number;
  /** The same by the id of the rule. */
  readonly rules: Readonly<Record<string, number>>;
  readonly bytes: { readonly read: number; readonly written: number };
  /** What the rule files say that means nothing here. */
  readonly notes: readonly string[];
  /** Which signal ended the work before the end of the input. Null when none did. */
  readonly endedBy: NodeJS.Signals | null;
}

const LABEL = 'handrail:';

/**
 * The report for a person: how many, and by which rule, most first.
 *
 * @param isCheck Whether they were found only, and not masked.
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
