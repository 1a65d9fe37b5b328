import { expect, it } from 'vitest';
import { add, closingLine, parseCargoTest, parseVitestReport } from '../../scripts/lib/counts.mjs';

it('sums the result lines of cargo test, failed crates included', () => {
  const output = [
    'running 2 tests',
    'test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s',
    'test says::test result: ok. 9 passed; 9 failed ... ok',
    'test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s',
  ].join('\n');
  expect(parseCargoTest(output)).toEqual({ passed: 15, failed: 2, skipped: 1 });
  expect(parseCargoTest('error: could not compile')).toEqual({ passed: 0, failed: 0, skipped: 0 });
});

it('counts a test file that could not be loaded as one failure', () => {
  const report = {
    numPassedTests: 5,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 1,
    testResults: [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{ status: 'failed' }] },
      { status: 'passed', assertionResults: [{ status: 'passed' }] },
    ],
  };
  expect(parseVitestReport(JSON.stringify(report))).toEqual({ passed: 5, failed: 2, skipped: 3 });
  expect(parseVitestReport('')).toEqual({ passed: 0, failed: 0, skipped: 0 });
});

it('closes with a line that stands alone', () => {
  const total = add({ passed: 1, failed: 0, skipped: 2 }, { passed: 3, failed: 1, skipped: 0 });
  expect(closingLine(total)).toBe('handrail: 4 passed, 1 failed, 2 skipped');
});
