import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Terminal } from '../../ts/index.js';

/** As Debian's `pg_wrapper`: under a name of its own it takes its first argument for the program. */
const WRAPPER = '#!/bin/sh\ncase "$0" in\n*/wrapper) exec "$@" ;;\nesac\necho "called $(basename "$0")" "$@"\n';
const GROUP_OR_OTHERS_WRITE = 0o022;

/** Down from `/` nobody else may change it: scripts are run from no other place. */
function isPrivate(folder: string): boolean {
  const parent = path.dirname(folder);
  const isShared = (statSync(folder).mode & GROUP_OR_OTHERS_WRITE) !== 0;
  return !isShared && (parent === folder || isPrivate(parent));
}

let folder = '';
const inFolder = (name: string): string => path.join(folder, name);

beforeAll(() => {
  const parent = [process.cwd(), homedir()].map((candidate) => realpathSync(candidate)).find(isPrivate);
  if (parent === undefined) throw new Error('neither this folder nor the home folder is private');
  folder = mkdtempSync(path.join(parent, '.handrail-test-'));
  mkdirSync(inFolder('bin'));
  mkdirSync(inFolder('share'));
  writeFileSync(inFolder('share/wrapper'), WRAPPER, { mode: 0o755 });
  symlinkSync('../share/wrapper', inFolder('bin/query'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a script with many names runs as the name that was allowed, not as what its link leads to', async () => {
  await using terminal = new Terminal({ allow: ['query', 'basename'], path: [inFolder('bin'), '/bin', '/usr/bin'] });
  for (const name of ['query', inFolder('bin/query')]) {
    const result = await terminal.run([name, 'touch', inFolder('made')]);
    expect(result).toMatchObject({ status: 'exited', stdout: `called query touch ${inFolder('made')}\n` });
    expect(existsSync(inFolder('made'))).toBe(false);
  }
  // The attack: started by the name of the link's target, the script runs its first argument.
  spawnSync('/bin/sh', [realpathSync(inFolder('bin/query')), 'touch', inFolder('made')]);
  expect(existsSync(inFolder('made'))).toBe(true);
});
