import { describe, expect, test } from 'vitest';

import { listVariable, MAX_LIST_VARIABLE_CHARS } from '../../ts/config/lists.js';

describe('a list variable', () => {
  test.each([
    [undefined, []],
    ['', []],
    ['  ', []],
    ['git', ['git']],
    ['git,ls', ['git', 'ls']],
    [' git , ls ,, ', ['git', 'ls']],
    ['[]', []],
    ['["a,b", "c"]', ['a,b', 'c']],
    [' ["[a-z]{3,5}"] ', ['[a-z]{3,5}']],
    ['a{3},b{4}', ['a{3}', 'b{4}']],
  ])('%j is %j', (value, expected) => {
    expect(listVariable('TERMINAL_X', value)).toEqual(expected);
  });

  test.each([
    ['[a-z]{3,5}', /starts with \[ but is not valid JSON; write the list as a JSON array/],
    ['[0]', /entry 1 is not a string/],
    ['["a", ""]', /entry 2 is not a string/],
    ['foo{3,5}', /comma inside braces at character 4, where a list is split; write the list as a JSON array/],
    ['a\0b', /NUL/],
  ])('%j is an error that names the variable', (value, message) => {
    const read = () => listVariable('TERMINAL_X', value, 'patterns');
    expect(read).toThrow(message);
    expect(read).toThrow(/^TERMINAL_X /);
    expect(read).toThrow(expect.objectContaining({ code: 'ERR_INVALID_CONFIG', data: { variable: 'TERMINAL_X' } }));
  });

  test.each([
    ['programs', 'such as ["git","ls"], or with commas: git,ls'],
    ['texts', 'such as ["one, with a comma","two"]'],
    ['patterns', 'such as ["[a-z]{3,5}"]'],
  ] as const)('of %s has an example of its kind in its errors', (kind, example) => {
    for (const value of ['["ls"', '[1]', 'a{1,2}']) {
      expect(() => listVariable('TERMINAL_X', value, kind)).toThrow(`write the list as a JSON array, ${example}`);
    }
    // What is shown there can be used as it is.
    const [, json = ''] = /(\[.*\])/.exec(example) ?? [];
    expect(listVariable('TERMINAL_X', json, kind).length).toBeGreaterThan(0);
  });

  test('never shows its value in an error', () => {
    const secret = ['hunter', '2'].join('');
    for (const value of [`[${secret}`, `["${secret}", 1]`, `${secret}{1,2}`]) {
      try {
        listVariable('TERMINAL_X', value);
        expect.unreachable();
      } catch (error) {
        expect(String(error)).not.toContain(secret);
        expect((error as Error).cause).toBeUndefined();
      }
    }
  });

  test('ends at its bound', () => {
    expect(listVariable('TERMINAL_X', 'a'.repeat(MAX_LIST_VARIABLE_CHARS))).toHaveLength(1);
    expect(() => listVariable('TERMINAL_X', 'a'.repeat(MAX_LIST_VARIABLE_CHARS + 1))).toThrow(/longer than 65536/);
  });
});
