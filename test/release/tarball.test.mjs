// Packages are read as npm writes them; what npm would not write is refused.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTar, readTarball } from '../../scripts/release/tarball.mjs';
import { fakeTar } from './fake-release.mjs';

/** Longer than the 100 bytes that a tar header has for a name, and than the 255 with its prefix. */
const LONG = join('dist', 'a'.repeat(150), 'b'.repeat(150), 'c.js');

const folder = mkdtempSync(join(tmpdir(), 'handrail-tarball-'));
let tarball = '';

beforeAll(() => {
  const source = join(folder, 'source');
  mkdirSync(join(source, LONG, '..'), { recursive: true });
  writeFileSync(join(source, 'package.json'), '{"name":"packed","version":"1.0.0","bin":"run"}');
  writeFileSync(join(source, 'run'), '#!/bin/sh\n');
  chmodSync(join(source, 'run'), 0o755);
  writeFileSync(join(source, LONG), 'long');
  writeFileSync(join(source, 'exact'), Buffer.alloc(1024, 'x'));
  const env = { ...process.env, npm_config_cache: join(folder, 'cache') };
  const { status, stderr } = spawnSync('npm', ['pack', '--pack-destination', folder], {
    cwd: source,
    env,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  tarball = join(folder, 'packed-1.0.0.tgz');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a package of npm', () => {
  it('is read with its paths, bits and contents', () => {
    const files = readTarball(tarball).sort((left, right) => (left.path < right.path ? -1 : 1));
    expect(files.map(({ path, mode }) => [path, mode.toString(8)])).toEqual([
      [LONG, '644'],
      ['exact', '644'],
      ['package.json', '644'],
      ['run', '755'],
    ]);
    expect(files.map(({ bytes }) => bytes.length)).toEqual([4, 1024, 47, 10]);
  });

  it('is refused wherever it is cut', () => {
    const tar = gunzipSync(readFileSync(tarball));
    const lastFile = readTar(tar).at(-1).bytes;
    const end = lastFile.byteOffset - tar.byteOffset + lastFile.length;
    for (let length = 0; length < end; length += 100) {
      expect(() => readTar(tar.subarray(0, length)), `cut at ${length}`).toThrow(/cut short|no end|pax/);
    }
  });
});

it('a tar file is refused when a byte of a header is another one', () => {
  const tar = fakeTar([{ path: 'package/x', mode: 0o644, bytes: Buffer.from('x') }]);
  tar[100] = 0x37;
  expect(() => readTar(tar)).toThrow('a checksum is wrong');
});

describe('a tar file is refused', () => {
  const entry = { path: 'package/x', mode: 0o644, bytes: Buffer.from('x') };

  it.each([
    ['with a symbolic link', { type: '2' }, 'package/x is no plain file (type 2)'],
    ['with a folder', { type: '5' }, 'package/x is no plain file (type 5)'],
    ['with a file beside the package', { path: '../x' }, '../x is outside of package/'],
    ['with a size that is no number', { size: 'many' }, 'the tar file is cut short'],
    ['with a broken pax header', { type: 'x', bytes: Buffer.from('no length') }, 'a pax header is broken'],
  ])('%s', (_, changes, why) => {
    expect(() => readTar(fakeTar([{ ...entry, ...changes }]))).toThrow(why);
    expect(readTar(fakeTar([entry]))).toEqual([{ ...entry, path: 'x' }]);
  });
});
