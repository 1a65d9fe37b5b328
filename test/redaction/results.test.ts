/**
 * Results of middle length share memory, which is used again when all of them are gone. None may ever see another's bytes.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { Redactor } from '../../ts/index.js';

const KIB = 1024;

/** On both sides of what shares memory and what has its own. */
const SIZES = [1, 15, 16, 17, 64, 200, 300, 511, 512, 513, 2100].map((kib) => kib * KIB);

const ROUNDS = 12;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** A text that no other round has, with a secret at its start and at its end. */
function textOf(round: number, size: number): string {
  const secret = `password=hunter${round}x${size}\n`;
  const line = `round ${round} of ${size} has nothing to hide\n`;
  const lines = Math.ceil((size - 2 * secret.length) / line.length);
  return secret + line.repeat(lines) + secret;
}

/** Calls with every size, again and again, and what became of those results that were kept. */
async function keepSome(redact: (text: string) => Uint8Array): Promise<[expected: string, result: Uint8Array][]> {
  const redactor = new Redactor();
  const kept: [string, Uint8Array][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, size] of SIZES.entries()) {
      const text = textOf(round, size);
      const result = redact(text);
      if ((round + index) % 3 === 0) kept.push([redactor.redact(text), result]);
    }
    // The others are given back: the collector says so in a turn of its own.
    collect();
    await turn();
    await turn();
  }
  return kept;
}

function expectUnchanged(kept: readonly [string, Uint8Array][]): void {
  const changed = kept.filter(([expected, result]) => Buffer.from(result).toString() !== expected);
  expect(changed.map(([expected]) => expected.slice(0, 40))).toEqual([]);
}

test.each([
  [
    'of whole Buffers',
    () => {
      const redactor = new Redactor();
      return (text: string) => redactor.redactBytes(Buffer.from(text));
    },
  ],
  [
    'of one stream',
    () => {
      const stream = new Redactor().stream();
      return (text: string) => stream.write(Buffer.from(text));
    },
  ],
  [
    'of a stream that gets strings',
    () => {
      const stream = new Redactor().stream();
      return (text: string) => stream.write(text);
    },
  ],
])('results %s stay as they are while others come and go', async (_name, make) => {
  const kept = await keepSome(make());
  expect(kept.length).toBeGreaterThan(ROUNDS * 3);
  expectUnchanged(kept);
});

test('who writes to one result changes no other', () => {
  const redactor = new Redactor();
  const results = SIZES.flatMap((size) =>
    [0, 1, 2].map((round) => {
      const text = textOf(round, size);
      return { expected: redactor.redact(text), result: redactor.redactBytes(Buffer.from(text)) };
    }),
  );
  for (const [index, { expected, result }] of results.entries()) {
    expect(Buffer.from(result).toString()).toBe(expected);
    result.fill(index);
    expect(Buffer.from(result.buffer, result.byteOffset, result.length).every((byte) => byte === index)).toBe(true);
  }
});

test('a stream that gives more than it was just given', () => {
  const held = `note ${'a lot of words '.repeat(3 * KIB)}`;
  const rest = `and password=hunter2\n${'nothing to hide\n'.repeat(2 * KIB)}`;
  const redactor = new Redactor();
  const stream = redactor.stream();
  const parts = [stream.write(Buffer.from(held)), stream.write(Buffer.from(rest)), stream.end()];
  // Otherwise nothing was held that is more than the second piece.
  expect(parts[1]?.length).toBeGreaterThan(rest.length + 4 * KIB);
  expect(Buffer.concat(parts).toString()).toBe(redactor.redact(held + rest));
});
