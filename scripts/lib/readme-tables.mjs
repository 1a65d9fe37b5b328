// Keeps published tables equal to the measured ones: the table between `<!-- bench:ROW -->` and `<!-- /bench:ROW -->` in a document
// has to be the rendered table of bench/results/ROW.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The documents with published tables. */
export const DOCUMENTS = ['README.md', 'docs/benchmarks.md', 'docs/wasm.md'];

/**
 * Renders the `table` of a result file: `{columns: string[], rows: string[][]}`, cells are formatted text.
 *
 * @param {{columns: string[], rows: string[][]}} table
 */
export function renderTable({ columns, rows }) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

function rangeBetweenMarkers(readme, row) {
  const start = `<!-- bench:${row} -->`;
  const from = readme.indexOf(start);
  const to = readme.indexOf(`<!-- /bench:${row} -->`);
  return from === -1 || to < from ? undefined : { from: from + start.length, to };
}

/** The table between the markers of a row; undefined when the document has no such markers. */
export function publishedTable(readme, row) {
  const range = rangeBetweenMarkers(readme, row);
  return range && readme.slice(range.from, range.to).trim();
}

/** The document with the measured table of a row; undefined when it has no markers for that row. */
function withTable(readme, row, table) {
  const range = rangeBetweenMarkers(readme, row);
  return range && `${readme.slice(0, range.from)}\n${renderTable(table)}\n${readme.slice(range.to)}`;
}

/** The rows that a document has markers for, also unknown ones. */
function markedRows(readme) {
  return [...readme.matchAll(/<!-- bench:([\w-]+) -->/g)].map(([, row]) => row);
}

function problemsOfRow(folder, texts, row) {
  const published = texts.map((text) => publishedTable(text, row)).filter((table) => table !== undefined);
  const results = join(folder, 'bench', 'results', `${row}.json`);
  const measured = existsSync(results) ? renderTable(JSON.parse(readFileSync(results, 'utf8')).table) : undefined;
  if (measured === undefined) {
    return published.length === 0 ? [] : [`${row}: there is a table, bench/results/${row}.json does not exist`];
  }
  if (published.length === 0) return [`${row}: bench/results/${row}.json exists, no document has a table for it`];
  return published.every((table) => table === measured) ? [] : [`${row}: the table should read\n${measured}`];
}

/** Paths of the documents that exist. */
function documentsOf(folder) {
  return DOCUMENTS.map((name) => join(folder, name)).filter((path) => existsSync(path));
}

/** @returns {string[]} one text per row whose table differs from the measured one */
export function differences(folder, rows) {
  const texts = documentsOf(folder).map((path) => readFileSync(path, 'utf8'));
  return [...new Set([...rows, ...texts.flatMap(markedRows)])]
    .sort()
    .flatMap((row) => problemsOfRow(folder, texts, row));
}

/** Writes every measured table into the documents. @returns {string[]} rows without markers in any document */
export function writeTables(folder, rows) {
  const measured = rows.filter((row) => existsSync(join(folder, 'bench', 'results', `${row}.json`)));
  const publishedRows = new Set();
  for (const path of documentsOf(folder)) {
    let text = readFileSync(path, 'utf8');
    for (const row of measured) {
      const results = join(folder, 'bench', 'results', `${row}.json`);
      const next = withTable(text, row, JSON.parse(readFileSync(results, 'utf8')).table);
      if (next === undefined) continue;
      text = next;
      publishedRows.add(row);
    }
    writeFileSync(path, text);
  }
  return measured.filter((row) => !publishedRows.has(row));
}
