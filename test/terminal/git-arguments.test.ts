import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

import { Terminal } from '../../ts/index.js';

/** Each writes a program into git's settings, or runs one, although it looks like reading. */
const REFUSED = [
  'git config core.pager ./evil --get',
  "git config alias.x '!./evil' --get",
  'git config core.fsmonitor ./evil --get-all --list',
  'git merge-index ./evil -a',
  'git merge-index -o -q ./evil a.txt',
];

const ALLOWED = ['git config --get core.pager', 'git config core.pager', 'git config --list', 'git status'];

test.each(REFUSED)('%s does not run where git is allowed', async (command) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-git-'));
  await using terminal = new Terminal({ allow: ['git'], cwd: folder });
  try {
    writeFileSync(path.join(folder, 'evil'), '#!/bin/sh\n', { mode: 0o755 });
    expect(terminal.explain(command)).toMatchObject({ decision: 'ask', reasons: [{ rule: 'argument.unseen' }] });
    expect((await terminal.run(command)).status).toBe('denied');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each(ALLOWED)('%s does', (command) => {
  expect(new Terminal({ allow: ['git'] }).explain(command).decision).toBe('allow');
});
