/**
 * The WASM module answers as the native binding does: to every case of the test data, and to every split. Node runs the
 * module here; other hosts run it in hosts.test.ts.
 */
import { expect, test } from 'vitest';
import { generateLog } from '../../bench/redact/generator/log.mjs';
import * as native from '../../ts/index.js';
import { TABLES, table } from '../redaction/tables.js';
import { Random } from '../support/random.js';
import { soakCount } from '../support/soak.js';
import { describeWithWasm, type WasmApi } from '../support/wasm.js';
import { answers } from './answers.mjs';
import { allCases } from './cases.js';

const SPLITS = 100_000;
const MAX_CUTS = 6;
const PASSAGES = 200;
const PASSAGE_BYTES = 2_000;
const TIMEOUT_MS = 1_200_000;

/** Texts to split, each with the options of a redactor: rows of the tables and passages of a log. */
function texts(): { options: native.RedactorOptions; text: Buffer }[] {
  const { text: log } = generateLog({ seed: 3, bytes: PASSAGES * PASSAGE_BYTES, secretsPerMegabyte: 500 });
  const passages = Array.from({ length: PASSAGES }, (_, index) => ({
    options: {},
    text: log.subarray(index * PASSAGE_BYTES, (index + 1) * PASSAGE_BYTES),
  }));
  const rows = TABLES.flatMap((name) => {
    const { options, rows: all } = table(name);
    return all.map(({ input }) => ({ options, text: Buffer.from(input) }));
  });
  return [...passages, ...rows];
}

describeWithWasm('the WASM module', (wasm) => {
  test('answers every case as the native binding does', () => {
    const cases = allCases();
    const expected = answers(native, cases);
    const got = answers(wasm(), cases);
    const different = cases.flatMap((one, index) =>
      JSON.stringify(got[index]) === JSON.stringify(expected[index])
        ? []
        : [{ case: one, native: expected[index], wasm: got[index] }],
    );
    expect(different.slice(0, 5)).toEqual([]);
    const kinds = new Set(cases.map(({ call }) => call));
    expect([kinds.size, cases.length > 10_000]).toEqual([11, true]);
    // Most answers are results: cases that everything refuses would prove nothing.
    expect(expected.filter((answer) => 'error' in answer).length).toBeLessThan(cases.length / 50);
  });

  test('soak: gives the same however a text is split', { timeout: TIMEOUT_MS }, () => {
    const random = new Random(11);
    const redactors = new Map<string, [native.Redactor, InstanceType<WasmApi['Redactor']>]>();
    const known = texts().map(({ options, text }) => {
      const key = JSON.stringify(options);
      const pair = redactors.get(key) ?? [new native.Redactor(options), new (wasm().Redactor)(options)];
      redactors.set(key, pair as never);
      return { redactor: pair[1], text, whole: Buffer.from(pair[0].redactBytes(text)) };
    });
    for (let index = 0; index < soakCount(SPLITS); index += 1) {
      const { redactor, text, whole } = random.pick(known);
      const cuts = Array.from({ length: 1 + random.below(MAX_CUTS) }, () => random.below(text.length + 1));
      const stream = redactor.stream();
      let start = 0;
      const parts = [...cuts.sort((a, b) => a - b), text.length].map((end) => {
        const part = stream.write(text.subarray(start, end));
        start = end;
        return part;
      });
      const got = Buffer.concat([...parts, stream.end()]);
      if (!got.equals(whole)) expect.unreachable(`cut at ${cuts.join()}: ${JSON.stringify(text.toString())}`);
    }
  });
});
