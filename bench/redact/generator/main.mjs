// Writes a generated text and its planted secrets to files.
//
// node bench/redact/generator/main.mjs --out DIR [--seed 1] [--bytes 8000000] [--density 200] [--kind log|source|harmless]
//   [--count 10000]: writes DIR/<kind>.txt and DIR/<kind>.json.
//
// The JSON of a log or of source text is `{seed, bytes, plantedSecrets}`; a planted secret is `{context, format, named, ranges}` with ranges
// of bytes. The JSON of harmless lines is `{seed, runs}`; a run is `{origin, file, firstLine, start, end}`, bytes of the text.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, say } from '../../../scripts/lib/steps.mjs';
import { sampleHarmless } from './harmless.mjs';
import { generateLog } from './log.mjs';
import { sampleSource } from './source.mjs';

/** Secrets per megabyte: more than in real logs, for a precise recall. */
const DEFAULT_DENSITY = '200';

const KINDS = {
  log: ({ seed, bytes, secretsPerMegabyte }) =>
    withPlantedSecrets(seed, generateLog({ seed, bytes, secretsPerMegabyte })),
  source: ({ seed, bytes, secretsPerMegabyte }) =>
    withPlantedSecrets(seed, sampleSource({ seed, bytes, secretsPerMegabyte })),
  harmless: ({ seed, count }) => withExcerpts(seed, sampleHarmless({ seed, count })),
};

function withPlantedSecrets(seed, { text, plantedSecrets }) {
  return { text, metadata: { seed, bytes: text.length, plantedSecrets }, remark: `${plantedSecrets.length} secrets` };
}

function withExcerpts(seed, excerpts) {
  let start = 0;
  const runs = excerpts.map(({ text, ...run }) => {
    const end = start + Buffer.byteLength(text);
    const placed = { ...run, start, end };
    start = end;
    return placed;
  });
  const text = Buffer.from(excerpts.map((run) => run.text).join(''));
  return { text, metadata: { seed, runs }, remark: `${runs.length} runs of lines` };
}

function wholeNumber(name, text) {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} takes a whole number, got '${text}'`);
  return value;
}

function readOptions() {
  const string = (value) => ({ type: 'string', default: value });
  const options = {
    out: { type: 'string' },
    kind: string('log'),
    seed: string('1'),
    bytes: string('8000000'),
    density: string(DEFAULT_DENSITY),
    count: string('10000'),
  };
  try {
    const { values } = parseArgs({ options });
    if (values.out === undefined) throw new Error('--out names the folder to write to');
    if (!Object.hasOwn(KINDS, values.kind)) throw new Error(`--kind is one of ${Object.keys(KINDS).join(', ')}`);
    const number = (name) => wholeNumber(name, values[name]);
    return {
      out: values.out,
      kind: values.kind,
      seed: number('seed'),
      bytes: number('bytes'),
      secretsPerMegabyte: number('density'),
      count: number('count'),
    };
  } catch (error) {
    return fail(error.message);
  }
}

const options = readOptions();
const { text, metadata, remark } = KINDS[options.kind](options);
mkdirSync(options.out, { recursive: true });
writeFileSync(join(options.out, `${options.kind}.txt`), text);
writeFileSync(join(options.out, `${options.kind}.json`), `${JSON.stringify(metadata)}\n`);
say(`${options.kind}: ${text.length} bytes, ${remark}`);
