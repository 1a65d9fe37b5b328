// The speed of the WASM module beside the native binding and rivals in JavaScript, in the same process.
import * as native from '../../dist/index.js';
import { assertEqual } from '../lib/assert.mjs';
import { median, rounded, summary } from '../lib/statistics.mjs';
import { fixedSizeChunks } from '../redact/chunks.mjs';
import { interleaveCpuTime } from '../redact/cpu-time.mjs';
import { rivalMeasurement } from '../redact/speed.mjs';
import { speedTexts } from '../redact/texts.mjs';

const BYTES = { full: 16 << 20, quick: 1 << 20 };
const ROUNDS = { full: 9, quick: 1 };
const CHUNK_BYTES = 64 << 10;

/** The calls of a redactor that are measured, by their names in the table. */
const OPERATIONS = {
  'Buffer to Buffer': (redactor, { bytes }) => redactor.redactBytes(bytes),
  string: (redactor, { text }) => redactor.redact(text),
  'ASCII string': (redactor, { ascii }) => redactor.redact(ascii),
  'stream, pieces of 64 KiB': (redactor, { chunks }) => {
    const stream = redactor.stream();
    const parts = chunks.map((chunk) => stream.write(chunk));
    return Buffer.concat([...parts, stream.end()]);
  },
};

function inputOf({ text: bytes }, { text: ascii }) {
  return {
    bytes,
    text: bytes.toString(),
    ascii: ascii.toString('latin1'),
    chunks: fixedSizeChunks(bytes, CHUNK_BYTES),
  };
}

async function measure({ wasm, rivals, quick }, original, asciiVariant) {
  const input = inputOf(original, asciiVariant);
  const redactors = { native: new native.Redactor(), WASM: new wasm.Redactor() };
  const measurements = [];
  for (const [operation, work] of Object.entries(OPERATIONS)) {
    const [nativeResult, wasmResult] = Object.values(redactors).map((redactor) => Buffer.from(work(redactor, input)));
    assertEqual(
      `${operation}: the module gives the bytes of the native binding`,
      true,
      nativeResult.equals(wasmResult),
    );
    for (const [engine, redactor] of Object.entries(redactors)) {
      const run = () => {
        work(redactor, input);
      };
      measurements.push({ name: `${operation}, ${engine}`, bytes: input.bytes.length, run });
    }
  }
  for (const rival of rivals) measurements.push(await rivalMeasurement(rival, asciiVariant.text));
  const samples = await interleaveCpuTime(measurements, quick ? ROUNDS.quick : ROUNDS.full);
  const speeds = Object.fromEntries(
    measurements.map(({ name, bytes }) => [name, samples[name].map((ms) => bytes / 1e3 / ms)]),
  );
  const ratio = (operation) =>
    median(speeds[`${operation}, WASM`].map((speed, round) => speed / speeds[`${operation}, native`][round]));
  return {
    rows: Object.fromEntries(Object.entries(speeds).map(([name, values]) => [name, summary(values, 1)])),
    toNative: Object.fromEntries(Object.keys(OPERATIONS).map((operation) => [operation, rounded(ratio(operation), 2)])),
  };
}

export async function speed(context) {
  const texts = speedTexts(context.quick ? BYTES.quick : BYTES.full);
  return {
    log: await measure(context, texts.log, texts.asciiLog),
    source: await measure(context, texts.source, texts.asciiSource),
  };
}
