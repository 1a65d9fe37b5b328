// Megabytes per second of a log and of source text: every way to call the redactor, and everybody else.
import { Redactor } from '../../dist/index.js';
import { median, rounded, summary } from '../lib/statistics.mjs';
import { isFound, mustBe, united } from './answer.mjs';
import { literalSearch } from './literals.mjs';
import { cutPieces, linePieces } from './pieces.mjs';
import { runRust } from './rust.mjs';
import { takeTurns } from './take-turns.mjs';
import { speedTexts } from './texts.mjs';

const BYTES = { full: 64 << 20, quick: 1 << 20 };
const ROUNDS = { full: 5, quick: 1 };
const SMALL_CALL = 4 << 10;
const LARGE_CALL = 64 << 10;
const EMOJI = '\u{1f600}';
const MASK = '[REDACTED';
/** A call sees less than the whole does: a block that begins before it, a key whose lines it has a part of. */
const MIN_SHARE_BY_PIECE = 0.99;

const RUST = 'Rust';
const RUST_STREAM = 'Rust, stream of 64 KiB';
const BUFFER = 'Buffer to Buffer';
const STRING = 'ASCII string';
const WIDE_STRING = 'string with one emoji';
const STREAM = 'stream, pieces of 64 KiB';
const RIPGREP = 'rg -c, 30 literals';
const SECRETLINT = '@secretlint/core';

/** The speed of the first to that of the second, in the same turn. */
const RATIOS = {
  bufferToRust: [BUFFER, RUST],
  streamToRust: [STREAM, RUST_STREAM],
  stringToRust: [STRING, RUST],
  wideStringToRust: [WIDE_STRING, RUST],
  rustToRipgrep: [RUST_STREAM, RIPGREP],
  timesSecretlint: [BUFFER, SECRETLINT],
};

function streamed(redactor, pieces) {
  const stream = redactor.stream();
  let bytes = 0;
  for (const piece of pieces) bytes += stream.write(piece).length;
  return { bytes: bytes + stream.end().length, findings: stream.findings };
}

const countOf = (bytes) => bytes.toString('latin1').split(MASK).length - 1;

/** An emoji at a line's start, in the middle: all of the string takes two bytes a character. */
function withEmoji(ascii) {
  const middle = ascii.indexOf('\n', ascii.length >> 1) + 1;
  return Buffer.from(`${ascii.slice(0, middle)}${EMOJI}\n${ascii.slice(middle)}`).toString('utf8');
}

/** Fails when two ways to call the redactor differ. */
function check(redactor, { text, findings }, { ascii, asciiText, emoji, truths }) {
  const masked = Buffer.from(redactor.redactBytes(text));
  const wrote = streamed(redactor, cutPieces(text, LARGE_CALL));
  mustBe('bytes written by a stream', masked.length, wrote.bytes);
  if (findings !== undefined) mustBe('findings of Rust', findings, wrote.findings);
  mustBe('masks of a Buffer', wrote.findings, countOf(masked) - countOf(text));
  const expected = Buffer.from(redactor.redactBytes(asciiText)).toString('latin1');
  mustBe('a string is masked like its bytes', true, redactor.redact(ascii) === expected);
  mustBe('so is one with an emoji', true, redactor.redact(emoji).replace(`${EMOJI}\n`, '') === expected);
  const plain = 'nothing to see\n'.repeat(LARGE_CALL);
  mustBe('no finding gives the same string', true, redactor.redact(plain) === plain);
  const whole = spansOf(redactor, [asciiText]);
  for (const bytes of [SMALL_CALL, LARGE_CALL]) checkPieces(redactor, linePieces(asciiText, bytes), whole, truths);
}

function spansOf(redactor, pieces) {
  let start = 0;
  const spans = [];
  for (const piece of pieces) {
    for (const finding of redactor.scan(piece.toString('latin1')))
      spans.push([start + finding.start, start + finding.end]);
    start += piece.length;
  }
  return united(spans);
}

/** Of the secrets that lie in one piece and that the whole finds, nearly all are found piece by piece. */
function checkPieces(redactor, pieces, whole, truths) {
  const borders = [];
  let end = 0;
  for (const piece of pieces) {
    end += piece.length;
    borders.push(end);
  }
  const lies = ({ ranges }) => !borders.some((border) => ranges[0][0] < border && border < ranges.at(-1)[1]);
  const known = truths.filter((truth) => lies(truth) && isFound(whole, truth));
  const spans = spansOf(redactor, pieces);
  const found = known.filter((truth) => isFound(spans, truth)).length;
  if (found < MIN_SHARE_BY_PIECE * known.length) {
    throw new Error(`in pieces ${found} secrets of ${known.length} are found`);
  }
}

function ours(redactor, { text }, { ascii, emoji }) {
  const small = linePieces(text, SMALL_CALL);
  const large = linePieces(text, LARGE_CALL);
  const cut = cutPieces(text, LARGE_CALL);
  const target = Buffer.alloc(text.length);
  const each = (pieces) => () => {
    for (const piece of pieces) redactor.redactBytes(piece);
  };
  const row = (name, run, bytes = text.length) => ({ name, bytes, run });
  const quiet = (work) => () => {
    work();
  };
  return [
    row(
      'memcpy (Buffer.copy)',
      quiet(() => text.copy(target)),
    ),
    row(
      BUFFER,
      quiet(() => redactor.redactBytes(text)),
    ),
    row(
      STRING,
      quiet(() => redactor.redact(ascii)),
      ascii.length,
    ),
    row(
      WIDE_STRING,
      quiet(() => redactor.redact(emoji)),
      emoji.length,
    ),
    row('calls of 4 KiB', each(small)),
    row('calls of 64 KiB', each(large)),
    row(
      STREAM,
      quiet(() => streamed(redactor, cut)),
    ),
  ];
}

/** What a rival is to find in its pieces, counted before. */
export async function theirs(rival, asciiText) {
  const pieces = linePieces(asciiText.subarray(0, rival.maxBytes), LARGE_CALL).map((piece) => piece.toString('utf8'));
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const work = rival.mask ?? ((piece) => rival.spans(piece));
  const results = [];
  for (const piece of pieces.slice(0, 1)) results.push(await work(piece));
  if (rival.mask !== undefined) {
    const spans = united(await rival.spans(pieces[0])).length;
    const masks = results[0].split(MASK).length - 1;
    if (spans === 0 ? masks !== 0 : masks < spans * 0.5)
      throw new Error(`${rival.name}: ${masks} masks for ${spans} spans`);
  }
  const run = async () => {
    for (const piece of pieces) {
      const result = work(piece);
      // Only who answers later is waited for: a turn costs others time.
      if (result instanceof Promise) await result;
    }
  };
  return { name: rival.name, bytes, run };
}

async function measure({ quick, program, rivals }, original, asciiVariant) {
  const redactor = new Redactor();
  const { text: asciiText, truths } = asciiVariant;
  const ascii = asciiText.toString('utf8');
  const strings = { ascii, asciiText, emoji: withEmoji(ascii), truths };
  check(redactor, { text: original.text, findings: program && runRust(program, original.path).findings }, strings);
  const measurements = [...ours(redactor, original, strings), ...literalSearch(RIPGREP, original)];
  for (const rival of rivals) measurements.push(await theirs(rival, asciiText));
  const rust = [];
  if (program !== undefined) {
    const run = () => {
      rust.push(runRust(program, original.path));
    };
    measurements.push({ name: RUST, bytes: original.text.length, run });
  }
  const samples = await takeTurns(measurements, quick ? ROUNDS.quick : ROUNDS.full);
  const bytesOf = Object.fromEntries(measurements.map(({ name, bytes }) => [name, bytes]));
  const rates = Object.entries(samples).map(([name, times]) => [name, times.map((ms) => bytesOf[name] / 1e3 / ms)]);
  // The first turn warms up.
  const told = (figure) => rust.slice(1).map((turn) => turn[figure]);
  const ofRust = program === undefined ? {} : { [RUST]: told('whole'), [RUST_STREAM]: told('streamed') };
  return figures({ ...ofRust, ...Object.fromEntries(rates.filter(([name]) => name !== RUST)) }, bytesOf);
}

/** @param {Record<string, number[]>} rates by name, one for each turn */
function figures(rates, bytesOf) {
  const rows = Object.entries(rates).map(([name, values]) => [
    name,
    { bytes: bytesOf[name] ?? bytesOf[RUST], megabytesPerSecond: summary(values, 1) },
  ]);
  const ratios = Object.entries(RATIOS)
    .filter(([, names]) => names.every((name) => name in rates))
    .map(([key, [one, other]]) => [key, rounded(median(rates[one].map((rate, turn) => rate / rates[other][turn])), 2)]);
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
