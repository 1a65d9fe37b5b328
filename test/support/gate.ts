/** A gate in a shell script: what is behind it happens once the test has seen what it waits for, however long that takes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

export interface Gate {
  /** The command of the script that waits. */
  readonly wait: string;
  open(): void;
}

export function gate(): Gate {
  const folder = mkdtempSync(path.join(tmpdir(), 'handrail-gate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'open');
  return { wait: `until [ -e ${file} ]; do sleep 0.02; done`, open: () => writeFileSync(file, '') };
}
