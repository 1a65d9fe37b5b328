// The readers of native files, against files that real linkers made.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nativeFolder } from '../../scripts/lib/paths.mjs';
import { readElf } from '../../scripts/release/elf.mjs';
import { readMachO } from '../../scripts/release/mach-o.mjs';
import { fakeElf, fakeMachO } from './binaries.mjs';

const MACHINE = { x64: 62, arm64: 183 };

it('reads the program that runs this test as the system does', () => {
  const elf = readElf(readFileSync(process.execPath));
  expect(elf).toMatchObject({ machine: MACHINE[process.arch], starts: true });
  // Node's own report has the libraries with their paths.
  const loaded = process.report.getReport().sharedObjects.map((path) => path.split('/').at(-1));
  expect(loaded).toEqual(expect.arrayContaining(elf.needed));
  expect(existsSync(elf.interpreter)).toBe(true);
});

it('reads what was built here as binutils do', () => {
  const name = readdirSync(nativeFolder).find((file) => file.endsWith('.node'));
  const path = join(nativeFolder, name);
  const { needed, versions, interpreter } = readElf(readFileSync(path));
  const { stdout, status } = spawnSync('objdump', ['-p', path], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(needed).toEqual([...stdout.matchAll(/^\s+NEEDED\s+(\S+)$/gm)].map(([, library]) => library));
  expect(versions).toEqual(
    [...stdout.matchAll(/^\s+0x[\da-f]{8} 0x[\da-f]{2} \d+ (\S+)$/gm)].map(([, found]) => found),
  );
  expect(interpreter).toBeUndefined();
});

it('reads what the tests make by hand', () => {
  const what = {
    machine: 183,
    type: 2,
    starts: true,
    interpreter: '/lib/ld.so',
    needed: ['a.so', 'b.so'],
    versions: ['A_1', 'A_2'],
  };
  expect(readElf(fakeElf(what))).toEqual(what);
  expect(readElf(fakeElf({ needed: [], versions: [] }))).toMatchObject({
    needed: [],
    versions: [],
    interpreter: undefined,
  });
  const { cpu, type, libraries } = {
    cpu: 0x01000007,
    type: 8,
    libraries: ['/usr/lib/libSystem.B.dylib', '/usr/lib/x.dylib'],
  };
  expect(readMachO(fakeMachO({ cpu, type, libraries, signed: false, macos: [13, 5] }))).toEqual({
    cpu,
    type,
    libraries,
    signed: false,
    oldest: [13, 5],
  });
});

it.each([
  ['of 32 bit', 4, 1],
  ['of big endian', 5, 2],
])('refuses an ELF file %s', (_, at, value) => {
  const bytes = fakeElf({});
  bytes[at] = value;
  expect(() => readElf(bytes)).toThrow('it is not of 64 bit, little endian');
});

it('refuses a macOS file whose commands lead out of it or in a circle', () => {
  for (const size of [0, 4, 0xffffff]) {
    const bytes = fakeMachO({});
    bytes.writeUInt32LE(size, 36);
    expect(() => readMachO(bytes)).toThrow('a command lies outside of the file');
  }
});
