import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';

import { HandrailError, isHandrailError } from '../ts/index.js';

describe('HandrailError', () => {
  test('carries code, message, data and cause', () => {
    const cause = new Error('below');
    const error = new HandrailError('ERR_BUSY', 'too much', { data: { limit: 3 }, cause });
    expect(error).toMatchObject({ code: 'ERR_BUSY', message: 'too much', data: { limit: 3 }, cause });
    expect(error).toBeInstanceOf(Error);
  });

  test('has no data and no cause of its own when there is none', () => {
    const error = new HandrailError('ERR_CLOSED', 'closed');
    expect(error.data).toBeUndefined();
    expect(Object.hasOwn(error, 'cause')).toBe(false);
  });

  test('keeps its name out of its own properties, and prints it', () => {
    const error = new HandrailError('ERR_CLOSED', 'closed');
    expect(Object.keys(error)).not.toContain('name');
    expect(inspect(error)).toContain('HandrailError: closed');
  });

  test('cannot be changed through its data', () => {
    const data = { limit: 3 };
    const error = new HandrailError('ERR_BUSY', 'too much', { data });
    data.limit = 4;
    expect(error.data).toEqual({ limit: 3 });
    expect(Object.isFrozen(error.data)).toBe(true);
  });

  test('of another copy of the package is recognised by its brand', () => {
    class Other extends Error {}
    Object.defineProperty(Other.prototype, Symbol.for('handrail.error'), { value: true });
    expect(isHandrailError(new Other('x'))).toBe(true);
    expect(new Other('x')).not.toBeInstanceOf(HandrailError);
  });

  test.each([undefined, null, 'ERR_BUSY', {}, new Error('x'), { code: 'ERR_BUSY' }])('is not %o', (value) => {
    expect(isHandrailError(value)).toBe(false);
  });

  test('is recognised when it is of a subclass', () => {
    class Special extends HandrailError {}
    expect(isHandrailError(new Special('ERR_BUSY', 'x'))).toBe(true);
  });
});
