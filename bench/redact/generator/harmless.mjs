// Lines without secrets, for counting false positives: a random sample of the text files of this machine, decided by a seed.
import { filesOf, ORIGINS, readText, shortPath } from './files.mjs';
import { Random } from './random.mjs';

/** An excerpt is a run of consecutive lines, so that findings that span lines can occur. */
const EXCERPT_LINES = 20;
const MAX_FILE_BYTES = 4 << 20;
/** Longer excerpts are generated text with very long lines, and would dominate the sample. */
const MAX_EXCERPT_BYTES = 32 << 10;

/** @typedef {{origin: string, file: string, firstLine: number, text: string}} Excerpt `text` includes the line ends */

function excerptFrom(origin, path, random) {
  const bytes = readText(path, MAX_FILE_BYTES);
  if (bytes === undefined) return;
  const lines = bytes.toString('utf8').split(/(?<=\n)/);
  const first = random.int(Math.max(1, lines.length - EXCERPT_LINES + 1));
  const taken = lines.slice(first, first + EXCERPT_LINES);
  const text = taken.join('');
  if (text.length > MAX_EXCERPT_BYTES) return;
  const run = {
    origin,
    file: shortPath(origin, path),
    firstLine: first + 1,
    text: text.endsWith('\n') ? text : `${text}\n`,
  };
  return { run, lines: taken.length };
}

/**
 * Gives excerpts of the files of an origin: one of each file in a random order, then further ones, until a whole pass over the
 * files gives no new excerpt.
 */
class ExcerptSource {
  /** File and first line of the excerpts so far: none is given twice. */
  #seen = new Set();
  #remainingFiles = [];
  #foundNew = true;

  constructor(origin, random) {
    this.origin = origin;
    this.random = random;
    this.allFiles = filesOf(origin);
  }

  /** @returns {{run: Excerpt, lines: number} | undefined} undefined when this origin has no more excerpts */
  next() {
    while (true) {
      if (this.#remainingFiles.length === 0) {
        if (!this.#foundNew || this.allFiles.length === 0) return;
        this.#remainingFiles = this.random.shuffled(this.allFiles);
        this.#foundNew = false;
      }
      const taken = excerptFrom(this.origin, this.#remainingFiles.pop(), this.random);
      if (taken === undefined) continue;
      const excerptKey = `${taken.run.file}:${taken.run.firstLine}`;
      if (this.#seen.has(excerptKey)) continue;
      this.#seen.add(excerptKey);
      this.#foundNew = true;
      return taken;
    }
  }
}

/**
 * @param {{seed: number, count: number}} options `count` lines, about equally many of every origin
 * @returns {Excerpt[]} each a text of its own
 */
export function sampleHarmless({ seed, count }) {
  const random = new Random(seed);
  let sources = Object.keys(ORIGINS).map((origin) => new ExcerptSource(origin, random));
  const runs = [];
  let lineCount = 0;
  while (lineCount < count) {
    const taken = sources.map((source) => source.next());
    sources = sources.filter((_source, index) => taken[index] !== undefined);
    if (sources.length === 0) throw new Error(`only ${lineCount} lines of ${count} are on this machine`);
    for (const { run, lines } of taken.filter((one) => one !== undefined)) {
      runs.push(run);
      lineCount += lines;
    }
  }
  return runs;
}
