// Published figures come from a file: a table of the README between `<!-- bench:ROW -->` and `<!-- /bench:ROW -->` is what
// rendering bench/results/ROW.json gives, or the check fails.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Renders the `table` of a result file: `{columns: string[], rows: string[][]}`, cells as they are to be read.
 *
 * @param {{columns: string[], rows: string[][]}} table
 */
export function renderTable({ columns, rows }) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The text between the markers of a row; undefined when the README has no such table. */
export function publishedTable(readme, row) {
  const start = `<!-- bench:${row} -->`;
  const from = readme.indexOf(start);
  const to = readme.indexOf(`<!-- /bench:${row} -->`);
  return from === -1 || to < from ? undefined : readme.slice(from + start.length, to).trim();
}

/** Marked tables, with or without a benchmark of that name. */
function markedRows(readme) {
  return [...readme.matchAll(/<!-- bench:([\w-]+) -->/g)].map(([, row]) => row);
}

function difference(folder, readme, row) {
  const published = publishedTable(readme, row);
  const results = join(folder, 'bench', 'results', `${row}.json`);
  const measured = existsSync(results) ? renderTable(JSON.parse(readFileSync(results, 'utf8')).table) : undefined;
  if (published === measured) return [];
  if (measured === undefined) return [`${row}: the README has a table, bench/results/${row}.json does not exist`];
  if (published === undefined) return [`${row}: bench/results/${row}.json exists, the README has no table for it`];
  return [`${row}: the table should read\n${measured}`];
}

/** @returns {string[]} one text per row whose table is not the measured one */
export function differences(folder, rows) {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  return [...new Set([...rows, ...markedRows(readme)])].sort().flatMap((row) => difference(folder, readme, row));
}
