import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

import { Terminal } from '../../ts/index.js';
import { stateFolder } from '../../ts/terminal/state-folder.js';

test('the folder for temporary files is used unless agents may work in it', () => {
  const workspace = mkdtempSync(path.join(tmpdir(), 'handrail-test-'));
  try {
    expect(stateFolder([])).toBe(tmpdir());
    expect(stateFolder([workspace])).toBe(tmpdir());
    expect(stateFolder([tmpdir()])).not.toBe(tmpdir());
    expect(stateFolder([path.join(tmpdir(), '..', path.basename(tmpdir()))])).not.toBe(tmpdir());
    expect(stateFolder(['/'])).toBe(tmpdir());
  } finally {
    rmSync(workspace, { recursive: true });
  }
});

test('a spill file lies outside of the workspace', async () => {
  const terminal = new Terminal({ allow: ['seq'], roots: [{ path: tmpdir(), mode: 'rw' }] });
  try {
    const { spill } = await terminal.run(['seq', '100000']);
    expect(spill?.path).toBeDefined();
    expect(spill?.path.startsWith(`${tmpdir()}/`)).toBe(false);
  } finally {
    await terminal.close();
  }
});
