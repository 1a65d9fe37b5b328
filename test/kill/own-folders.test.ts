import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { until } from '../support/processes.js';
import { looseTerminal } from './run-escape.js';

/** More runs than there are idle workers: each of them serves one. */
const NEXT_RUNS = 8;
/** Runs well with nothing but its own two folders: an empty one, and a home with nothing but settings of the user's tools. */
const WANTS_FOLDERS =
  '[ -z "$(ls -A "$HOME" | grep -vxE "\\.(gitconfig|npmrc|cargo)")$(ls -A "$TMPDIR")" ] && file=$(mktemp) && echo "$file"';

/** A folder with the same layout as a worker's. */
function victim(): { readonly folder: string; isWhole(): boolean } {
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'handrail-victim-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = ['home', 'tmp'].map((name) => {
    mkdirSync(path.join(folder, name));
    return path.join(folder, name, 'precious');
  });
  for (const file of files) writeFileSync(file, 'precious');
  return { folder, isWhole: () => files.every((file) => readFileSync(file, 'utf8') === 'precious') };
}

/** Folders of engines of this process. */
function stateFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`handrail-${process.pid}-`));
}

test('a command that puts a link in the place of its folder makes nothing else go away', async () => {
  const { folder, isWhole } = victim();
  const { terminal, close } = looseTerminal({ confine: false });
  const before = stateFolders();
  try {
    for (let round = 0; round < NEXT_RUNS; round += 1) {
      const swap = await terminal.run(['bash', '-c', 'W=$(dirname $HOME); mv $W $W.x; ln -s "$1" $W', 'bash', folder]);
      expect(swap).toMatchObject({ ok: true, stderr: '' });
      const next = await terminal.run(['bash', '-c', WANTS_FOLDERS]);
      expect(next).toMatchObject({ ok: true, stderr: '' });
      expect(isWhole()).toBe(true);
    }
  } finally {
    await close();
  }
  expect(isWhole()).toBe(true);
  expect(stateFolders()).toEqual(before);
});

test('a command that removes all private folders ends nothing but itself', async () => {
  const { terminal, close } = looseTerminal({ confine: false });
  try {
    // A worker that starts meanwhile makes its folder in there, so one removal may find it not empty.
    const script = 'S=$(dirname $(dirname $HOME)); until rm -rf "$S" 2>/dev/null; do :; done; echo "$S"';
    const removal = await terminal.run(['bash', '-c', script]);
    expect(removal).toMatchObject({ ok: true, stderr: '' });
    const folder = removal.stdout.trim();
    // Workers that were idle find their folders again, or run once without.
    const next = await terminal.run(['bash', '-c', 'echo next']);
    expect(next).toMatchObject({ ok: true, stdout: 'next\n' });
    expect(await until(() => stateFolders().includes(path.basename(folder)))).toBeDefined();
    for (let run = 0; run < NEXT_RUNS; run += 1) {
      expect(await terminal.run(['bash', '-c', WANTS_FOLDERS])).toMatchObject({ ok: true, stderr: '' });
    }
    const long = await terminal.run(['bash', '-c', 'seq 100000']);
    expect(long.spill).toBeDefined();
    expect(readFileSync(long.spill?.path as string, 'utf8')).toMatch(/^1\n2\n/);
  } finally {
    await close();
  }
});
