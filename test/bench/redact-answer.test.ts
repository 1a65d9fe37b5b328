import { expect, test } from 'vitest';

const FOLDER = new URL('../../bench/redact/', import.meta.url);

type Span = [number, number];
interface Truth {
  context: string;
  ranges: Span[];
}

/** The benchmark is made of scripts without types. */
async function part<Part>(name: string): Promise<Part> {
  return (await import(new URL(name, FOLDER).href)) as Part;
}

const { united, isFound, recallOf, recallBy, mustBe } = await part<{
  united: (spans: Span[]) => Span[];
  isFound: (spans: Span[], truth: Truth) => boolean;
  recallOf: (spans: Span[], truths: Truth[]) => { recall: number; missed: Truth[] };
  recallBy: (property: keyof Truth, truths: Truth[], missed: Truth[]) => Record<string, number>;
  mustBe: (what: string, expected: unknown, found: unknown) => void;
}>('answer.mjs');
const { linePieces, cutPieces } = await part<{
  linePieces: (text: Buffer, bytes: number) => Buffer[];
  cutPieces: (text: Buffer, bytes: number) => Buffer[];
}>('pieces.mjs');

const truth = (...ranges: Span[]): Truth => ({ context: `at ${ranges[0]?.[0]}`, ranges });

test('spans that overlap are one', () => {
  const spans: Span[] = [
    [8, 9],
    [0, 4],
    [2, 3],
    [4, 6],
  ];
  expect(united(spans)).toEqual([
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
  expect(isFound(spans, truth([10, 20]))).toBe(found);
});

test('of a secret in two parts both have to be covered', () => {
  const wrapped = truth([10, 20], [22, 30]);
  expect(isFound([[10, 20]], wrapped)).toBe(false);
  expect(isFound([[10, 30]], wrapped)).toBe(true);
});

test('recall is a share of the truths, also by what they have in common', () => {
  const truths = [truth([0, 10]), truth([20, 30]), truth([20, 30]), truth([40, 50])];
  const { recall, missed } = recallOf([[20, 30]], truths);
  expect(recall).toBe(0.5);
  expect(recallBy('context', truths, missed)).toEqual({ 'at 0': 0, 'at 20': 1, 'at 40': 0 });
  expect(() => recallOf([], [])).toThrow('no truths');
});

test('a wrong answer fails', () => {
  expect(() => mustBe('masks', 3, 3)).not.toThrow();
  expect(() => mustBe('masks', 3, 2)).toThrow('masks: expected 3, got 2');
});

test.each([1, 3, 5, 8, 100])('pieces of %i bytes are the text, and line pieces end with lines', (bytes) => {
  const text = Buffer.from('a\n\nbb\nccccccccccccc\nd\ne');
  expect(Buffer.concat(cutPieces(text, bytes)).equals(text)).toBe(true);
  const pieces = linePieces(text, bytes);
  expect(Buffer.concat(pieces).equals(text)).toBe(true);
  for (const piece of pieces.slice(0, -1)) expect(piece.toString()).toMatch(/\n$/);
});
