// Staging empties its folder, and no folder that is anything else.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyOutput, MARKER, outputProblem } from '../../scripts/lib/package/output.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { GET_TARGET } from '../../scripts/lib/wasm.mjs';
import { packageAll } from '../../scripts/package.mjs';

let folder;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'handrail-output-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (...names) => {
  mkdirSync(join(folder, ...names, '..'), { recursive: true });
  writeFileSync(join(folder, ...names), 'x');
};

it('makes a folder, takes an empty one, and empties its own', () => {
  const out = join(folder, 'deep', 'out');
  emptyOutput(out);
  expect(readdirSync(out)).toEqual([MARKER]);
  write('deep', 'out', 'handrail', 'package.json');
  emptyOutput(out);
  expect(readdirSync(out)).toEqual([MARKER]);
  mkdirSync(join(folder, 'empty'));
  emptyOutput(join(folder, 'empty'));
  expect(readdirSync(join(folder, 'empty'))).toEqual([MARKER]);
});

it('leaves a folder with anything else alone', () => {
  write('mine', '.hidden');
  expect(() => emptyOutput(join(folder, 'mine'))).toThrow('mine would be emptied, and it was not made here');
  expect(readdirSync(join(folder, 'mine'))).toEqual(['.hidden']);
});

describe('refuses, also where its mark stands,', () => {
  /** A mark in a folder that matters must not be enough. */
  const marked = (...names) => {
    write(...names, MARKER);
    return join(folder, ...names);
  };

  it('a folder with something in it that is still needed, by whatever name', () => {
    const out = marked('out');
    write('out', 'natives', 'file');
    symlinkSync(out, join(folder, 'link'));
    const natives = join(out, 'natives');
    for (const name of [out, `${out}/`, join(folder, 'link'), join(out, 'natives', '..'), natives, folder]) {
      expect(() => emptyOutput(name, [natives]), name).toThrow('would be emptied, and');
    }
    expect(() => emptyOutput(out, [join(folder, 'link', 'natives')])).toThrow('would be emptied, and');
    expect(() => emptyOutput(out, [join(out, 'not', 'yet')])).toThrow('would be emptied, and');
    expect(existsSync(join(natives, 'file'))).toBe(true);
  });

  // Only asked, so that a guard that is gone does no harm.
  it('the repository, the home, and all they are in', () => {
    for (const lost of [root, dirname(root)]) expect(outputProblem(lost)).toContain(`and ${root} is in it`);
    for (const lost of [homedir(), dirname(homedir()), '/']) expect(outputProblem(lost)).toMatch(/ is in it$/);
    symlinkSync(root, join(folder, 'link'));
    expect(outputProblem(join(folder, 'link'))).toContain(`and ${root} is in it`);
  });
});

it('a folder that only begins like one that is needed is another one', () => {
  mkdirSync(join(folder, 'natives-old'));
  emptyOutput(join(folder, 'natives'), [join(folder, 'natives-old')]);
  expect(readdirSync(join(folder, 'natives'))).toEqual([MARKER]);
});

it('packing asks first: neither what it was given nor a folder of somebody is lost', async () => {
  write('out', 'natives', 'file');
  const [out, natives] = [join(folder, 'out'), join(folder, 'out', 'natives')];
  await expect(packageAll({ output: out })).rejects.toThrow('it was not made here');
  write('out', MARKER);
  await expect(packageAll({ output: out, natives })).rejects.toThrow(`and ${natives} is in it`);
  expect(existsSync(join(natives, 'file'))).toBe(true);
});

it('packing without the WASM module is refused, and says what builds it', async () => {
  const packed = packageAll({ output: join(folder, 'out'), wasm: join(folder, 'none.wasm') });
  await expect(packed).rejects.toThrow(`handrail/wasm has no module. To build it: ${GET_TARGET}`);
  expect(readdirSync(join(folder, 'out'))).toEqual([MARKER]);
});
