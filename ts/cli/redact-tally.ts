/** What was found and read so far, in all files. */
export class Tally {
  findings = 0;
  readonly rules: Record<string, number> = {};
  readonly bytes = { read: 0, written: 0 };

  /** Counts what the rules found in one more text. */
  add(counts: Readonly<Record<string, number>>): void {
    for (const [rule, count] of Object.entries(counts)) {
      this.rules[rule] = (this.rules[rule] ?? 0) + count;
      this.findings += count;
    }
  }
}
