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
 * @param {{seed: number, count: number}} options how many lines, of every origin about as many
 * @returns {Run[]} each a text of its own
 */
export function sampleHarmless({ seed, count }) {
  const random = new Random(seed);
  const origins = Object.keys(ORIGINS)
    .map((origin) => ({ origin, files: random.shuffled(filesOf(origin)) }))
    .filter(({ files }) => files.length > 0);
  const runs = [];
  let found = 0;
  while (found < count) {
    const before = found;
    for (const { origin, files } of origins) {
      const path = files.pop();
      const taken = path === undefined || found >= count ? undefined : runOf(origin, path, random);
      if (taken === undefined) continue;
      runs.push(taken.run);
      found += taken.lines;
    }
    if (found === before && origins.every(({ files }) => files.length === 0)) {
      throw new Error(`only ${found} lines of ${count} are on this machine`);
    }
  }
  return runs;
}
