// Packages are read as npm writes them; what npm would not write is refused.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTar, readTarball } from '../../scripts/release/tarball.mjs';
import { fakeEntries, fakeTar } from './fake-release.mjs';

/** Longer than the 100 bytes that a tar header has for a name, and just as long as what it has with its prefix. */
const LONG = join('dist', 'a'.repeat(50), 'b'.repeat(84), 'c'.repeat(80), 'd.js');

const folder = mkdtempSync(join(tmpdir(), 'handrail-tarball-'));
let tarball = '';

/** `npm pack` of a package with `path` in it. @returns {string} the tarball */
function pack(name, path) {
  const source = join(folder, name);
  mkdirSync(join(source, path, '..'), { recursive: true });
  writeFileSync(join(source, 'package.json'), `{"name":"${name}","version":"1.0.0","bin":"run"}`);
  writeFileSync(join(source, 'run'), '#!/bin/sh\n');
  chmodSync(join(source, 'run'), 0o755);
  writeFileSync(join(source, path), 'long');
  writeFileSync(join(source, 'exact'), Buffer.alloc(1024, 'x'));
  const env = { ...process.env, npm_config_cache: join(folder, 'cache') };
  const { status, stderr } = spawnSync('npm', ['pack', '--pack-destination', folder], {
    cwd: source,
    env,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return join(folder, `${name}-1.0.0.tgz`);
}

beforeAll(() => {
  tarball = pack('packed', LONG);
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
      expect(() => readTar(tar.subarray(0, length)), `cut at ${length}`).toThrow(/cut short|no end/);
    }
  });

  it('is refused when a path is so long that npm says it in a pax header', () => {
    expect(() => readTarball(pack('longer', join('e'.repeat(120), LONG)))).toThrow('is no plain file (type "x")');
  });
});

it('a tar file is refused when a byte of a header is another one', () => {
  const tar = fakeTar([{ path: 'package/x', mode: 0o644, bytes: Buffer.from('x') }]);
  tar[100] = 0x37;
  expect(() => readTar(tar)).toThrow('a checksum is wrong');
});

describe('a tar file is refused', () => {
  const entry = { path: 'package/x', mode: 0o644, bytes: Buffer.from('x') };
  const record = (text) => `${text.length + 3} ${text}\n`;

  it.each([
    ['with a symbolic link', { type: '2' }, '"package/x" is no plain file (type "2")'],
    ['with a folder', { type: '5' }, '"package/x" is no plain file (type "5")'],
    ['with an entry of an older format', { type: '\0' }, 'is no plain file (type "\\u0000")'],
    ['with a long name as GNU writes it', { type: 'L' }, 'is no plain file (type "L")'],
    ['with a pax header for the next file', { type: 'x', bytes: Buffer.from(record('size=1')) }, '(type "x")'],
    ['with a pax header for all files', { type: 'g', bytes: Buffer.from(record('path=package/y')) }, '(type "g")'],
    ['with a file beside the package', { path: 'x' }, 'x is outside of package/'],
    ['with a file above the package', { path: '../x' }, '"../x" is no plain path'],
    ['with a way out of the package', { path: 'package/a/../../x' }, 'is no plain path'],
    ['with a name for the folder itself', { path: 'package/./x' }, 'is no plain path'],
    ['with an empty name', { path: 'package//x' }, 'is no plain path'],
    ['with a file that is named like a folder', { path: 'package/x/' }, 'is no plain path'],
    ['with a path of Windows', { path: 'package/..\\x' }, 'is no plain path'],
    ['with a line in a path', { path: 'package/x\ny' }, 'is no plain path'],
    ['with something behind the end of a path', { path: 'package/x\0\n/y' }, 'goes on behind its end'],
    ['with a size that is no number', { size: 'many' }, 'a number of the tar file is none'],
    ['with a size that is one to some', { size: '00000000001x' }, 'a number of the tar file is none'],
    ['with a size in binary', { size: '\u0080\0\0\0\0\0\0\0\0\0\0\u0001' }, 'a number of the tar file is none'],
    ['with a size above what is there', { size: '00000007000\0' }, 'the tar file is cut short'],
  ])('%s', (_, changes, why) => {
    expect(() => readTar(fakeTar([{ ...entry, ...changes }]))).toThrow(why);
    expect(readTar(fakeTar([entry]))).toEqual([{ ...entry, path: 'x' }]);
  });

  it('with files behind a lone block of zeros, which npm would read', () => {
    const other = { ...entry, path: 'package/package.json' };
    const end = Buffer.alloc(1024);
    for (const zeros of [512, 1024, 4096]) {
      const tar = Buffer.concat([fakeEntries([entry]), Buffer.alloc(zeros), fakeEntries([other]), end]);
      expect(() => readTar(tar)).toThrow('the tar file goes on behind its end');
    }
  });

  it('with an end that is shorter or longer than zeros', () => {
    const entries = fakeEntries([entry]);
    expect(() => readTar(Buffer.concat([entries, Buffer.alloc(512)]))).toThrow('the tar file has no end');
    expect(() => readTar(Buffer.concat([entries, Buffer.alloc(1024), Buffer.from('x')]))).toThrow('behind its end');
    expect(readTar(Buffer.concat([entries, Buffer.alloc(10_240)]))).toHaveLength(1);
  });

  it('in another format, to which a path has no prefix', () => {
    const tar = fakeTar([entry]);
    tar.write('ustar  \0', 257);
    tar.fill(' ', 148, 156);
    const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    expect(() => readTar(tar)).toThrow('an entry is not of the format ustar');
  });

  it('when a size in a pax header hides a file from one of two readers', () => {
    // To npm, `hides` has one byte and package.json comes after it; to a reader without pax it is a part of `hides`.
    const hidden = fakeEntries([{ ...entry, path: 'package/package.json' }]);
    const tar = fakeTar([
      { ...entry, path: 'PaxHeader/x', type: 'x', bytes: Buffer.from(record('size=1')) },
      { ...entry, path: 'package/hides.js', bytes: Buffer.concat([Buffer.alloc(512, ' '), hidden]) },
    ]);
    expect(() => readTar(tar)).toThrow('"PaxHeader/x" is no plain file');
  });

  it('when its gzip file goes on behind its end', () => {
    const file = join(folder, 'behind.tgz');
    const whole = gzipSync(fakeTar([entry]));
    writeFileSync(file, whole);
    expect(readTarball(file)).toHaveLength(1);
    writeFileSync(file, Buffer.concat([whole, Buffer.alloc(100)]));
    expect(() => readTarball(file)).toThrow('the gzip file goes on behind its end');
  });
});
