import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { differences } from '../../scripts/lib/reference.mjs';
import { Copy, REPOSITORY } from '../support/copy.js';

/** typedoc takes seconds to start. */
const GENERATE_TIMEOUT_MS = 600_000;

const SETTINGS = path.join(REPOSITORY, 'scripts/docs');
const ENTRY_POINTS = JSON.parse(readFileSync(path.join(SETTINGS, 'typedoc.json'), 'utf8')).entryPoints.map((file) =>
  path.relative(REPOSITORY, path.join(SETTINGS, file)),
);

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
    copyFileSync(path.join(REPOSITORY, 'package-lock.json'), path.join(copy.folder, 'package-lock.json'));
    symlinkSync(path.join(REPOSITORY, 'node_modules'), path.join(copy.folder, 'node_modules'));
    // Files that import nothing: reading all sources, as the check itself does, takes ten times as long.
    for (const file of ENTRY_POINTS) copy.write(file, '/** It is documented. */\nexport const KNOWN = 1;\n');
    const compilerOptions = { module: 'nodenext', target: 'es2023', types: [] };
    copy.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ENTRY_POINTS }));
    copy.append('ts/index.ts', 'export const UNDOCUMENTED = 1;\n');
    const script = path.join(copy.folder, 'scripts/docs.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    expect(stderr).toContain('UNDOCUMENTED (Variable), defined in ');
    expect(stderr).toContain('does not have any documentation');
    expect(status).toBe(1);
  },
  GENERATE_TIMEOUT_MS,
);
