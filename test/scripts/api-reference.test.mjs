import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { differences } from '../../scripts/lib/reference.mjs';
import { Copy, REPOSITORY } from '../support/copy.js';

/** Reading all sources takes seconds. */
const GENERATE_TIMEOUT_MS = 600_000;

function folderWith(files) {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-reference-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

it('a committed reference that differs by a line, a file too few or one too many is refused', () => {
  const generated = folderWith({ 'a.md': 'one\ntwo\n', 'deep/b.md': 'b\n', 'c.md': 'c\n' });
  const committed = folderWith({ 'a.md': 'one\n2\n', 'c.md': 'c\n', 'old.md': 'old\n' });
  expect(differences(generated, committed)).toEqual([
    'a.md:2: differs from the doc comments',
    'deep/b.md: missing',
    'old.md: no longer part of the reference',
  ]);
  expect(differences(generated, path.join(committed, 'none'))).toHaveLength(3);
  expect(differences(generated, generated)).toEqual([]);
});

it(
  'a public name without a doc comment is refused',
  () => {
    const copy = new Copy();
    onTestFinished(() => copy.remove());
    for (const name of ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json']) {
      copyFileSync(path.join(REPOSITORY, name), path.join(copy.folder, name));
    }
    symlinkSync(path.join(REPOSITORY, 'node_modules'), path.join(copy.folder, 'node_modules'));
    copy.append('ts/index.ts', 'export const UNDOCUMENTED = 1;\n');
    const script = path.join(copy.folder, 'scripts/docs.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    expect(stderr).toContain('UNDOCUMENTED (Variable), defined in ');
    expect(stderr).toContain('does not have any documentation');
    expect(status).toBe(1);
  },
  GENERATE_TIMEOUT_MS,
);
