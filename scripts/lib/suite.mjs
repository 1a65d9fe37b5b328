// Runs checks, continues after a failure, and ends with a line that counts tests.
import { add, closingLine, NO_TESTS } from './counts.mjs';
import { heading, say, step } from './steps.mjs';

const SHOWN_OUTPUT_CHARS = 40_000;

/** The end of a long output, where compilers and test runners report errors. */
function tail(output) {
  const omittedChars = output.length - SHOWN_OUTPUT_CHARS;
  return omittedChars > 0
    ? `(${omittedChars} characters before this are left out)\n${output.slice(omittedChars)}`
    : output;
}

/** A failed check without a failed test counts as one failure. */
function countsOf({ ok, counts = NO_TESTS }) {
  return ok || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

function remark({ ok, counts, note }) {
  const numbers = counts ? `${counts.passed} passed, ${counts.failed} failed` : '';
  return [ok ? '' : 'FAILED', numbers, note].filter(Boolean).join('  ');
}

/** @typedef {{name: string, run: () => Promise<import('./checks.mjs').Outcome>}} Check */

/**
 * @param {string} title
 * @param {Array<Check | Check[][]>} checks run one after the other. Lists of checks inside an array run in parallel,
 *   as each of them keeps only one core busy
 * @returns {Promise<boolean>} true when all of them passed
 */
export async function runSuite(title, checks) {
  heading(title);
  let total = NO_TESTS;
  const failures = [];
  const runEach = async (list) => {
    for (const check of list) {
      if (Array.isArray(check)) await Promise.all(check.map(runEach));
      else await step(check.name, () => runOne(check));
    }
  };
  const runOne = async (check) => {
    const outcome = await check.run();
    total = add(total, countsOf(outcome));
    if (!outcome.ok) failures.push({ name: check.name, output: outcome.output });
    return remark(outcome);
  };
  await runEach(checks);
  for (const { name, output } of failures) {
    heading(`${name} failed`);
    say(tail(output.trimEnd()));
  }
  if (failures.length > 0) say(`\nfailed: ${failures.map(({ name }) => name).join(', ')}`);
  say(`\n${closingLine(total)}`);
  return failures.length === 0;
}
