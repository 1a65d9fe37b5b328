import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

import { Terminal } from '../../ts/index.js';

const HOST = fileURLToPath(new URL('introspection.mjs', import.meta.url));
const NOBODY = 65534;
const VICTIMS = ['host', 'supervisor', 'parallel'] as const;

const isRoot = process.getuid?.() === 0;
/** Both when the tests run as root; as an ordinary user only that user can be tried. */
const USERS = isRoot ? [{ uid: 0 }, { uid: NOBODY }] : [{ uid: process.getuid?.() ?? NOBODY }];

function readable(uid: number, guard: 'on' | 'off'): Record<(typeof VICTIMS)[number], string[]> {
  const identity = isRoot && uid !== 0 ? { uid, gid: uid } : {};
  const output = execFileSync(process.execPath, [HOST, guard], {
    ...identity,
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '', PLANTED: 'in the environment of the host' },
    encoding: 'utf8',
  });
  return JSON.parse(output) as Record<(typeof VICTIMS)[number], string[]>;
}

describe.each(USERS)('as uid $uid', ({ uid }) => {
  test('a command reads nothing of the host, the supervisor and a parallel run, which have no number in its PID namespace', () => {
    const read = readable(uid, 'on');
    for (const victim of VICTIMS) expect({ victim, read: read[victim] }).toEqual({ victim, read: [] });
  });

  test('the attack works with the guard off', () => {
    const read = readable(uid, 'off');
    expect(read.host).toEqual(expect.arrayContaining(['cwd', 'environ', 'fd', 'maps', 'root']));
    expect(read.parallel).toEqual(expect.arrayContaining(['cwd', 'environ', 'fd', 'maps', 'root']));
  });
});

test('capabilities say what makes it so', async () => {
  const terminal = new Terminal();
  try {
    const environ = terminal.capabilities().features.find(({ feature }) => feature === 'environ');
    expect(environ?.level).toBe('enforced');
    expect(environ?.detail).toMatch(/Landlock abi \d+ domain per run/);
    expect(environ?.detail).toContain(isRoot ? 'PID namespace' : 'cmdline can');
  } finally {
    await terminal.close();
  }
});
