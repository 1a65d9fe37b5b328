// Lines that have to stay as they are: a seeded sample of what is on this machine, nothing of it chosen by a person.
import { filesOf, ORIGINS, readText, shortPath } from './files.mjs';
import { Random } from './random.mjs';

/** Consecutive lines taken together, so that what spans lines is among them. */
const RUN_LINES = 20;
const MAX_FILE_BYTES = 4 << 20;
/** A run of lines longer than this is generated text in a few lines, and would be most of the sample. */
const MAX_RUN_BYTES = 32 << 10;

/** @typedef {{origin: string, file: string, firstLine: number, text: string}} Run lines with their ends */

function runOf(origin, path, random) {
  const bytes = readText(path, MAX_FILE_BYTES);
  if (bytes === undefined) return;
  const lines = bytes.toString('utf8').split(/(?<=\n)/);
  const first = random.int(Math.max(1, lines.length - RUN_LINES + 1));
  const taken = lines.slice(first, first + RUN_LINES);
  const text = taken.join('');
  if (text.length > MAX_RUN_BYTES) return;
  const run = {
    origin,
    file: shortPath(origin, path),
    firstLine: first + 1,
    text: text.endsWith('\n') ? text : `${text}\n`,
  };
  return { run, lines: taken.length };
}

/**
 * The files of an origin in a random order; when all were taken, again, for other lines of them. Ends when that gave none.
 */
class Files {
  /** Where runs of them begin: none is taken twice. */
  #taken = new Set();
  #left = [];
  #fresh = true;

  constructor(origin, random) {
    this.origin = origin;
    this.random = random;
    this.all = filesOf(origin);
  }

  /** @returns {{run: Run, lines: number} | undefined} undefined when this origin has no more */
  next() {
    while (true) {
      if (this.#left.length === 0) {
        if (!this.#fresh || this.all.length === 0) return;
        this.#left = this.random.shuffled(this.all);
        this.#fresh = false;
      }
      const taken = runOf(this.origin, this.#left.pop(), this.random);
      if (taken === undefined) continue;
      const place = `${taken.run.file}:${taken.run.firstLine}`;
      if (this.#taken.has(place)) continue;
      this.#taken.add(place);
      this.#fresh = true;
      return taken;
    }
  }
}

/**
 * @param {{seed: number, count: number}} options how many lines, of every origin about as many
 * @returns {Run[]} each a text of its own
 */
export function sampleHarmless({ seed, count }) {
  const random = new Random(seed);
  let origins = Object.keys(ORIGINS).map((origin) => new Files(origin, random));
  const runs = [];
  let found = 0;
  while (found < count) {
    const taken = origins.map((files) => files.next());
    origins = origins.filter((_files, index) => taken[index] !== undefined);
    if (origins.length === 0) throw new Error(`only ${found} lines of ${count} are on this machine`);
    for (const { run, lines } of taken.filter((one) => one !== undefined)) {
      runs.push(run);
      found += lines;
    }
  }
  return runs;
}
