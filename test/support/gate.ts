/** A gate in a shell script: the script waits there until the test opens it, so that a test depends on no timing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

export interface Gate {
  /** The command with which the script waits for the gate. */
  readonly wait: string;
  open(): void;
}

export function gate(): Gate {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-gate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'open');
  return { wait: `until [ -e ${file} ]; do sleep 0.02; done`, open: () => writeFileSync(file, '') };
}
