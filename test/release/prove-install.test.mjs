// The proof of an installation fails where there is nothing to prove. That it passes is seen in CI, on every platform.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { root } from '../../scripts/lib/paths.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handrail-prove-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function prove(...args) {
  const env = { ...process.env, TMPDIR: folder };
  return spawnSync(process.execPath, [join(root, 'scripts/release/prove-install.mjs'), ...args], {
    encoding: 'utf8',
    env,
  });
}

it.each([
  ['no argument', () => [], 'prove-install.mjs DIR|vX.Y.Z'],
  ['two arguments', () => ['out', 'v1.0.0'], 'prove-install.mjs DIR|vX.Y.Z'],
  ['a folder that is not there', () => [join(folder, 'none')], 'is neither a folder nor a tag'],
  ['a version without its v', () => ['1.0.0'], 'is neither a folder nor a tag'],
  ['a folder without packages', () => [folder], 'has not one root and one package for linux-'],
])('fails for %s', (_, args, why) => {
  const { status, stderr } = prove(...args());
  expect(stderr).toContain(why);
  expect(status).toBe(1);
});

it('fails for what npm cannot install, and leaves nothing', () => {
  const { status, stderr: own } = prove(folder);
  const triple = /package for (\S+):/.exec(own)?.[1];
  writeFileSync(join(folder, 'handrail-1.0.0.tgz'), 'no tarball');
  writeFileSync(join(folder, `handrail-native-${triple}-1.0.0.tgz`), 'no tarball');
  const { status: installed, stderr } = prove(folder);
  expect(stderr).toContain('npm install --ignore-scripts');
  expect([status, installed]).toEqual([1, 1]);
  expect(readdirSync(folder).filter((name) => name.startsWith('handrail-install-'))).toEqual([]);
});
