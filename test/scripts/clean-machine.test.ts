import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchMachine } from '../support/clean-machine.js';
import { LIVENESS_MS } from '../support/liveness.js';

/** Nothing is waited for: what is left stays. */
const NOT_WAITED_MS = 100;

beforeEach(() => {
  vi.stubEnv('TMPDIR', tmpdir());
});
afterEach(() => {
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

it('fails a run that left a file behind, and removes it', async () => {
  const tearDown = watchMachine(NOT_WAITED_MS);
  const folder = tmpdir();
  writeFileSync(path.join(mkdtempSync(path.join(folder, 'leak-')), 'file'), '');
  await expect(tearDown()).rejects.toThrow(/^left behind by the tests:\n(.*\n)*.*\/leak-/);
  expect(process.exitCode).toBe(1);
  expect(existsSync(folder)).toBe(false);
});

it('is content with a run that cleaned up', async () => {
  const tearDown = watchMachine(LIVENESS_MS);
  const folder = tmpdir();
  await tearDown();
  expect(process.exitCode).toBeUndefined();
  expect(existsSync(folder)).toBe(false);
});
