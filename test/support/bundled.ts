/** Programs of tests that reach what the package does not export, as files that plain Node runs. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll } from 'vitest';
import { REPOSITORY } from './copy.js';

/** Bundles a program; it is gone with the tests of this file. */
export async function bundled(file: string): Promise<string> {
  // In the repository, because native code is looked for from there; in a folder that git does not see.
  const folder = mkdtempSync(path.join(REPOSITORY, 'target', 'handrail-host-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  // Another user may be the one who runs it.
  chmodSync(folder, 0o755);
  const built = await rolldown({ input: file, platform: 'node', external: [/^node:/] });
  const output = path.join(folder, 'host.mjs');
  await built.write({ file: output, format: 'es', codeSplitting: false });
  await built.close();
  return output;
}
