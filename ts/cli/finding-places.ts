import type { Finding } from '../redaction/marks.js';

/** Lines and columns of a finding, from 1 on; columns count UTF-16 units, and the end column is the one after it. */
export interface Place {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Where one secret is, and which rule found it. */
export interface PlacedFinding extends Place {
  /** The file as it may be shown. */
  readonly file: string;
  readonly rule: string;
}

/** The place of each finding in `text`; they come in order, without overlaps. */
export function placesOf(text: string, findings: readonly Pick<Finding, 'start' | 'end'>[]): Place[] {
  let line = 1;
  let lineStart = 0;
  const positionOf = (offset: number): readonly [line: number, column: number] => {
    for (let next = text.indexOf('\n', lineStart); next >= 0 && next < offset; next = text.indexOf('\n', lineStart)) {
      line += 1;
      lineStart = next + 1;
    }
    return [line, offset - lineStart + 1];
  };
  return findings.map(({ start, end }) => {
    const [startLine, startColumn] = positionOf(start);
    const [endLine, endColumn] = positionOf(end);
    return { startLine, startColumn, endLine, endColumn };
  });
}
