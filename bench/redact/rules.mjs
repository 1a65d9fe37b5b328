// The cost of rules that a user adds: creating a redactor with them, and searching a text.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Redactor } from '../../dist/index.js';
import { assertEqual } from '../lib/assert.mjs';
import { median, rounded, summary } from '../lib/statistics.mjs';
import { interleaveCpuTime } from './cpu-time.mjs';
import { Random } from './generator/random.mjs';
import { speedTexts } from './texts.mjs';

const BYTES = { full: 64 << 20, quick: 1 << 20 };
/** The part of the log that is searched. */
const SEARCHED_BYTES = 16 << 20;
const RULE_COUNTS = [10, 100, 1000];
const ROUNDS = { full: 5, quick: 1 };
const PATTERN_TAILS = [
  '[A-Za-z0-9]{32}',
  '[0-9a-f]{40}',
  '[A-Z0-9_-]{20,64}',
  '(?:live|test)_[a-zA-Z0-9]{24}',
  '[\\w.-]{16,}',
];
const PREFIX_CHARS = 5;
const FIRST_REDACTOR_PROGRAM = fileURLToPath(new URL('first-redactor.mjs', import.meta.url));

/** Patterns as teams write them: a prefix of their own and a character class. */
function patterns(count) {
  const random = new Random(9);
  return Array.from(
    { length: count },
    (_, index) => `\\b${prefix(random, index)}${PATTERN_TAILS[index % PATTERN_TAILS.length]}`,
  );
}

const prefix = (random, index) => `${random.text('abcdefghijklmnopqrstuvwxyz', PREFIX_CHARS)}${index}_`;

/** The text with one value in its middle that the first pattern of every list matches. */
function withMatch(text) {
  const value = `${prefix(new Random(9), 0)}${'aB3dE5gH'.repeat(4)}`;
  const middle = text.indexOf('\n', text.length >> 1) + 1;
  return Buffer.concat([text.subarray(0, middle), Buffer.from(`found ${value} here\n`), text.subarray(middle)]);
}

/** Milliseconds of the first redactor of a process. */
function timeFirstRedactor() {
  const { stdout, stderr, status } = spawnSync(process.execPath, [FIRST_REDACTOR_PROGRAM], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

/** @param {{quick: boolean}} context */
export async function rules({ quick }) {
  const rounds = quick ? ROUNDS.quick : ROUNDS.full;
  const { log } = speedTexts(quick ? BYTES.quick : BYTES.full);
  const text = withMatch(log.text.subarray(0, SEARCHED_BYTES));
  const optionsOf = (count) => ({ rules: 'none', patterns: patterns(count) });
  const creations = [0, ...RULE_COUNTS].map((count) => ({
    name: String(count),
    bytes: 0,
    run: () => {
      // 0 stands for a redactor with the built-in rules only.
      new Redactor(count === 0 ? {} : { patterns: patterns(count) });
    },
  }));
  const redactors = RULE_COUNTS.map((count) => ({ count, redactor: new Redactor(optionsOf(count)) }));
  for (const { count, redactor } of redactors) {
    assertEqual(`findings of ${count} rules`, 1, redactor.scan(text.toString('latin1')).length);
  }
  const searches = redactors.map(({ count, redactor }) => ({
    name: String(count),
    bytes: text.length,
    run: () => {
      redactor.redactBytes(text);
    },
  }));
  creations.push({ name: 'first', bytes: 0, run: timeFirstRedactor });
  const creationMs = await interleaveCpuTime(creations, rounds);
  const searchMs = await interleaveCpuTime(searches, rounds);
  const speedWith = (count) =>
    summary(
      searchMs[count].map((ms) => text.length / 1e3 / ms),
      1,
    );
  return {
    bytes: text.length,
    megabytesPerSecond: Object.fromEntries(RULE_COUNTS.map((count) => [count, speedWith(count)])),
    timeOf1000To100: rounded(median(searchMs[1000]) / median(searchMs[100]), 2),
    buildMs: Object.fromEntries(Object.entries(creationMs).map(([name, ms]) => [name, summary(ms, 2)])),
  };
}
