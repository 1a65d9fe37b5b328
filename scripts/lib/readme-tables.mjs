// Published figures come from a file: a table of a document between `<!-- bench:ROW -->` and `<!-- /bench:ROW -->` is what
// rendering bench/results/ROW.json gives, or the check fails.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where published tables stand. */
export const DOCUMENTS = ['README.md', 'docs/benchmarks.md', 'docs/wasm.md'];

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

/** What stands between the markers of a row; undefined when the document has no such table. */
export function publishedTable(readme, row) {
  const place = placeOf(readme, row);
  return place && readme.slice(place.from, place.to).trim();
}

/** The document with the table of a row as it was measured; undefined when it has no place for it. */
function withTable(readme, row, table) {
  const place = placeOf(readme, row);
  return place && `${readme.slice(0, place.from)}\n${renderTable(table)}\n${readme.slice(place.to)}`;
}

/** Marked tables, with or without a benchmark of that name. */
function markedRows(readme) {
  return [...readme.matchAll(/<!-- bench:([\w-]+) -->/g)].map(([, row]) => row);
}

function difference(folder, texts, row) {
  const published = texts.map((text) => publishedTable(text, row)).filter((table) => table !== undefined);
  const results = join(folder, 'bench', 'results', `${row}.json`);
  const measured = existsSync(results) ? renderTable(JSON.parse(readFileSync(results, 'utf8')).table) : undefined;
  if (measured === undefined) {
    return published.length === 0 ? [] : [`${row}: there is a table, bench/results/${row}.json does not exist`];
  }
  if (published.length === 0) return [`${row}: bench/results/${row}.json exists, no document has a table for it`];
  return published.every((table) => table === measured) ? [] : [`${row}: the table should read\n${measured}`];
}

/** Documents with tables, those that are there. */
function documentsOf(folder) {
  return DOCUMENTS.map((name) => join(folder, name)).filter((path) => existsSync(path));
}

/** @returns {string[]} one text per row whose table is not the measured one */
export function differences(folder, rows) {
  const texts = documentsOf(folder).map((path) => readFileSync(path, 'utf8'));
  return [...new Set([...rows, ...texts.flatMap(markedRows)])].sort().flatMap((row) => difference(folder, texts, row));
}

/** Writes every measured table to its places. @returns {string[]} rows without a place */
export function writeTables(folder, rows) {
  const measured = rows.filter((row) => existsSync(join(folder, 'bench', 'results', `${row}.json`)));
  const placed = new Set();
  for (const path of documentsOf(folder)) {
    let text = readFileSync(path, 'utf8');
    for (const row of measured) {
      const results = join(folder, 'bench', 'results', `${row}.json`);
      const next = withTable(text, row, JSON.parse(readFileSync(results, 'utf8')).table);
      if (next === undefined) continue;
      text = next;
      placed.add(row);
    }
    writeFileSync(path, text);
  }
  return measured.filter((row) => !placed.has(row));
}
