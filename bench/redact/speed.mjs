// Megabytes per second of a log and of source text: every way to call the redactor, and everybody else.
import { spawnSync } from 'node:child_process';
import { Redactor } from '../../dist/index.js';
import { rounded, summary } from '../lib/statistics.mjs';
import { isFound, mustBe, united } from './answer.mjs';
import { cutPieces, linePieces } from './pieces.mjs';
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

const RUST = /whole (\d+) MB\/s, .*streamed (\d+) MB\/s .*, (\d+) findings/;

/** What the Rust program says of a file: it takes its own time, on one thread. */
function runRust(program, path) {
  const { stdout, stderr, status } = spawnSync(program, ['file', path, '1'], { encoding: 'utf8' });
  const found = RUST.exec(stdout);
  if (status !== 0 || found === null) throw new Error(`${program}: ${stderr}${stdout}`);
  const [whole, streamed, findings] = found.slice(1).map(Number);
  return { whole, streamed, findings };
}

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
      'Buffer to Buffer',
      quiet(() => redactor.redactBytes(text)),
    ),
    row(
      'ASCII string',
      quiet(() => redactor.redact(ascii)),
      ascii.length,
    ),
    row(
      'string with one emoji',
      quiet(() => redactor.redact(emoji)),
      emoji.length,
    ),
    row('calls of 4 KiB', each(small)),
    row('calls of 64 KiB', each(large)),
    row(
      'stream, pieces of 64 KiB',
      quiet(() => streamed(redactor, cut)),
    ),
  ];
}

/** What a rival is to find in its pieces, counted before. */
async function theirs(rival, asciiText) {
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

function figures(measurements, samples) {
  return Object.fromEntries(
    measurements.map(({ name, bytes }) => [
      name,
      {
        bytes,
        megabytesPerSecond: summary(
          samples[name].map((ms) => bytes / 1e3 / ms),
          1,
        ),
      },
    ]),
  );
}

async function measure({ quick, program, rivals }, original, asciiVariant) {
  const redactor = new Redactor();
  const { text: asciiText, truths } = asciiVariant;
  const ascii = asciiText.toString('utf8');
  const strings = { ascii, asciiText, emoji: withEmoji(ascii), truths };
  const rust = { whole: [], streamed: [] };
  check(redactor, { text: original.text, findings: program && runRust(program, original.path).findings }, strings);
  const measurements = ours(redactor, original, strings);
  for (const rival of rivals) measurements.push(await theirs(rival, asciiText));
  if (program !== undefined) {
    const run = () => {
      const { whole, streamed: pieces } = runRust(program, original.path);
      rust.whole.push(whole);
      rust.streamed.push(pieces);
    };
    measurements.push({ name: 'Rust', bytes: original.text.length, run });
  }
  const samples = await takeTurns(measurements, quick ? ROUNDS.quick : ROUNDS.full);
  const { Rust: _, ...others } = figures(measurements, samples);
  const asFigures = (values) => ({ bytes: original.text.length, megabytesPerSecond: summary(values.slice(1), 1) });
  if (program === undefined) return others;
  return { Rust: asFigures(rust.whole), 'Rust, stream of 64 KiB': asFigures(rust.streamed), ...others };
}

/** @param {{quick: boolean, program?: string, rivals: import('./rivals.mjs').Rival[]}} context */
export async function speed(context) {
  const texts = speedTexts(context.quick ? BYTES.quick : BYTES.full);
  const log = await measure(context, texts.log, texts.asciiLog);
  const source = await measure(context, texts.source, texts.asciiSource);
  const of = (rows, name) => rows[name].megabytesPerSecond.median;
  const ratios = (rows) => ({
    emojiToAscii: rounded(of(rows, 'ASCII string') / of(rows, 'string with one emoji'), 2),
    streamToWhole: rounded(of(rows, 'stream, pieces of 64 KiB') / of(rows, 'Buffer to Buffer'), 2),
    timesSecretlint: rounded(of(rows, 'Buffer to Buffer') / of(rows, '@secretlint/core'), 1),
  });
  return { log, source, ratios: { log: ratios(log), source: ratios(source) }, absent: context.absent };
}
