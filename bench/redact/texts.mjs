// The texts that are measured, made once and kept.
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
const REPLACEMENT = '?'.charCodeAt(0);

/** @typedef {import('./generator/scribe.mjs').Truth} Truth */

/** What the texts depend on: the generator, and the packages that source text is taken from. */
function versionOf(facts) {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  const files = readdirSync(GENERATOR).sort();
  for (const path of [...files.map((name) => join(GENERATOR, name)), ...LOCKS]) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

/** Makes a text when it is not there. @returns {{path: string, text: Buffer, truths: Truth[]}} */
function cached(name, facts, make) {
  const path = join(CACHE, `${name}-${versionOf(facts)}`);
  const truthsPath = `${path}.json`;
  if (!existsSync(path)) {
    const { text, truths } = make(facts);
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(truthsPath, JSON.stringify(truths));
    // The text comes last and whole: where it is, its truths are.
    writeFileSync(`${path}.${process.pid}`, text);
    renameSync(`${path}.${process.pid}`, path);
  }
  return { path, text: readFileSync(path), truths: JSON.parse(readFileSync(truthsPath, 'utf8')) };
}

/** Truths stay where they are: secrets are ASCII, and one byte takes the place of one. */
function inAscii({ text, truths }) {
  const ascii = Buffer.from(text);
  for (let index = 0; index < ascii.length; index += 1) {
    if (ascii[index] >= FIRST_BEYOND_ASCII) ascii[index] = REPLACEMENT;
  }
  return { text: ascii, truths };
}

/** A terminal log and source text, each as it is and in ASCII. */
export function speedTexts(bytes) {
  const facts = { seed: 1, bytes };
  return {
    log: cached('log', facts, generateLog),
    source: cached('source', facts, sampleSource),
    asciiLog: cached('log-ascii', { ...facts, ascii: true }, generateLog),
    asciiSource: cached('source-ascii', facts, (wanted) => inAscii(sampleSource(wanted))),
  };
}

/** A log with many secrets, in ASCII: places in bytes are places in strings. */
export function recallText(bytes, secretsPerMegabyte) {
  return generateLog({ seed: 2, bytes, secretsPerMegabyte, ascii: true });
}
