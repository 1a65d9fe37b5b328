// What npm installs here is what the lock files have a digest of, and it runs nothing while it is installed.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installDependencies, missingFromLock } from '../../scripts/lib/dependencies.mjs';
import { root } from '../../scripts/lib/paths.mjs';

const readLock = (folder) => JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));

describe.each(['.', 'scripts/docs', 'test/package/nodes', 'test/types/sdks'])('the lock file of %s', (name) => {
  const folder = join(root, name);
  const packages = Object.entries(readLock(folder).packages).filter(([path]) => path !== '');

  it('has an entry for all that npm could install', () => {
    expect(packages.length).toBeGreaterThan(2);
    expect(missingFromLock(folder)).toEqual([]);
  });

  it('has a digest of each, names no host, and needs no script', () => {
    for (const [path, entry] of packages) {
      expect(entry.integrity, path).toMatch(/^sha512-/);
      expect(entry, path).not.toHaveProperty('resolved');
      expect(entry, path).not.toHaveProperty('hasInstallScript');
    }
  });
});

describe('installing', () => {
  const ENTRY = { version: '1.0.0', integrity: 'sha512-x' };
  const LACKING = {
    '': {},
    'node_modules/a': { ...ENTRY, optionalDependencies: { '@a/linux': '1.0.0', '@a/other': '1.0.0' } },
    'node_modules/@a/linux': ENTRY,
  };
  let folder;
  let path;

  beforeEach(() => {
    path = process.env.PATH;
    folder = mkdtempSync(join(tmpdir(), 'handrail-lock-'));
    mkdirSync(join(folder, 'bin'));
    // An npm that writes down how it was called, and installs what the lock file says.
    const npm = `#!/bin/sh\necho "$@" >> calls\nmkdir -p node_modules\ncp package-lock.json node_modules/.package-lock.json\n`;
    writeFileSync(join(folder, 'bin', 'npm'), npm);
    chmodSync(join(folder, 'bin', 'npm'), 0o755);
    process.env.PATH = `${join(folder, 'bin')}:${path}`;
  });
  afterEach(() => {
    process.env.PATH = path;
    rmSync(folder, { recursive: true, force: true });
  });

  const writeLock = (packages) => writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  const calls = () => readFileSync(join(folder, 'calls'), 'utf8');

  it('takes what is locked and runs no scripts', async () => {
    writeLock({ '': {}, 'node_modules/a': ENTRY });
    expect(await installDependencies(folder)).toBe('installed');
    expect(calls()).toMatch(/^ci --ignore-scripts .*\n$/);
    expect(await installDependencies(folder)).toBe('up to date');
  });

  it('installs nothing by a lock file that lacks a package, until that is taken out', async () => {
    writeLock(LACKING);
    expect(missingFromLock(folder)).toEqual(['@a/other@1.0.0']);
    await expect(installDependencies(folder)).rejects.toThrow('no entry for @a/other@1.0.0 in package-lock.json');
    expect(calls).toThrow('ENOENT');

    const script = join(root, 'scripts/release/close-lock.mjs');
    const file = join(folder, 'package-lock.json');
    const { status, stdout } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'removed: @a/other@1.0.0\n' });
    const expected = structuredClone(LACKING);
    delete expected['node_modules/a'].optionalDependencies['@a/other'];
    expect(readLock(folder).packages).toEqual(expected);
    expect(await installDependencies(folder)).toBe('installed');
  });
});

it('no script and no workflow installs packages in another way', () => {
  const pattern = String.raw`\['(ci|i|install)',|run: .*npm (ci|i|install)\b`;
  const { stdout } = spawnSync('git', ['grep', '-nE', pattern, '--', 'scripts', '.ci', '.github'], {
    cwd: root,
    encoding: 'utf8',
  });
  const lines = stdout.trim().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.filter((line) => !line.includes('--ignore-scripts'))).toEqual([]);
});
