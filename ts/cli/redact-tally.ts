/** Counts of findings and bytes over all files. */
export class Tally {
  findings = 0;
  readonly rules: Record<string, number> = {};
  readonly bytes = { read: 0, written: 0 };

  /** Adds the counts of one more text, by rule. */
  add(counts: Readonly<Record<string, number>>): void {
    for (const [rule, count] of Object.entries(counts)) {
      this.rules[rule] = (this.rules[rule] ?? 0) + count;
      this.findings += count;
    }
  }
}
