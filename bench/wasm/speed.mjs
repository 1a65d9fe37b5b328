// Megabytes per second of the module beside the native binding and the rivals in JavaScript, in the same process.
import * as native from '../../dist/index.js';
import { median, rounded, summary } from '../lib/statistics.mjs';
import { mustBe } from '../redact/answer.mjs';
import { cutPieces } from '../redact/pieces.mjs';
import { theirs } from '../redact/speed.mjs';
import { takeTurns } from '../redact/take-turns.mjs';
import { speedTexts } from '../redact/texts.mjs';

const BYTES = { full: 16 << 20, quick: 1 << 20 };
const ROUNDS = { full: 9, quick: 1 };
const PIECE = 64 << 10;

/** What is done with a text, by name. */
const WAYS = {
  'Buffer to Buffer': (redactor, { bytes }) => redactor.redactBytes(bytes),
  string: (redactor, { text }) => redactor.redact(text),
  'ASCII string': (redactor, { ascii }) => redactor.redact(ascii),
  'stream, pieces of 64 KiB': (redactor, { pieces }) => {
    const stream = redactor.stream();
    const parts = pieces.map((piece) => stream.write(piece));
    return Buffer.concat([...parts, stream.end()]);
  },
};

function inputOf({ text: bytes }, { text: ascii }) {
  return { bytes, text: bytes.toString(), ascii: ascii.toString('latin1'), pieces: cutPieces(bytes, PIECE) };
}

async function measure({ wasm, rivals, quick }, original, asciiVariant) {
  const input = inputOf(original, asciiVariant);
  const redactors = { native: new native.Redactor(), WASM: new wasm.Redactor() };
  const measurements = [];
  for (const [way, work] of Object.entries(WAYS)) {
    const [one, other] = Object.values(redactors).map((redactor) => Buffer.from(work(redactor, input)));
    mustBe(`${way}: the module gives the bytes of the native binding`, true, one.equals(other));
    for (const [engine, redactor] of Object.entries(redactors)) {
      const run = () => {
        work(redactor, input);
      };
      measurements.push({ name: `${way}, ${engine}`, bytes: input.bytes.length, run });
    }
  }
  for (const rival of rivals) measurements.push(await theirs(rival, asciiVariant.text));
  const samples = await takeTurns(measurements, quick ? ROUNDS.quick : ROUNDS.full);
  const rates = Object.fromEntries(
    measurements.map(({ name, bytes }) => [name, samples[name].map((ms) => bytes / 1e3 / ms)]),
  );
  const ratio = (way) => median(rates[`${way}, WASM`].map((rate, turn) => rate / rates[`${way}, native`][turn]));
  return {
    rows: Object.fromEntries(Object.entries(rates).map(([name, values]) => [name, summary(values, 1)])),
    toNative: Object.fromEntries(Object.keys(WAYS).map((way) => [way, rounded(ratio(way), 2)])),
  };
}

export async function speed(context) {
  const texts = speedTexts(context.quick ? BYTES.quick : BYTES.full);
  return {
    log: await measure(context, texts.log, texts.asciiLog),
    source: await measure(context, texts.source, texts.asciiSource),
  };
}
