import { defineConfig } from 'vitest/config';
import { LIVENESS_MS } from './test/support/liveness.js';

/** A test that starts real processes is slow on a busy machine, not hung: longer than any wait in a test. */
const TEST_TIMEOUT_MS = 240_000;

const FILES = ['test/**/*.test.ts', 'test/{release,scripts}/*.test.mjs'];
/** What is in there loads the machine; `npm test` runs it after everything else. */
const ALONE = process.env['HANDRAIL_ALONE'] === '1' ? [] : ['test/alone/**'];
/**
 * Tests that look at their whole process, kill what it has started, or put modules of their own in the place of ours. The
 * others share a few processes, which spares a start of Node and of what they import for each file.
 */
const OWN = [
  'test/{alone,attacks,kill,layers,leaks,native}/**/*.test.ts',
  // The SDK for agents listens to unhandled rejections of the whole process, and vitest then takes them for handled.
  'test/adapters/*.test.ts',
  'test/mcp/{malformed,toolkit}.test.ts',
  'test/compat/executor-ends.test.ts',
  'test/report/failure-codes.test.ts',
  'test/terminal/{descriptors,facade,lifecycle,options,permission,process,thousand-runs}.test.ts',
];

export default defineConfig({
  test: {
    // The order of the groups keeps files that share a process one after the other.
    projects: [
      { extends: true, test: { name: 'shared', include: FILES, exclude: [...ALONE, ...OWN], isolate: false } },
      { extends: true, test: { name: 'own', include: OWN, exclude: ALONE, sequence: { groupOrder: 1 } } },
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
