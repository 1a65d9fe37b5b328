/** A folder outside of all roots, for the tests of one file. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/** Gives paths of files in that folder, and whether they exist. */
export interface Outside {
  readonly path: (name: string) => string;
  readonly has: (name: string) => boolean;
}

/** Creates the folder, and removes it after the tests. */
export function outside(parent: string = tmpdir()): Outside {
  const folder = mkdtempSync(path.join(parent, 'handrail-outside-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string): string => path.join(folder, name);
  return { path: at, has: (name) => existsSync(at(name)) };
}
