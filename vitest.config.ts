import { defineConfig } from 'vitest/config';
import { LIVENESS_MS } from './test/support/liveness.js';

/** A test that starts real processes is slow on a busy machine, not hung: longer than any wait in a test. */
const TEST_TIMEOUT_MS = 240_000;

const FILES = ['test/**/*.test.ts', 'test/{release,scripts}/*.test.mjs'];
/** What is in there loads the machine; `npm test` runs it after everything else. */
const ALONE = process.env['HANDRAIL_ALONE'] === '1' ? [] : ['test/alone/**'];
/**
 * Folders whose tests change nothing of the process they run in: their files share one, which spares a start of Node and of
 * what they import for each.
 */
const SHARED = ['test/{cli,config,examples,package,redaction,release,scripts,tools,types}/**/*.test.{ts,mjs}'];

export default defineConfig({
  test: {
    // The order of the groups keeps files that share a process one after the other.
    projects: [
      { extends: true, test: { name: 'shared', include: SHARED, exclude: ALONE, isolate: false } },
      {
        extends: true,
        test: { name: 'own', include: FILES, exclude: [...ALONE, ...SHARED], sequence: { groupOrder: 1 } },
      },
    ],
    // Native code is tested in processes of its own: a worker thread of vitest would share one with others.
    pool: 'forks',
    // Two for each processor of the smallest machine: about half of what a test file takes is waiting.
    maxWorkers: 4,
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    teardownTimeout: TEST_TIMEOUT_MS,
    expect: { poll: { timeout: LIVENESS_MS } },
    setupFiles: ['test/support/quiet-console.ts'],
    globalSetup: ['test/support/clean-machine.ts'],
    // A test run checks snapshots and never writes one.
    update: 'none',
    allowOnly: false,
    passWithNoTests: false,
  },
});
