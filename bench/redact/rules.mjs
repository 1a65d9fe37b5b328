// What rules of the user cost: to build and to search for.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Redactor } from '../../dist/index.js';
import { median, rounded, summary } from '../lib/statistics.mjs';
import { mustBe } from './answer.mjs';
import { Random } from './generator/random.mjs';
import { takeTurns } from './take-turns.mjs';
import { speedTexts } from './texts.mjs';

const BYTES = { full: 64 << 20, quick: 1 << 20 };
/** Of the log, so much is searched. */
const SEARCHED_BYTES = 16 << 20;
const COUNTS = [10, 100, 1000];
const ROUNDS = { full: 5, quick: 1 };
const TAILS = ['[A-Za-z0-9]{32}', '[0-9a-f]{40}', '[A-Z0-9_-]{20,64}', '(?:live|test)_[a-zA-Z0-9]{24}', '[\\w.-]{16,}'];
const PREFIX_CHARS = 5;
const FIRST = fileURLToPath(new URL('first.mjs', import.meta.url));

/** Patterns as teams write them: a mark of their own and a class. */
function patterns(count) {
  const random = new Random(9);
  return Array.from({ length: count }, (_, index) => `\\b${prefix(random, index)}${TAILS[index % TAILS.length]}`);
}

const prefix = (random, index) => `${random.text('abcdefghijklmnopqrstuvwxyz', PREFIX_CHARS)}${index}_`;

/** A value that the first pattern of every list finds, in the middle of the text. */
function withMatch(text) {
  const value = `${prefix(new Random(9), 0)}${'aB3dE5gH'.repeat(4)}`;
  const middle = text.indexOf('\n', text.length >> 1) + 1;
  return Buffer.concat([text.subarray(0, middle), Buffer.from(`found ${value} here\n`), text.subarray(middle)]);
}

/** Milliseconds of the first redactor of a process. */
function runFirst() {
  const { stdout, stderr, status } = spawnSync(process.execPath, [FIRST], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

/** @param {{quick: boolean}} context */
export async function rules({ quick }) {
  const rounds = quick ? ROUNDS.quick : ROUNDS.full;
  const { log } = speedTexts(quick ? BYTES.quick : BYTES.full);
  const text = withMatch(log.text.subarray(0, SEARCHED_BYTES));
  const optionsOf = (count) => ({ rules: 'none', patterns: patterns(count) });
  const building = [0, ...COUNTS].map((count) => ({
    name: String(count),
    bytes: 0,
    run: () => {
      // Without any, the built-in rules.
      new Redactor(count === 0 ? {} : { patterns: patterns(count) });
    },
  }));
  const redactors = COUNTS.map((count) => ({ count, redactor: new Redactor(optionsOf(count)) }));
  for (const { count, redactor } of redactors) {
    mustBe(`findings of ${count} rules`, 1, redactor.scan(text.toString('latin1')).length);
  }
  const searching = redactors.map(({ count, redactor }) => ({
    name: String(count),
    bytes: text.length,
    run: () => {
      redactor.redactBytes(text);
    },
  }));
  building.push({ name: 'first', bytes: 0, run: runFirst });
  const built = await takeTurns(building, rounds);
  const searched = await takeTurns(searching, rounds);
  const rate = (count) =>
    summary(
      searched[count].map((ms) => text.length / 1e3 / ms),
      1,
    );
  return {
    bytes: text.length,
    megabytesPerSecond: Object.fromEntries(COUNTS.map((count) => [count, rate(count)])),
    timeOf1000To100: rounded(median(searched[1000]) / median(searched[100]), 2),
    buildMs: Object.fromEntries(Object.entries(built).map(([name, ms]) => [name, summary(ms, 2)])),
  };
}
