// Reads the number of tests from the output of cargo test and the report of vitest.

export const NO_TESTS = Object.freeze({ passed: 0, failed: 0, skipped: 0 });

export function add(left, right) {
  return {
    passed: left.passed + right.passed,
    failed: left.failed + right.failed,
    skipped: left.skipped + right.skipped,
  };
}

/** Sums the `test result:` lines of cargo test. */
export function parseCargoTest(stdout) {
  const line = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/gm;
  let sum = NO_TESTS;
  for (const [, passed, failed, skipped] of stdout.matchAll(line)) {
    sum = add(sum, { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) });
  }
  return sum;
}

/** Reads vitest's JSON report. A file that could not be loaded has no tests in it and counts as one failure. */
export function parseVitestReport(text) {
  if (text === '') return NO_TESTS;
  const report = JSON.parse(text);
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** The last line of a suite, which CI reads. */
export function closingLine({ passed, failed, skipped }) {
  return `handrail: ${passed} passed, ${failed} failed, ${skipped} skipped`;
}
