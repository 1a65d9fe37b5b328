import { describe, expect, test } from 'vitest';

import { boundOutput, MAX_OUTPUT_CHARS, sanitize, stripAnsi, truncateOutput } from '../../ts/index.js';
import { boundToChars, countChars, MIN_HEAD_AND_TAIL_CHARS } from '../../ts/terminal/bounding.js';

describe('texts', () => {
  test('stripAnsi removes escape sequences and nothing else', () => {
    expect(stripAnsi('\u001b[1;31mred\u001b[0m\tand\rplain')).toBe('red\tand\rplain');
  });

  test('sanitize gives what a person would read', () => {
    expect(sanitize(Buffer.from('10%\r100%\nab\bc\n'))).toBe('100%\nac\n');
    expect(sanitize(Buffer.from([0x61, 0xff, 0x62]))).toBe('a\ufffdb');
  });

  test('truncateOutput keeps the head, counts characters, and never cuts one', () => {
    expect(truncateOutput('abc', 3)).toBe('abc');
    expect(truncateOutput('abcd', 3)).toBe('abc\n... (output truncated: 4 total chars, showing first 3)');
    expect(truncateOutput('😀😀', 1)).toBe('😀\n... (output truncated: 2 total chars, showing first 1)');
  });

  test('boundOutput keeps head and tail and counts what is missing', () => {
    const text = `head\n${'middle\n'.repeat(100)}tail\n`;
    const bounded = boundOutput(text, { headChars: 5, tailChars: 5 });
    expect(bounded).toEqual({
      text: 'head\n[... 700 characters, 100 lines omitted ...]\ntail\n',
      truncated: true,
      omittedChars: 700,
      omittedBytes: 700,
      omittedLines: 100,
    });
    expect(boundOutput('short', { headChars: 5, tailChars: 0 })).toMatchObject({ text: 'short', truncated: false });
  });

  test.each([
    () => stripAnsi(7 as never),
    () => sanitize('text' as never),
    () => truncateOutput('a', -1),
    () => truncateOutput('a', MAX_OUTPUT_CHARS + 1),
    () => truncateOutput('a', undefined as never),
    () => boundOutput('a', { headChars: 1 } as never),
    () => boundOutput('a', { headChars: 1, tailChars: 1, chars: 1 } as never),
  ])('arguments are checked: %s', (call) => {
    expect(call).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });

  test('the highest budget is taken', () => {
    expect(truncateOutput('a', MAX_OUTPUT_CHARS)).toBe('a');
  });
});

describe('a character budget', () => {
  const lines = Array.from({ length: 500 }, (_, index) => `line ${index} ü😀`).join('\n');

  test.each([1, 9, 79, 80, 81, 100, 500, 1000, 5000])('of %i is never exceeded', (maxChars) => {
    const bounded = boundToChars(lines, maxChars);
    expect(countChars(bounded.text)).toBeLessThanOrEqual(maxChars);
    expect(bounded.truncated).toBe(true);
  });

  test('that is enough changes nothing', () => {
    expect(boundToChars(lines, countChars(lines))).toEqual({ text: lines, truncated: false });
    expect(boundToChars(lines, undefined)).toEqual({ text: lines, truncated: false });
    expect(boundToChars(lines, countChars(lines) - 1).truncated).toBe(true);
  });

  test('below 80 keeps the head alone', () => {
    expect(boundToChars(lines, MIN_HEAD_AND_TAIL_CHARS - 1).text).toBe([...lines].slice(0, 79).join(''));
    expect(boundToChars(lines, MIN_HEAD_AND_TAIL_CHARS).text).toContain('omitted');
  });

  test('keeps more of the end than of the beginning', () => {
    const { text } = boundToChars('x'.repeat(5_000), 1_000);
    const [head = '', tail = ''] = text.split(/\n?\[\.\.\. .*\]\n/);
    expect(tail.length).toBeGreaterThan(2 * head.length);
    expect(text).toContain(`[... ${5_000 - head.length - tail.length} characters, 0 lines omitted ...]`);
  });

  test('counts what an earlier cut left out, in bytes of the whole output', () => {
    // As a capture leaves it: head, notice, tail.
    const head = 'h'.repeat(500);
    const tail = 't\n'.repeat(250);
    const earlier = { keptBytes: 1_000, omittedBytes: 90_000, omittedLines: 1_000 };
    const text = `${head}\n[... 90000 bytes, 1000 lines omitted ...]\n${tail}`;
    const bounded = boundToChars(text, 300, earlier).text;
    const notice = /\[\.\.\. (\d+) bytes, (\d+) lines omitted \.\.\.\]\n/.exec(bounded);
    const [keptHead = '', keptTail = ''] = bounded.split(notice?.[0] ?? 'none');
    const kept = keptHead.replace(/\n$/, '').length + keptTail.length;
    expect(Number(notice?.[1])).toBe(91_000 - kept);
    expect(Number(notice?.[2])).toBe(1_250 - keptTail.split('\n').length + 1);
  });
});
