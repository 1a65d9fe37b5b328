// The speed of masking a log and source text: by each kind of call of the redactor, and by its rivals.
import { Redactor } from '../../dist/index.js';
import { assertEqual } from '../lib/assert.mjs';
import { median, rounded, summary } from '../lib/statistics.mjs';
import { fixedSizeChunks, lineChunks } from './chunks.mjs';
import { interleaveCpuTime } from './cpu-time.mjs';
import { ripgrepMeasurement } from './ripgrep.mjs';
import { runRustProgram } from './rust-program.mjs';
import { isFound, mergedSpans } from './scoring.mjs';
import { speedTexts } from './texts.mjs';

const BYTES = { full: 64 << 20, quick: 1 << 20 };
const ROUNDS = { full: 5, quick: 1 };
const SMALL_CHUNK_BYTES = 4 << 10;
const LARGE_CHUNK_BYTES = 64 << 10;
const EMOJI = '\u{1f600}';
const MASK = '[REDACTED';
/** Chunk by chunk a few secrets are missed, such as a key of several lines whose beginning is in the chunk before. */
const MIN_SHARE_BY_CHUNK = 0.99;

const RUST = 'Rust';
const RUST_STREAM = 'Rust, stream of 64 KiB';
const BUFFER = 'Buffer to Buffer';
const STRING = 'ASCII string';
const WIDE_STRING = 'string with one emoji';
const STREAM = 'stream, pieces of 64 KiB';
const RIPGREP = 'rg -c, 30 literals';
const SECRETLINT = '@secretlint/core';

/** Ratios of two speeds, each the median over the rounds' ratios. */
const RATIOS = {
  bufferToRust: [BUFFER, RUST],
  streamToRust: [STREAM, RUST_STREAM],
  stringToRust: [STRING, RUST],
  wideStringToRust: [WIDE_STRING, RUST],
  rustToRipgrep: [RUST_STREAM, RIPGREP],
  timesSecretlint: [BUFFER, SECRETLINT],
};

function redactStream(redactor, chunks) {
  const stream = redactor.stream();
  let bytes = 0;
  for (const chunk of chunks) bytes += stream.write(chunk).length;
  return { bytes: bytes + stream.end().length, findings: stream.findings };
}

const countMasks = (bytes) => bytes.toString('latin1').split(MASK).length - 1;

/** Inserts a line with an emoji in the middle, so that V8 stores the whole string with two bytes per character. */
function withEmoji(ascii) {
  const middle = ascii.indexOf('\n', ascii.length >> 1) + 1;
  return Buffer.from(`${ascii.slice(0, middle)}${EMOJI}\n${ascii.slice(middle)}`).toString('utf8');
}

/** Fails when two kinds of calls give different results. */
function check(redactor, { text, findings }, { ascii, asciiText, emoji, plantedSecrets }) {
  const masked = Buffer.from(redactor.redactBytes(text));
  const streamResult = redactStream(redactor, fixedSizeChunks(text, LARGE_CHUNK_BYTES));
  assertEqual('bytes styledName by a stream', masked.length, streamResult.bytes);
  if (findings !== undefined) assertEqual('findings of Rust', findings, streamResult.findings);
  assertEqual('masks of a Buffer', streamResult.findings, countMasks(masked) - countMasks(text));
  const expected = Buffer.from(redactor.redactBytes(asciiText)).toString('latin1');
  assertEqual('a string is masked like its bytes', true, redactor.redact(ascii) === expected);
  assertEqual('so is one with an emoji', true, redactor.redact(emoji).replace(`${EMOJI}\n`, '') === expected);
  const plain = 'nothing to see\n'.repeat(LARGE_CHUNK_BYTES);
  assertEqual('no finding gives the same string', true, redactor.redact(plain) === plain);
  const whole = spansOf(redactor, [asciiText]);
  for (const bytes of [SMALL_CHUNK_BYTES, LARGE_CHUNK_BYTES])
    checkChunks(redactor, lineChunks(asciiText, bytes), whole, plantedSecrets);
}

function spansOf(redactor, pieces) {
  let start = 0;
  const spans = [];
  for (const piece of pieces) {
    for (const finding of redactor.scan(piece.toString('latin1')))
      spans.push([start + finding.start, start + finding.end]);
    start += piece.length;
  }
  return mergedSpans(spans);
}

/** Fails when too many secrets that lie in one chunk, and are found in the whole text, are missed chunk by chunk. */
function checkChunks(redactor, pieces, whole, plantedSecrets) {
  const chunkEnds = [];
  let end = 0;
  for (const piece of pieces) {
    end += piece.length;
    chunkEnds.push(end);
  }
  const isInOneChunk = ({ ranges }) =>
    !chunkEnds.some((chunkEnd) => ranges[0][0] < chunkEnd && chunkEnd < ranges.at(-1)[1]);
  const expected = plantedSecrets.filter(
    (plantedSecret) => isInOneChunk(plantedSecret) && isFound(whole, plantedSecret),
  );
  const spans = spansOf(redactor, pieces);
  const found = expected.filter((plantedSecret) => isFound(spans, plantedSecret)).length;
  if (found < MIN_SHARE_BY_CHUNK * expected.length) {
    throw new Error(`in pieces ${found} secrets of ${expected.length} are found`);
  }
}

function handrailMeasurements(redactor, { text }, { ascii, emoji }) {
  const smallChunks = lineChunks(text, SMALL_CHUNK_BYTES);
  const largeChunks = lineChunks(text, LARGE_CHUNK_BYTES);
  const streamChunks = fixedSizeChunks(text, LARGE_CHUNK_BYTES);
  const target = Buffer.alloc(text.length);
  const redactEach = (chunks) => () => {
    for (const chunk of chunks) redactor.redactBytes(chunk);
  };
  const measurement = (name, run, bytes = text.length) => ({ name, bytes, run });
  const withoutResult = (work) => () => {
    work();
  };
  return [
    measurement(
      'memcpy (Buffer.copy)',
      withoutResult(() => text.copy(target)),
    ),
    measurement(
      BUFFER,
      withoutResult(() => redactor.redactBytes(text)),
    ),
    measurement(
      STRING,
      withoutResult(() => redactor.redact(ascii)),
      ascii.length,
    ),
    measurement(
      WIDE_STRING,
      withoutResult(() => redactor.redact(emoji)),
      emoji.length,
    ),
    measurement('calls of 4 KiB', redactEach(smallChunks)),
    measurement('calls of 64 KiB', redactEach(largeChunks)),
    measurement(
      STREAM,
      withoutResult(() => redactStream(redactor, streamChunks)),
    ),
  ];
}

/** The measurement of a rival, after a check that it masks what it finds. */
export async function rivalMeasurement(rival, asciiText) {
  const pieces = lineChunks(asciiText.subarray(0, rival.maxBytes), LARGE_CHUNK_BYTES).map((piece) =>
    piece.toString('utf8'),
  );
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const work = rival.mask ?? ((piece) => rival.spans(piece));
  const results = [];
  for (const piece of pieces.slice(0, 1)) results.push(await work(piece));
  if (rival.mask !== undefined) {
    const spans = mergedSpans(await rival.spans(pieces[0])).length;
    const masks = results[0].split(MASK).length - 1;
    if (spans === 0 ? masks !== 0 : masks < spans * 0.5)
      throw new Error(`${rival.name}: ${masks} masks for ${spans} spans`);
  }
  const run = async () => {
    for (const piece of pieces) {
      const result = work(piece);
      // Awaiting a synchronous rival would add time to it.
      if (result instanceof Promise) await result;
    }
  };
  return { name: rival.name, bytes, run };
}

async function measure({ quick, program, rivals }, original, asciiVariant) {
  const redactor = new Redactor();
  const { text: asciiText, plantedSecrets } = asciiVariant;
  const ascii = asciiText.toString('utf8');
  const strings = { ascii, asciiText, emoji: withEmoji(ascii), plantedSecrets };
  check(
    redactor,
    { text: original.text, findings: program && runRustProgram(program, original.path).findings },
    strings,
  );
  const measurements = [...handrailMeasurements(redactor, original, strings), ...ripgrepMeasurement(RIPGREP, original)];
  for (const rival of rivals) measurements.push(await rivalMeasurement(rival, asciiText));
  const rustRounds = [];
  if (program !== undefined) {
    const run = () => {
      rustRounds.push(runRustProgram(program, original.path));
    };
    measurements.push({ name: RUST, bytes: original.text.length, run });
  }
  const samples = await interleaveCpuTime(measurements, quick ? ROUNDS.quick : ROUNDS.full);
  const bytesOf = Object.fromEntries(measurements.map(({ name, bytes }) => [name, bytes]));
  const rates = Object.entries(samples).map(([name, times]) => [name, times.map((ms) => bytesOf[name] / 1e3 / ms)]);
  // The first round warms up.
  const rustSpeeds = (figure) => rustRounds.slice(1).map((round) => round[figure]);
  const ofRust = program === undefined ? {} : { [RUST]: rustSpeeds('whole'), [RUST_STREAM]: rustSpeeds('streamed') };
  return figures({ ...ofRust, ...Object.fromEntries(rates.filter(([name]) => name !== RUST)) }, bytesOf);
}

/** @param {Record<string, number[]>} rates by name, one for each round */
function figures(rates, bytesOf) {
  const rows = Object.entries(rates).map(([name, values]) => [
    name,
    { bytes: bytesOf[name] ?? bytesOf[RUST], megabytesPerSecond: summary(values, 1) },
  ]);
  const ratios = Object.entries(RATIOS)
    .filter(([, names]) => names.every((name) => name in rates))
    .map(([key, [one, other]]) => [
      key,
      rounded(median(rates[one].map((rate, round) => rate / rates[other][round])), 2),
    ]);
  return { rows: Object.fromEntries(rows), ratios: Object.fromEntries(ratios) };
}

/** @param {{quick: boolean, program?: string, rivals: import('./rivals.mjs').Rival[]}} context */
export async function speed(context) {
  const texts = speedTexts(context.quick ? BYTES.quick : BYTES.full);
  const log = await measure(context, texts.log, texts.asciiLog);
  const source = await measure(context, texts.source, texts.asciiSource);
  const ratios = { log: log.ratios, source: source.ratios };
  return { log: log.rows, source: source.rows, ratios, absent: context.absent };
}
