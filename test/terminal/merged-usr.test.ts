import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { Terminal } from '../../ts/index.js';

const isMerged = lstatSync('/bin').isSymbolicLink();

/** Harmless shell scripts that some package of every distribution brings. */
const SCRIPTS = [
  ['which', 'ls'],
  ['egrep', '--version'],
  ['gunzip', '--version'],
] as const;
const script = SCRIPTS.find(([name]) => startsWith(`/usr/bin/${name}`, '#!/bin/sh'));

function startsWith(file: string, start: string): boolean {
  try {
    return readFileSync(file, 'latin1').replace('#! ', '#!').startsWith(start);
  } catch {
    return false; // Not on this machine.
  }
}

test('both spellings of a folder are known when one is a link to the other', async () => {
  const machine = mkdtempSync(path.join(tmpdir(), 'handrail-usr-'));
  try {
    mkdirSync(path.join(machine, 'usr/bin'), { recursive: true });
    symlinkSync('usr/bin', path.join(machine, 'bin'));
    copyFileSync(realpathSync('/bin/true'), path.join(machine, 'usr/bin/true'));
    mkdirSync(path.join(machine, 'other'));
    copyFileSync(realpathSync('/bin/true'), path.join(machine, 'other/true'));
    const folders = [path.join(machine, 'usr/bin'), path.join(machine, 'bin')];
    for (const order of [folders, folders.toReversed()]) {
      await using terminal = new Terminal({ allow: ['true'], path: order });
      for (const folder of folders) {
        const result = await terminal.run([path.join(folder, 'true')]);
        expect({ folder, status: result.status, exitCode: result.exitCode }).toEqual({
          folder,
          status: 'exited',
          exitCode: 0,
        });
      }
      // The guard that knowing both must not loosen: a third folder with the same program.
      expect((await terminal.run([path.join(machine, 'other/true')])).status).toBe('denied');
    }
  } finally {
    rmSync(machine, { recursive: true });
  }
});

describe.runIf(isMerged)('on this machine, where /bin is a link', () => {
  test.each(['ls', '/bin/ls', '/usr/bin/ls'])('%s runs', async (name) => {
    await using terminal = new Terminal({ allow: ['ls'] });
    expect(terminal.explain([name, '/']).decision).toBe('allow');
    const result = await terminal.run([name, '/']);
    expect(result).toMatchObject({ status: 'exited', exitCode: 0 });
    expect(result.output).toContain('usr\n');
  });

  test.runIf(script !== undefined)('so does a script of the system whose first line names /bin/sh', async () => {
    const [name, argument] = script as (typeof SCRIPTS)[number];
    await using terminal = new Terminal({ allow: [name] });
    for (const spelling of [name, `/bin/${name}`, `/usr/bin/${name}`]) {
      const result = await terminal.run([spelling, argument]);
      expect({ spelling, status: result.status, exitCode: result.exitCode }).toEqual({
        spelling,
        status: 'exited',
        exitCode: 0,
      });
      expect(result.output).not.toBe('');
    }
  });
});
