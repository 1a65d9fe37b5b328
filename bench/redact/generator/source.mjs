// Source text: files of installed packages one after the other, with a line that holds a secret between some of them.
import { filesOf, readText } from './files.mjs';
import { SECRETS_PER_MEGABYTE } from './log.mjs';
import { plantOne } from './plant.mjs';
import { Random } from './random.mjs';
import { Scribe } from './scribe.mjs';

const MEGABYTE = 1e6;
/** Longer files would be most of the text. */
const MAX_FILE_BYTES = 512 << 10;
const SLACK_BYTES = MAX_FILE_BYTES + (64 << 10);
const NEWLINE = '\n'.charCodeAt(0);

/**
 * What is not planted is not ground truth: such files have examples of keys in them.
 *
 * @param {{seed: number, bytes: number, secretsPerMegabyte?: number}} options
 * @returns {{text: Buffer, truths: import('./scribe.mjs').Truth[]}} at least `bytes`, up to the end of a file. The same
 *   seed gives the same text as long as the same packages are installed.
 */
export function sampleSource({ seed, bytes, secretsPerMegabyte = SECRETS_PER_MEGABYTE }) {
  const random = new Random(seed);
  const scribe = new Scribe(bytes + SLACK_BYTES);
  const files = random.shuffled(['node_modules', 'cargo-registry'].flatMap(filesOf));
  let planted = 0;
  for (let index = 0; scribe.length < bytes; index += 1) {
    if (index === files.length && scribe.length === 0) throw new Error('no source text is installed');
    const file = readText(files[index % files.length], MAX_FILE_BYTES);
    if (file === undefined) continue;
    scribe.bytes(file);
    if (file.at(-1) !== NEWLINE) scribe.text('\n');
    // A secret after a file is of no block that the file left open.
    scribe.text('\n');
    for (; planted < (scribe.length / MEGABYTE) * secretsPerMegabyte && scribe.length < bytes; planted += 1) {
      plantOne(scribe, random);
    }
  }
  return scribe.finish();
}
