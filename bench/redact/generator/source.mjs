// Generates source text: files of installed packages, with a line with a planted secret between some of them.
import { filesOf, readText } from './files.mjs';
import { SECRETS_PER_MEGABYTE } from './log.mjs';
import { plantSecret } from './plant.mjs';
import { Random } from './random.mjs';
import { TextWriter } from './text-writer.mjs';

const MEGABYTE = 1e6;
/** Longer files would dominate the text. */
const MAX_FILE_BYTES = 512 << 10;
const SLACK_BYTES = MAX_FILE_BYTES + (64 << 10);
const NEWLINE = '\n'.charCodeAt(0);

/**
 * Only the planted secrets are ground truth: the files themselves may contain examples of keys.
 *
 * @param {{seed: number, bytes: number, secretsPerMegabyte?: number}} options
 * @returns {{text: Buffer, plantedSecrets: import('./text-writer.mjs').PlantedSecret[]}} at least `bytes`, up to the end of a file. The same
 *   seed gives the same text as long as the same packages are installed.
 */
export function sampleSource({ seed, bytes, secretsPerMegabyte = SECRETS_PER_MEGABYTE }) {
  const random = new Random(seed);
  const writer = new TextWriter(bytes + SLACK_BYTES);
  const files = random.shuffled(['node_modules', 'cargo-registry'].flatMap(filesOf));
  let plantedCount = 0;
  for (let index = 0; writer.length < bytes; index += 1) {
    if (index === files.length && writer.length === 0) throw new Error('no source text is installed');
    const file = readText(files[index % files.length], MAX_FILE_BYTES);
    if (file === undefined) continue;
    writer.bytes(file);
    if (file.at(-1) !== NEWLINE) writer.text('\n');
    // An empty line, so that the secret is not read as part of a block at the end of the file.
    writer.text('\n');
    for (; plantedCount < (writer.length / MEGABYTE) * secretsPerMegabyte && writer.length < bytes; plantedCount += 1) {
      plantSecret(writer, random);
    }
  }
  return writer.finish();
}
