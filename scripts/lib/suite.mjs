// Runs checks one after the other, keeps going after a failure, and ends with one line that counts.
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

/**
 * @param {string} title
 * @param {Array<{name: string, run: () => Promise<import('./checks.mjs').Outcome>}>} checks
 * @returns {Promise<boolean>} true when all of them passed
 */
export async function runSuite(title, checks) {
  heading(title);
  let total = NOTHING;
  const failures = [];
  for (const check of checks) {
    await step(check.name, async () => {
      const outcome = await check.run();
      total = add(total, countsOf(outcome));
      if (!outcome.ok) failures.push({ name: check.name, output: outcome.output });
      return remark(outcome);
    });
  }
  for (const { name, output } of failures) {
    heading(`${name} failed`);
    say(tail(output.trimEnd()));
  }
  if (failures.length > 0) say(`\nfailed: ${failures.map(({ name }) => name).join(', ')}`);
  say(`\n${closingLine(total)}`);
  return failures.length === 0;
}
