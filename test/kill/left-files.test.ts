import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

import { pastDeadline } from '../support/deadlines.js';
import { marker, until } from '../support/processes.js';
import { soakCount } from '../support/soak.js';
import { looseTerminal } from './run-escape.js';

const FULL_COUNT = 210_000;
const TEST_TIMEOUT_MS = 10 * 60_000;

/** Files in both folders, some in folders that nobody may look into or write to. */
const LEAVE_FILES = `
  for folder in "$HOME" "$TMPDIR"; do
    mkdir "$folder/sub" && cd "$folder/sub" && seq -f file-%.0f "$1" | xargs touch || exit 1
    mkdir closed && touch closed/file && chmod 0 closed && chmod 500 . && ln -s /etc "$folder/link" || exit 1
  done
  dirname "$HOME"`;

/** Both folders of the worker are there, with nothing in them. */
function isEmpty(folder: string): boolean {
  try {
    return ['home', 'tmp'].every((name) => readdirSync(path.join(folder, name)).length === 0);
  } catch {
    return false; // One is gone, and comes back empty.
  }
}

test(
  'a run that leaves a great many files delays no other, and they go away',
  async () => {
    const { terminal, close } = looseTerminal();
    try {
      const perFolder = String(Math.ceil(soakCount(FULL_COUNT) / 2));
      const left = await terminal.run(['bash', '-c', LEAVE_FILES, 'bash', perFolder], { timeoutMs: TEST_TIMEOUT_MS });
      expect(left).toMatchObject({ ok: true, stderr: '' });
      const folder = left.stdout.trim();

      // The next one: its deadline is kept, and the files are not in its way.
      const script = `echo began; ls "$HOME" "$TMPDIR"/*; sleep ${marker()}`;
      const next = await pastDeadline(
        (timeoutMs) => terminal.run(['bash', '-c', script], { timeoutMs }),
        ({ stdout }) => stdout !== '',
      );
      expect(next.status).toBe('timed_out');
      // Not because all workers were busy: it ran.
      expect(next.failure).toBeUndefined();
      expect(next.stdout).toMatch(/^began\n/);
      expect(next.stdout).not.toContain('sub');
      // Nobody keeps the loop of the host waiting either.
      expect(await until(() => !existsSync(folder) || isEmpty(folder))).toBeDefined();
      expect(existsSync('/etc/passwd')).toBe(true);
    } finally {
      await close();
    }
  },
  TEST_TIMEOUT_MS,
);
