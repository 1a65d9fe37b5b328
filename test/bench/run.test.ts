import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Builds the floor program when nobody did before. */
const BUILD_AND_RUN_MS = 1_200_000;
const MAX_COLUMNS = 80;
const RUN = fileURLToPath(new URL('../../bench/run.mjs', import.meta.url));
const TABLES = new URL('../../scripts/lib/readme-tables.mjs', import.meta.url);
const RIVALS = ['handrail', 'child_process', 'execa', 'posix_spawn'];

interface Result {
  quick: boolean;
  machine: { cores: number };
  load: { idlePercent: number; stealPercent: number };
  measured: {
    latency: {
      hosts: {
        host: string;
        residentMiB: number;
        ms: Record<string, { count: number; median: number; p99: number }>;
      }[];
      largeOverSmall: Record<string, number>;
    };
  };
  table: { columns: string[]; rows: string[][] };
}

/** The part of the scripts that compares; they have no types. */
interface Tables {
  differences(folder: string, rows: string[]): string[];
  renderTable(table: Result['table']): string;
}

const { differences, renderTable } = (await import(TABLES.href)) as Tables;
let folder: string;
let printed: string;
let result: Result;

function bench(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ['--expose-gc', RUN, ...args], { encoding: 'utf8' });
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-bench-'));
  mkdirSync(path.join(folder, 'bench', 'results'), { recursive: true });
  const output = path.join(folder, 'bench', 'results', 'run.json');
  const { status, stdout, stderr } = bench('--quick', '--only', 'latency', '--output', output);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  printed = stdout;
  result = JSON.parse(readFileSync(output, 'utf8')) as Result;
}, BUILD_AND_RUN_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a run keeps every rival, both hosts and the load of the machine', () => {
  expect(result.quick).toBe(true);
  expect(result.machine.cores).toBeGreaterThan(0);
  expect(result.load.idlePercent).toBeGreaterThanOrEqual(0);
  expect(result.load.stealPercent).toBeGreaterThanOrEqual(0);
  const { hosts, largeOverSmall } = result.measured.latency;
  expect(hosts.map(({ host }) => host)).toEqual(['50 MB', '1 GB']);
  for (const { ms } of hosts) {
    expect(Object.keys(ms)).toEqual(RIVALS);
    for (const { count, median, p99 } of Object.values(ms)) {
      expect(count).toBeGreaterThan(0);
      expect(median).toBeGreaterThan(0);
      expect(p99).toBeGreaterThanOrEqual(median);
    }
  }
  expect(Object.keys(largeOverSmall)).toEqual(RIVALS);
});

test('the large host really holds its memory', () => {
  const [small, large] = result.measured.latency.hosts;
  expect(Number(large?.residentMiB) - Number(small?.residentMiB)).toBeGreaterThan(800);
});

test('the table fits a terminal of 80 columns', () => {
  expect(Math.max(...printed.split('\n').map((line) => line.length))).toBeLessThanOrEqual(MAX_COLUMNS);
  expect(printed).toContain('load ');
});

test('the check of the README notices one changed figure of any cell', () => {
  const readme = (table: string): string => `# Title\n<!-- bench:run -->\n${table}\n<!-- /bench:run -->\n`;
  const rendered = renderTable(result.table);
  const file = path.join(folder, 'README.md');
  writeFileSync(file, readme(rendered));
  expect(differences(folder, ['run'])).toEqual([]);
  const digits = [...rendered.matchAll(/\d/g)];
  expect(digits.length).toBeGreaterThan(0);
  for (const { index, 0: digit } of digits) {
    const changed = `${rendered.slice(0, index)}${(Number(digit) + 1) % 10}${rendered.slice(index + 1)}`;
    writeFileSync(file, readme(changed));
    expect(differences(folder, ['run'])).toHaveLength(1);
  }
});

test('a part that does not exist is refused with those that do', () => {
  expect(bench('--only', 'moon')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("no part 'moon'") as string,
  });
});
