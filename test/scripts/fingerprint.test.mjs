import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dependenciesAreInstalled, lockIsComplete } from '../../scripts/lib/dependencies.mjs';
import { fingerprint, isStamped, writeStamp } from '../../scripts/lib/fingerprint.mjs';
import { root } from '../../scripts/lib/paths.mjs';

let folder;
let sources;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-fingerprint-'));
  mkdirSync(path.join(folder, 'deep'));
  writeFileSync(path.join(folder, 'deep', 'a.txt'), 'a');
  sources = [path.relative(root, folder)];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('changes with a file, its time, a new file and the salt, and with nothing else', () => {
  const first = fingerprint(sources);
  expect(fingerprint(sources)).toBe(first);
  const changes = [
    () => utimesSync(path.join(folder, 'deep', 'a.txt'), 1, 1),
    () => writeFileSync(path.join(folder, 'deep', 'a.txt'), 'ab'),
    () => writeFileSync(path.join(folder, 'b.txt'), ''),
  ];
  const seen = [first, fingerprint(sources, 'salt')];
  for (const change of changes) {
    change();
    seen.push(fingerprint(sources));
  }
  expect(new Set(seen).size).toBe(seen.length);
});

it('knows its stamp', () => {
  const stamp = path.join(folder, 'new', '.stamp');
  expect(isStamped(stamp, 'x')).toBe(false);
  writeStamp(stamp, 'x');
  expect(isStamped(stamp, 'x')).toBe(true);
  expect(isStamped(stamp, 'y')).toBe(false);
});

it('sees packages that are missing or of another version, and none for another platform', () => {
  const lock = (packages) => JSON.stringify({ packages });
  const wanted = {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '1.0.0', optional: true },
  };
  writeFileSync(path.join(folder, 'package-lock.json'), lock(wanted));
  expect(dependenciesAreInstalled(folder)).toBe(false);
  mkdirSync(path.join(folder, 'node_modules'));
  const installed = path.join(folder, 'node_modules', '.package-lock.json');
  writeFileSync(installed, lock({ 'node_modules/a': { version: '0.9.0' } }));
  expect(dependenciesAreInstalled(folder)).toBe(false);
  writeFileSync(installed, lock({ 'node_modules/a': { version: '1.0.0' } }));
  expect(dependenciesAreInstalled(folder)).toBe(true);
});

it('sees a lock file that lacks the packages of other platforms', () => {
  const write = (packages) => writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  const parent = { version: '1.0.0', optionalDependencies: { '@a/linux': '1.0.0', '@a/other': '1.0.0' } };
  const linux = { version: '1.0.0', optional: true };
  write({ '': {}, 'node_modules/a': parent, 'node_modules/@a/linux': linux });
  expect(lockIsComplete(folder)).toBe(false);
  write({
    '': {},
    'node_modules/a': parent,
    'node_modules/@a/linux': linux,
    'node_modules/a/node_modules/@a/other': linux,
  });
  expect(lockIsComplete(folder)).toBe(true);
});
