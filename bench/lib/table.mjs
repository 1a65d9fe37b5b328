// The same table for people at a terminal and, through scripts/lib/readme-tables.mjs, for the README.
export const MAX_WIDTH = 80;
const GAP = 2;

/** Lines of at most `MAX_WIDTH` columns: the first cell to the left, the others to the right. */
export function plainTable({ columns, rows }) {
  const all = [columns, ...rows];
  const widths = columns.map((_, index) => Math.max(...all.map((cells) => cells[index].length)));
  const lines = all.map((cells) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[index] + GAP)))
      .join('')
      .trimEnd(),
  );
  const widest = Math.max(...lines.map((line) => line.length));
  if (widest > MAX_WIDTH) throw new Error(`the table is ${widest} columns wide, at most ${MAX_WIDTH} are allowed`);
  return lines.join('\n');
}
