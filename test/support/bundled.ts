/** Bundles test programs that import internal modules, so that plain Node can run them. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll } from 'vitest';
import { REPOSITORY } from './copy.js';

/** Bundles a program, and removes the bundle after the tests of this file. */
export async function bundled(file: string): Promise<string> {
  // Inside the repository, as native code is searched for from there, in a folder that git ignores.
  const folder = mkdtempSync(path.join(REPOSITORY, 'target', 'handrail-host-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  // Tests may run the bundle as another user.
  chmodSync(folder, 0o755);
  const built = await rolldown({ input: file, platform: 'node', external: [/^node:/] });
  const output = path.join(folder, 'host.mjs');
  await built.write({ file: output, format: 'es', codeSplitting: false });
  await built.close();
  return output;
}
