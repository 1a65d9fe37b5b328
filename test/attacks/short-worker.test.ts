/**
 * Workers that hold commands to less than was counted on when they were judged: what passed because of it does not run. The
 * machine holds it all when it is tried out, and the supervisor's workers are those of a kernel without namespaces.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';

import { createToolkit } from '../../ts/index.js';
import type { Native } from '../../ts/native/loader.js';
import { LIVENESS_MS } from '../support/liveness.js';
import { programsForAll } from './hosts.js';

/** What `loadNative` gives in place of the supervisor, once it is written. */
const replaced = vi.hoisted((): { supervisorPath?: string } => ({}));
vi.mock('../../ts/native/loader.js', async (original) => {
  const module = await original<{ loadNative(): Native }>();
  return { ...module, loadNative: () => ({ ...module.loadNative(), ...replaced }) };
});
const { loadNative } = await import('../../ts/native/loader.js');

/** The newest version of Landlock that there is: nothing of it is missing. */
const NEWEST = 2 ** 30;
/** What nobody knows before it runs, as an argument and as a variable of a program that no table knows. */
const UNKNOWN = 'mknod $(printf made) p';
const UNKNOWN_VARIABLE = 'FOO=a getopt x -x';
const ALLOW = ['getopt', 'mkdir', 'mknod', 'printf'];

const programs = programsForAll();
const folder = mkdtempSync(path.join(tmpdir(), 'handrail-short-worker-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Tries things out as this kernel, and works as one that gives nobody a namespace. */
function shortSupervisor(): string {
  const { supervisorPath } = loadNative();
  const file = path.join(folder, 'supervisor');
  const older = path.join(programs ?? '', 'older');
  writeFileSync(
    file,
    `#!/bin/sh\n[ "$1" = probe ] || exec ${older} ${NEWEST} ${supervisorPath}\nexec ${supervisorPath} "$1"\n`,
  );
  chmodSync(file, 0o755);
  return file;
}

async function toolkitWith(name: string, supervisorPath?: string) {
  if (supervisorPath !== undefined) replaced.supervisorPath = supervisorPath;
  const roots = [mkdtempSync(path.join(folder, name))];
  const toolkit = await createToolkit({ roots, terminal: { allow: ALLOW, shell: 'bash' } });
  delete replaced.supervisorPath;
  const isMade = (made: string) => existsSync(path.join(roots[0] ?? '', made));
  return { toolkit, isMade };
}

describe.skipIf(programs === undefined)('what is allowed because the list of programs is held', () => {
  test('runs where workers hold it', async () => {
    const { toolkit, isMade } = await toolkitWith('held');
    expect((await toolkit.terminal.run(UNKNOWN)).ok).toBe(true);
    expect(isMade('made')).toBe(true);
    await toolkit.close();
  });

  test(
    'does not run where a worker holds less, and is a question from then on',
    async () => {
      const { toolkit, isMade } = await toolkitWith('short', shortSupervisor());
      const { terminal } = toolkit;
      // What needs nothing of it runs, with what there is.
      const plain = await terminal.run('mkdir plain');
      expect([plain.ok, plain.sandbox.enforced.includes('exec: best-effort')]).toEqual([true, true]);
      expect(terminal.explain(UNKNOWN).decision).toBe('allow');
      expect(await terminal.run(UNKNOWN)).toMatchObject({ ok: false, failure: { code: 'system' } });
      expect([isMade('plain'), isMade('made')]).toEqual([true, false]);
      expect(terminal.explain(UNKNOWN).decision).toBe('ask');
      await toolkit.close();
    },
    LIVENESS_MS,
  );

  test(
    'does not run either when it is the first that a worker is made for',
    async () => {
      const { toolkit, isMade } = await toolkitWith('first', shortSupervisor());
      const { terminal } = toolkit;
      expect(terminal.explain(UNKNOWN).decision).toBe('allow');
      expect(await terminal.run(UNKNOWN)).toMatchObject({ ok: false, exitCode: null });
      expect(isMade('made')).toBe(false);
      expect(terminal.explain(UNKNOWN).decision).toBe('ask');
      await toolkit.close();
    },
    LIVENESS_MS,
  );

  test(
    'starts no session either',
    async () => {
      const { toolkit } = await toolkitWith('session', shortSupervisor());
      expect(toolkit.terminal.explain(UNKNOWN_VARIABLE).decision).toBe('allow');
      const { content } = await toolkit.execute('session_start', { command: UNKNOWN_VARIABLE });
      expect(content).toMatch(/^(?:\[s1 is over: )?no process could be made/);
      expect(toolkit.terminal.explain(UNKNOWN_VARIABLE).decision).toBe('ask');
      await toolkit.close();
    },
    LIVENESS_MS,
  );
});
