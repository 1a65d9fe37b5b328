import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startNode } from '../support/cli.js';

const folder = mkdtempSync(path.join(tmpdir(), 'handrail-bench-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the benchmark of files measures every part and checks what it did', async () => {
  const output = path.join(folder, 'files.json');
  const { code, stdout } = await startNode(['bench/files.mjs', '--quick', '--output', output]).ended;
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('explain, ') });
  const { measured, table } = JSON.parse(readFileSync(output, 'utf8'));
  expect(Object.keys(measured)).toEqual(['reads', 'edits', 'syncedEdits', 'explaining']);
  expect(table.columns).toEqual(['', 'handrail', 'fs/promises', 'realpath first', 'fdatasync']);
});
