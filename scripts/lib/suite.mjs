// Runs checks, keeps going after a failure, and ends with one line that counts.
import { add, closingLine, NOTHING } from './counts.mjs';
import { heading, say, step } from './steps.mjs';

const SHOWN_OUTPUT_CHARS = 40_000;

/** The end of a long output is where compilers and test runners say what went wrong. */
function tail(output) {
  const cut = output.length - SHOWN_OUTPUT_CHARS;
  return cut > 0 ? `(${cut} characters before this are left out)\n${output.slice(cut)}` : output;
}

/** A check that failed without a failed test still has to show in the count. */
function countsOf({ ok, counts = NOTHING }) {
  return ok || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

function remark({ ok, counts, note }) {
  const numbers = counts ? `${counts.passed} passed, ${counts.failed} failed` : '';
  return [ok ? '' : 'FAILED', numbers, note].filter(Boolean).join('  ');
}

/** @typedef {{name: string, run: () => Promise<import('./checks.mjs').Outcome>}} Check */

/**
 * @param {string} title
 * @param {Array<Check | Check[][]>} checks one after the other; lists of checks run side by side, as each of them leaves
 *   a core idle
 * @returns {Promise<boolean>} true when all of them passed
 */
export async function runSuite(title, checks) {
  heading(title);
  let total = NOTHING;
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
