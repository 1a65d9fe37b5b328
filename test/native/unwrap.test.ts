import { describe, expect, test } from 'vitest';

import { HandrailError } from '../../ts/index.js';
import { callNative, fromNativeError } from '../../ts/native/unwrap.js';

describe('an error of the binding', () => {
  test('made for callers keeps code and message, and the original as its cause', () => {
    const original = Object.assign(new Error('entry 0 is empty'), { code: 'ERR_INVALID_ARGUMENT' });
    const error = fromNativeError(original);
    expect(error).toBeInstanceOf(HandrailError);
    expect(error).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', message: 'entry 0 is empty', cause: original });
  });

  test.each([
    Object.assign(new Error('secret'), { code: 'StringExpected' }),
    Object.assign(new Error('secret'), { code: 'GenericFailure' }),
    new Error('secret'),
    'secret',
    undefined,
  ])('%o becomes ERR_INTERNAL without its message', (original) => {
    const error = fromNativeError(original);
    expect(error.code).toBe('ERR_INTERNAL');
    expect(error.message).not.toContain('secret');
  });

  test('that is a HandrailError already stays the same object', () => {
    const error = new HandrailError('ERR_CLOSED', 'closed');
    expect(fromNativeError(error)).toBe(error);
  });

  test('is thrown by callNative, which otherwise gives the value', () => {
    expect(callNative(() => 7)).toBe(7);
    const fail = () => {
      throw new Error('x');
    };
    expect(() => callNative(fail)).toThrow(HandrailError);
  });
});
