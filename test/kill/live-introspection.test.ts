/** What a session's program can do to its host, as test/kill/introspection.test.ts tries it with runs. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { bundled } from '../support/bundled.js';

const HOST = await bundled(fileURLToPath(new URL('live-introspection.ts', import.meta.url)));
const NOBODY = 65534;

const isRoot = process.getuid?.() === 0;
/** Both when the tests run as root; as an ordinary user only that user can be tried. */
const USERS = isRoot ? [0, NOBODY] : [process.getuid?.() ?? NOBODY];

function possible(uid: number, guard: 'on' | 'off'): string[] {
  const identity = isRoot && uid !== 0 ? { uid, gid: uid } : {};
  const output = execFileSync(process.execPath, [HOST, guard], {
    ...identity,
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '', PLANTED: 'in the environment of the host' },
    encoding: 'utf8',
  });
  return JSON.parse(output) as string[];
}

describe.each(USERS)('as uid %i', (uid) => {
  test('a program of a session reads nothing but cmdline of the host, in a PID namespace nothing, and signals neither it nor its worker', () => {
    // Root's programs have a PID namespace, in which the host has no number.
    expect(possible(uid, 'on')).toEqual(uid === 0 ? [] : ['cmdline']);
  });

  test('the attack works with the guard off', () => {
    expect(possible(uid, 'off')).toEqual(expect.arrayContaining(['cwd', 'environ', 'fd', 'maps', 'root', 'signal']));
  });
});
