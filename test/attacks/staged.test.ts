/** `changes: 'staged'`: no command reaches the root before its end, or the layer of any command by another path. */
import { describe, expect, test } from 'vitest';

import { LIVENESS_MS } from '../support/liveness.js';
import { hostProgram, USERS } from './hosts.js';
import type { StagedAnswer, StagedRequest } from './staged-host.js';

const host = await hostProgram<StagedRequest, StagedAnswer>('staged-host.ts');

const OPEN = { exec: 'any', reads: 'any' } as const;

/** What the kernel refuses in the layer of a command: each script ends with another code than 0. */
const HELD: Readonly<Record<string, string>> = {
  'the list of layers': 'test -n "$(ls $LAYERS)"',
  'the files of a layer': 'cat $LAYERS/*/layer.json',
  'what is written, by its place in the layer': 'echo x > first.txt; cat $LAYERS/*/0/upper/first.txt',
  'a new file past the layer': 'for d in $LAYERS/*/0/upper; do echo x > $d/past; done',
  'the root by the first process': 'echo x > /proc/1/root$REAL/made',
  'the mount': `python3 -c "import ctypes, sys; sys.exit(ctypes.CDLL(None).umount2(b'$REAL', 2) != 0)"`,
  'a file beside the root': 'echo x > $OUTSIDE/made',
};

/** Each leaves its work with a code of its own, which others find in the root. */
const WORK: Readonly<Record<string, string>> = {
  'new files': 'mkdir -p a/b; echo new > a/b/new.txt; ls $REAL/a; exit 5',
  'what the last one left': 'cat a/b/new.txt; rm -r a; echo more >> notes.txt; mv folder moved; exit 6',
  'what is there now': 'cat notes.txt moved/inner.txt; test ! -e folder',
};

describe.each(USERS)('as user %i', (uid) => {
  test('each command finds what the last one left, and leaves no layer', { timeout: LIVENESS_MS }, async () => {
    const staged = await host(uid, { changes: 'staged', scripts: WORK });
    expect(staged.runs).toEqual({
      'new files': { exitCode: 5, output: 'b\n', committed: true },
      'what the last one left': { exitCode: 6, output: 'new\n', committed: true },
      'what is there now': { exitCode: 0, output: 'noted\nmore\ninner\n', committed: true },
    });
    expect(staged.machine).toEqual({
      'work/moved/inner.txt': 'inner\n',
      'work/notes.txt': 'noted\nmore\n',
      'outside/secret': 'outside\n',
    });
    expect(staged.layers).toEqual([]);
    const direct = await host(uid, { changes: 'direct', scripts: WORK });
    expect(direct.machine).toEqual(staged.machine);
  });

  test('the kernel holds a command to its layer', { timeout: LIVENESS_MS }, async () => {
    const { runs, machine } = await host(uid, { changes: 'staged', confine: OPEN, scripts: HELD });
    for (const name of Object.keys(HELD)) expect(runs[name]?.exitCode, `${name}: ${runs[name]?.output}`).not.toBe(0);
    expect(Object.keys(machine)).toEqual([
      'work/first.txt',
      'work/folder/inner.txt',
      'work/notes.txt',
      'outside/secret',
    ]);
  });

  test('what a program goes on to write after its end is not there', { timeout: LIVENESS_MS }, async () => {
    const scripts = { left: '(sleep 0.2; echo late > late.txt) & echo x > now.txt', after: 'sleep 0.4; ls' };
    const { runs } = await host(uid, { changes: 'staged', scripts });
    expect(runs['after']?.output).toBe('folder\nnotes.txt\nnow.txt\n');
  });
});
