import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { differences, publishedTable, renderTable, writeTables } from '../../scripts/lib/readme-tables.mjs';

const TABLE = { columns: ['what', 'ms'], rows: [['true', '1.2']] };
let folder;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-readme-'));
  mkdirSync(path.join(folder, 'bench', 'results'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const readme = (table) => `# Title\n<!-- bench:run -->\n${table}\n<!-- /bench:run -->\nmore\n`;
const write = (file, text) => writeFileSync(path.join(folder, file), text);

it('accepts a table that is the measured one', () => {
  write('README.md', readme(renderTable(TABLE)));
  write('bench/results/run.json', JSON.stringify({ table: TABLE }));
  expect(differences(folder, ['run'])).toEqual([]);
  expect(publishedTable(readme(renderTable(TABLE)), 'run')).toBe('| what | ms |\n| --- | --- |\n| true | 1.2 |');
});

it('refuses one changed digit, a table without figures and figures without a table', () => {
  write('README.md', readme(renderTable(TABLE).replace('1.2', '1.1')));
  write('bench/results/run.json', JSON.stringify({ table: TABLE }));
  expect(differences(folder, ['run'])).toEqual([expect.stringContaining('run: the table should read')]);

  rmSync(path.join(folder, 'bench/results/run.json'));
  expect(differences(folder, [])).toEqual([expect.stringContaining('run.json does not exist')]);

  write('README.md', '# Title\n');
  write('bench/results/run.json', JSON.stringify({ table: TABLE }));
  expect(differences(folder, ['run'])).toEqual([expect.stringContaining('no document has a table for it')]);
});

it('has nothing to say where nothing was measured yet', () => {
  write('README.md', '# Title\n');
  expect(differences(folder, ['run'])).toEqual([]);
});

it('writes a table to its place and leaves the rest alone', () => {
  write('README.md', readme('| old |'));
  write('bench/results/run.json', JSON.stringify({ table: TABLE }));
  expect(writeTables(folder, ['run', 'redact'])).toEqual([]);
  expect(readFileSync(path.join(folder, 'README.md'), 'utf8')).toBe(readme(renderTable(TABLE)));
  expect(differences(folder, ['run'])).toEqual([]);
});

it('says which table has no place', () => {
  write('README.md', '# Title\n');
  write('bench/results/run.json', JSON.stringify({ table: TABLE }));
  expect(writeTables(folder, ['run'])).toEqual(['run']);
  expect(readFileSync(path.join(folder, 'README.md'), 'utf8')).toBe('# Title\n');
});
