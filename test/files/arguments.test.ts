/** Arguments that never reach the core, and those that it names. */
import { afterAll, expect, it } from 'vitest';

import { Files, type HandrailError } from '../../ts/index.js';

const files = new Files({ roots: ['.'] });
afterAll(() => files.close());

async function errorOf(call: () => Promise<unknown>): Promise<Partial<HandrailError>> {
  return await call().then(
    () => ({ message: 'nothing was thrown' }),
    (error: HandrailError) => error,
  );
}

it.each([
  [Number.NaN, '`NaN` (number)'],
  [Number.POSITIVE_INFINITY, '`Infinity` (number)'],
  [10n, 'a bigint'],
  [() => 1, 'a function'],
  [Symbol('s'), 'a symbol'],
])('what JSON does not have is refused and not left out: %s', async (value, shown) => {
  const error = await errorOf(() => files.read('package.json', { limit: value as never }));
  expect(error).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', data: { name: 'limit' } });
  expect(error.message).toBe(`Expected \`limit\` to be a value that JSON has, got ${shown}`);
});

it('an argument that cannot be read is refused', async () => {
  const circle: Record<string, unknown> = { old: 'a', new: 'b' };
  circle['self'] = circle;
  const getter = Object.defineProperty({}, 'old', { enumerable: true, get: () => expect.fail() });
  for (const edit of [circle, getter]) {
    expect(await errorOf(() => files.edit('package.json', [edit as never]))).toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
      message: 'Expected `request` to be a value that JSON has, got an object that cannot be read',
    });
  }
});

it.each<readonly [string, () => Promise<unknown>, string]>([
  ['limit', () => files.read('a', { limit: 0 }), 'a whole number of lines from 1 to 268435456, got `0` (number)'],
  [
    'maxBytes',
    () => files.read('a', { maxBytes: null as never }),
    'a whole number of bytes from 1 to 268435456, got null',
  ],
  [
    'column',
    () => files.read('a', { column: 0 }),
    'a whole number of characters from 1 to 9007199254740991, got `0` (number)',
  ],
  [
    'maxTokens',
    () => files.read('a', { maxTokens: 0 }),
    'a whole number of tokens from 1 to 9007199254740991, got `0` (number)',
  ],
  ['numbered', () => files.read('a', { numbered: 1 as never }), 'a boolean, got `1` (number)'],
  ['content', () => files.write('a', 7 as never), 'a string, got `7` (number)'],
  ['overwrite', () => files.write('a', '', { overwrite: 'no' as never }), "one of 'always', 'known', got a string"],
  ['edits', () => files.edit('a', []), 'an array with at least one entry, got an empty array'],
  ['edits[0].old', () => files.edit('a', [{} as never]), 'a string, got undefined'],
  ['first', () => files.edit('a', [{ old: 'a', new: 'b' }], { first: 1 as never }), 'a boolean, got `1` (number)'],
  ['patch', () => files.patch(undefined as never), 'a string, got undefined'],
  ['depth', () => files.list('.', { depth: 17 }), 'a whole number of levels from 1 to 16, got `17` (number)'],
  ['path', () => files.glob('*', { path: 7 as never }), 'a string, got `7` (number)'],
])('the core names a wrong argument: %s', async (name, call, expected) => {
  const error = await errorOf(call);
  expect(error).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', data: { name } });
  expect(error.message).toBe(`Expected \`${name}\` to be ${expected}`);
});
