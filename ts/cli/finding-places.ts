import type { Finding } from '../redaction/marks.js';

/** The start and end of a finding. Lines and columns count from 1, columns in UTF-16 units; the end column is exclusive. */
export interface TextRegion {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A finding with its file, its position and its rule. */
export interface FindingInFile extends TextRegion {
  /** The name of the file, for display. */
  readonly file: string;
  readonly rule: string;
}

/** The position of each finding in `text`. Findings come in order and do not overlap. */
export function regionsOf(text: string, findings: readonly Pick<Finding, 'start' | 'end'>[]): TextRegion[] {
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
