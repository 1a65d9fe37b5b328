// A search for thirty literals with ripgrep, on one core: what the redactor's own search is held against.
import { spawnSync } from 'node:child_process';
import { mustBe } from './answer.mjs';
import { FORMATS } from './generator/formats.mjs';

const COUNT = 30;
/** Of each format what comes before its first place; shorter than this stands in any text. */
const MIN_CHARS = 4;
/** A shell counts in hundredths of a second: a text is searched again until it has so many bytes. */
const SEARCHED_BYTES = 512 << 20;
const NEWLINE = '\n'.charCodeAt(0);

/** What `times` of a shell says: its own time, and on the second line that of the programs it ran: user and system. */
const TIME = String.raw`(\d+)m([\d.]+)s`;
const TIMES = new RegExp(`${TIME} ${TIME}\\n${TIME} ${TIME}\\n$`);

const LITERALS = [...new Set(FORMATS.map(({ template }) => template.split('{', 1)[0]))]
  .filter((prefix) => prefix.length >= MIN_CHARS)
  .slice(0, COUNT);

/** Lines of `text` with a literal in them. */
function linesWith(text) {
  const lines = new Set();
  for (const literal of LITERALS) {
    for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + 1)) {
      lines.add(text.lastIndexOf(NEWLINE, at));
    }
  }
  return lines.size;
}

/** Milliseconds that ripgrep computes for the file; it has to count `lines`. */
function search(path, times, lines) {
  const literals = LITERALS.flatMap((literal) => ['-e', literal]);
  const options = ['--no-config', '--no-filename', '--count', '--text', '--threads=1', '--fixed-strings', ...literals];
  const args = [...options, ...Array.from({ length: times }, () => path)];
  const { stdout } = spawnSync('sh', ['-c', 'rg "$@"; times', 'sh', ...args], { encoding: 'utf8' });
  const counts = stdout.split('\n').slice(0, times).map(Number);
  mustBe(
    'lines that ripgrep counts',
    lines * times,
    counts.reduce((sum, count) => sum + count),
  );
  const [userMinutes, user, systemMinutes, system] = TIMES.exec(stdout).slice(5).map(Number);
  return (1e3 * (60 * (userMinutes + systemMinutes) + user + system)) / times;
}

/**
 * The measurement, or nothing where there is no ripgrep.
 *
 * @param {string} name
 * @param {{path: string, text: Buffer}} file
 * @returns {import('./take-turns.mjs').Measurement[]}
 */
export function literalSearch(name, { path, text }) {
  if (spawnSync('rg', ['--version']).status !== 0) return [];
  mustBe('literals', COUNT, LITERALS.length);
  const lines = linesWith(text);
  const times = Math.ceil(SEARCHED_BYTES / text.length);
  return [{ name, bytes: text.length, run: () => search(path, times, lines) }];
}
