// The baseline of the redactor's search: ripgrep, searching for thirty literals on one core.
import { spawnSync } from 'node:child_process';
import { assertEqual } from '../lib/assert.mjs';
import { FORMATS } from './generator/formats.mjs';

const LITERAL_COUNT = 30;
/** A literal is the fixed beginning of a format. Shorter ones would occur in any text. */
const MIN_LITERAL_CHARS = 4;
/** The shell's clock has hundredths of a second, so a text is searched repeatedly until so many bytes were searched. */
const MIN_SEARCHED_BYTES = 512 << 20;
const NEWLINE = '\n'.charCodeAt(0);

/** The output of the shell's `times`: user and system time of the shell, and on the second line those of its children. */
const DURATION = String.raw`(\d+)m([\d.]+)s`;
const TIMES = new RegExp(`${DURATION} ${DURATION}\\n${DURATION} ${DURATION}\\n$`);

const LITERALS = [...new Set(FORMATS.map(({ template }) => template.split('{', 1)[0]))]
  .filter((prefix) => prefix.length >= MIN_LITERAL_CHARS)
  .slice(0, LITERAL_COUNT);

/** The number of lines of `text` that contain a literal. */
function countMatchingLines(text) {
  const lines = new Set();
  for (const literal of LITERALS) {
    for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + 1)) {
      lines.add(text.lastIndexOf(NEWLINE, at));
    }
  }
  return lines.size;
}

/** CPU milliseconds of one search of the file by ripgrep, which has to count `lines`. */
function search(path, repetitions, lines) {
  const literals = LITERALS.flatMap((literal) => ['-e', literal]);
  const options = ['--no-config', '--no-filename', '--count', '--text', '--threads=1', '--fixed-strings', ...literals];
  const args = [...options, ...Array.from({ length: repetitions }, () => path)];
  const { stdout } = spawnSync('sh', ['-c', 'rg "$@"; times', 'sh', ...args], { encoding: 'utf8' });
  const counts = stdout.split('\n').slice(0, repetitions).map(Number);
  assertEqual(
    'lines that ripgrep counts',
    lines * repetitions,
    counts.reduce((sum, count) => sum + count),
  );
  const [userMinutes, user, systemMinutes, system] = TIMES.exec(stdout).slice(5).map(Number);
  return (1e3 * (60 * (userMinutes + systemMinutes) + user + system)) / repetitions;
}

/**
 * The measurement of ripgrep; none where ripgrep is not installed.
 *
 * @param {string} name
 * @param {{path: string, text: Buffer}} file
 * @returns {import('./cpu-time.mjs').Measurement[]}
 */
export function ripgrepMeasurement(name, { path, text }) {
  if (spawnSync('rg', ['--version']).status !== 0) return [];
  assertEqual('literals', LITERAL_COUNT, LITERALS.length);
  const lines = countMatchingLines(text);
  const repetitions = Math.ceil(MIN_SEARCHED_BYTES / text.length);
  return [{ name, bytes: text.length, run: () => search(path, repetitions, lines) }];
}
