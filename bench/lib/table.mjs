// Renders result tables as plain text for a terminal, and the cells that several tables have. The README gets the same
// tables as Markdown, through scripts/lib/readme-tables.mjs.
export const MAX_WIDTH = 80;
const COLUMN_GAP = 2;

export const formatWhole = (value) => Math.round(value).toLocaleString('en-US');
/** A speed: one decimal place for a slow one, none for others. */
export const formatSpeed = (value) => (value < 10 ? value.toFixed(1) : formatWhole(value));
export const formatMicroseconds = (value) => value.toFixed(value < 100 ? 1 : 0);

/**
 * Three rows with the times of several runners: p50, p99, and p50 as a multiple of the baseline's. A runner that was not
 * measured has empty cells.
 *
 * @param {string} label what was measured
 * @param {string} baseline the name of the runner that the others are compared with
 * @param {string[]} runners one column each
 * @param {{us: Record<string, {median: number, p99: number}>, timesBaseline: Record<string, number>}} figures microseconds
 */
export function comparisonRows(label, baseline, runners, { us, timesBaseline }) {
  const row = (title, cell) => [title, ...runners.map((name) => (Object.hasOwn(us, name) ? cell(name) : ''))];
  return [
    row(`${label}: p50 µs`, (name) => formatMicroseconds(us[name].median)),
    row('p99 µs', (name) => formatMicroseconds(us[name].p99)),
    row(`p50 to ${baseline}`, (name) => `${timesBaseline[name].toFixed(2)}x`),
  ];
}

/** Lines of at most `MAX_WIDTH` columns: the first cell to the left, the others to the right. */
export function plainTable({ columns, rows }) {
  const all = [columns, ...rows];
  const widths = columns.map((_, index) => Math.max(...all.map((cells) => cells[index].length)));
  const lines = all.map((cells) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[index] + COLUMN_GAP)))
      .join('')
      .trimEnd(),
  );
  const widest = Math.max(...lines.map((line) => line.length));
  if (widest > MAX_WIDTH) throw new Error(`the table is ${widest} columns wide, at most ${MAX_WIDTH} are allowed`);
  return lines.join('\n');
}
