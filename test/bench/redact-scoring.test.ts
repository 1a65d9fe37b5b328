import { expect, test } from 'vitest';

const FOLDER = new URL('../../bench/redact/', import.meta.url);

type Span = [number, number];
interface PlantedSecret {
  context: string;
  ranges: Span[];
}

/** The benchmark is made of scripts without types. */
async function part<Part>(name: string): Promise<Part> {
  return (await import(new URL(name, FOLDER).href)) as Part;
}

const { mergedSpans, isFound, recallOf, recallBy } = await part<{
  mergedSpans: (spans: Span[]) => Span[];
  isFound: (spans: Span[], plantedSecret: PlantedSecret) => boolean;
  recallOf: (spans: Span[], plantedSecrets: PlantedSecret[]) => { recall: number; missed: PlantedSecret[] };
  recallBy: (
    property: keyof PlantedSecret,
    plantedSecrets: PlantedSecret[],
    missed: PlantedSecret[],
  ) => Record<string, number>;
}>('scoring.mjs');
const { assertEqual } = await part<{ assertEqual: (subject: string, expected: unknown, actual: unknown) => void }>(
  '../lib/assert.mjs',
);
const { lineChunks, fixedSizeChunks } = await part<{
  lineChunks: (text: Buffer, bytes: number) => Buffer[];
  fixedSizeChunks: (text: Buffer, bytes: number) => Buffer[];
}>('chunks.mjs');

const plantedSecret = (...ranges: Span[]): PlantedSecret => ({ context: `at ${ranges[0]?.[0]}`, ranges });

test('spans that overlap are one', () => {
  const spans: Span[] = [
    [8, 9],
    [0, 4],
    [2, 3],
    [4, 6],
  ];
  expect(mergedSpans(spans)).toEqual([
    [0, 6],
    [8, 9],
  ]);
});

test.each([
  [[[10, 20]], true],
  [[[13, 20]], true],
  [[[14, 20]], false],
  [[[10, 16]], false],
  [
    [
      [10, 12],
      [15, 20],
    ],
    true,
  ],
  [
    [
      [10, 12],
      [16, 20],
    ],
    false,
  ],
  [[], false],
  [[[0, 10]], false],
  [[[0, 100]], true],
] as [Span[], boolean][])('with the spans %j the secret at 10 to 20 counts as found: %s', (spans, found) => {
  expect(isFound(spans, plantedSecret([10, 20]))).toBe(found);
});

test('of a secret in two parts both have to be covered', () => {
  const wrapped = plantedSecret([10, 20], [22, 30]);
  expect(isFound([[10, 20]], wrapped)).toBe(false);
  expect(isFound([[10, 30]], wrapped)).toBe(true);
});

test('recall is a share of the planted secrets, also by what they have in common', () => {
  const plantedSecrets = [
    plantedSecret([0, 10]),
    plantedSecret([20, 30]),
    plantedSecret([20, 30]),
    plantedSecret([40, 50]),
  ];
  const { recall, missed } = recallOf([[20, 30]], plantedSecrets);
  expect(recall).toBe(0.5);
  expect(recallBy('context', plantedSecrets, missed)).toEqual({ 'at 0': 0, 'at 20': 1, 'at 40': 0 });
  expect(() => recallOf([], [])).toThrow('no planted secrets');
});

test('a wrong answer fails', () => {
  expect(() => assertEqual('masks', 3, 3)).not.toThrow();
  expect(() => assertEqual('masks', 3, 2)).toThrow('masks: expected 3, got 2');
});

test.each([1, 3, 5, 8, 100])('pieces of %i bytes are the text, and line pieces end with lines', (bytes) => {
  const text = Buffer.from('a\n\nbb\nccccccccccccc\nd\ne');
  expect(Buffer.concat(fixedSizeChunks(text, bytes)).equals(text)).toBe(true);
  const pieces = lineChunks(text, bytes);
  expect(Buffer.concat(pieces).equals(text)).toBe(true);
  for (const piece of pieces.slice(0, -1)) expect(piece.toString()).toMatch(/\n$/);
});
