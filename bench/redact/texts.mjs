// The texts that are measured: generated once, then read from a cache.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, stampFolder } from '../../scripts/lib/paths.mjs';
import { generateLog } from './generator/log.mjs';
import { sampleSource } from './generator/source.mjs';

const CACHE = join(stampFolder, 'bench');
const GENERATOR = join(root, 'bench', 'redact', 'generator');
const LOCKS = ['package-lock.json', 'Cargo.lock'].map((name) => join(root, name));
const FIRST_BEYOND_ASCII = 0x80;
const REPLACEMENT_BYTE = '?'.charCodeAt(0);

/** @typedef {import('./generator/text-writer.mjs').PlantedSecret} PlantedSecret */

/** A hash of everything that decides a text: its options, the generator, and the locked packages that source text comes from. */
function versionOf(options) {
  const hash = createHash('sha256').update(JSON.stringify(options));
  const files = readdirSync(GENERATOR).sort();
  for (const path of [...files.map((name) => join(GENERATOR, name)), ...LOCKS]) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

/** Reads a text from the cache, and generates it when it is missing. @returns {{path: string, text: Buffer, plantedSecrets: PlantedSecret[]}} */
function cached(name, options, make) {
  const path = join(CACHE, `${name}-${versionOf(options)}`);
  const plantedSecretsPath = `${path}.json`;
  if (!existsSync(path)) {
    const { text, plantedSecrets } = make(options);
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(plantedSecretsPath, JSON.stringify(plantedSecrets));
    // The rename comes last: a text that is in the cache is complete, and so are its planted secrets.
    writeFileSync(`${path}.${process.pid}`, text);
    renameSync(`${path}.${process.pid}`, path);
  }
  return { path, text: readFileSync(path), plantedSecrets: JSON.parse(readFileSync(plantedSecretsPath, 'utf8')) };
}

/** Replaces each byte that is not ASCII by one byte, so that the offsets of the secrets, which are ASCII, stay valid. */
function toAscii({ text, plantedSecrets }) {
  const ascii = Buffer.from(text);
  for (let index = 0; index < ascii.length; index += 1) {
    if (ascii[index] >= FIRST_BEYOND_ASCII) ascii[index] = REPLACEMENT_BYTE;
  }
  return { text: ascii, plantedSecrets };
}

/** A terminal log and source text, each as it is and in ASCII. */
export function speedTexts(bytes) {
  const options = { seed: 1, bytes };
  return {
    log: cached('log', options, generateLog),
    source: cached('source', options, sampleSource),
    asciiLog: cached('log-ascii', { ...options, ascii: true }, generateLog),
    asciiSource: cached('source-ascii', options, (sourceOptions) => toAscii(sampleSource(sourceOptions))),
  };
}

/** A log with many secrets. It is ASCII, so that byte offsets are also offsets in strings. */
export function recallText(bytes, secretsPerMegabyte) {
  return generateLog({ seed: 2, bytes, secretsPerMegabyte, ascii: true });
}
