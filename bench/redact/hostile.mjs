// Inputs that are made to slow the redactor down. For each one, the time has to grow linearly with its length.
import { Redactor } from '../../dist/index.js';
import { median, rounded } from '../lib/statistics.mjs';
import { interleaveCpuTime } from './cpu-time.mjs';

const BYTES = { full: 16_000_000, quick: 500_000 };
const ROUNDS = { full: 3, quick: 1 };
const REPEATED_PIECES = {
  'a-': 'a-',
  eyJ: 'eyJ',
  'key=': 'key=',
  'nested quotes': '"\'\\"',
  'invalid UTF-8': Buffer.from([0xff, 0xf0, 0x9f]),
  'password=x': 'password=x ',
  'password: |': 'password: |\n',
  'a block scalar': 'password: |\n  x1y2\n',
  'a name and its value': 'name: password\nvalue: x\n',
  'short lines': 'pwd=aB3\n',
  'token: A<b': 'token: A<b ',
  'a list': 'passwords": [',
  'a table': 'password\t',
  'a command': 'mysql -pa && ',
  'an address': 'a://b:c@',
  'a marker': '-----BEGIN ',
  'quotes in a value': 'PASSWORD:p",',
  'a vendor': 'datadog key ',
  '(a+)+$': 'a',
};

const filled = (piece, bytes) => Buffer.alloc(bytes, piece);

/** @param {{quick: boolean}} context */
export async function hostile({ quick }) {
  const bytes = quick ? BYTES.quick : BYTES.full;
  const redactors = { plain: new Redactor(), pattern: new Redactor({ patterns: ['(a+)+$'] }) };
  const inputs = Object.entries(REPEATED_PIECES).flatMap(([name, piece]) =>
    [bytes / 2, bytes].map((size) => ({ name: `${name} ${size}`, size, text: filled(piece, size), kind: name })),
  );
  const measurements = inputs.map(({ name, size, text, kind }) => ({
    name,
    bytes: size,
    run: () => {
      redactors[kind === '(a+)+$' ? 'pattern' : 'plain'].redactBytes(text);
    },
  }));
  const samples = await interleaveCpuTime(measurements, quick ? ROUNDS.quick : ROUNDS.full);
  const medianMs = (name, size) => median(samples[`${name} ${size}`]);
  const cases = Object.keys(REPEATED_PIECES).map((name) => ({
    name,
    megabytesPerSecond: rounded(bytes / 1e3 / medianMs(name, bytes), 1),
    timeOfTwice: rounded(medianMs(name, bytes) / medianMs(name, bytes / 2), 2),
  }));
  return { bytes, cases };
}
