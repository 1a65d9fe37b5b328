// Published figures come from a file: a table of the README between `<!-- bench:ROW -->` and `<!-- /bench:ROW -->` is what
// rendering bench/results/ROW.json gives, or the check fails.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

function placeOf(readme, row) {
  const start = `<!-- bench:${row} -->`;
  const from = readme.indexOf(start);
  const to = readme.indexOf(`<!-- /bench:${row} -->`);
  return from === -1 || to < from ? undefined : { from: from + start.length, to };
}

/** The text between the markers of a row; undefined when the README has no such table. */
export function publishedTable(readme, row) {
  const place = placeOf(readme, row);
  return place && readme.slice(place.from, place.to).trim();
}

/** The README with the table of a row as it was measured; undefined when it has no place for it. */
function withTable(readme, row, table) {
  const place = placeOf(readme, row);
  return place && `${readme.slice(0, place.from)}\n${renderTable(table)}\n${readme.slice(place.to)}`;
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

/** Writes every measured table to its place in the README. @returns {string[]} rows without a place */
export function writeTables(folder, rows) {
  const path = join(folder, 'README.md');
  const homeless = [];
  let readme = readFileSync(path, 'utf8');
  for (const row of rows) {
    const results = join(folder, 'bench', 'results', `${row}.json`);
    if (!existsSync(results)) continue;
    const next = withTable(readme, row, JSON.parse(readFileSync(results, 'utf8')).table);
    if (next === undefined) homeless.push(row);
    else readme = next;
  }
  writeFileSync(path, readme);
  return homeless;
}
