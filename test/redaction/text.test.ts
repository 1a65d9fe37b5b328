import { describe, expect, test } from 'vitest';

import { boundOutput, excerptOutput, MAX_OUTPUT_CHARS, sanitize, stripAnsi, truncateOutput } from '../../ts/index.js';
import { countChars, fitText, fitWithin, type TextCut } from '../../ts/redaction/fit.js';

/** Below this a line with counts would be most of the text. */
const MIN_HEAD_AND_TAIL_CHARS = 80;

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
    () => boundOutput('a', {}),
    () => boundOutput('a', { maxChars: -1 }),
    () => boundOutput('a', { maxChars: MAX_OUTPUT_CHARS + 1 }),
    () => boundOutput('a', { maxBytes: 1.5 }),
    () => boundOutput('a', { maxChars: 1, maxBytes: 1 }),
    () => boundOutput('a', { maxChars: 1, headChars: 1, tailChars: 1 }),
    () => boundOutput('a', { headBytes: 1, tailLines: 1 }),
    () => boundOutput('a', { tailLines: 1 }),
    () => boundOutput('a', { maxLines: 1, maxLineChars: 0 }),
    () => boundOutput('a', { maxLines: 1, maxLineChars: 1_000_001 }),
    () => boundOutput('a', { maxLines: 1, foldRepeats: true } as never),
    () => excerptOutput(1 as never),
    () => excerptOutput('a', { tokens: 0 }),
    () => excerptOutput('a', { tokens: 100_001 }),
    () => excerptOutput('a', { words: 1 } as never),
  ])('arguments are checked: %s', (call) => {
    expect(call).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });

  test('the highest budget is taken', () => {
    expect(truncateOutput('a', MAX_OUTPUT_CHARS)).toBe('a');
    expect(boundOutput('a', { maxBytes: MAX_OUTPUT_CHARS, maxLineChars: 1_000_000 }).text).toBe('a');
  });
});

describe('boundOutput', () => {
  const noise = 'compiling a file\n'.repeat(300);

  test.each([
    ['maxChars', 'characters'],
    ['maxBytes', 'bytes'],
  ] as const)('%s keeps three tenths from the beginning and the rest from the end: %s', (name, unit) => {
    const bounded = boundOutput('x'.repeat(1_000), { [name]: 100 });
    expect(bounded.text).toBe(`${'x'.repeat(30)}\n[... 900 ${unit}, 0 lines omitted ...]\n${'x'.repeat(70)}`);
    expect(bounded.omittedBytes).toBe(900);
  });

  test('a budget of lines', () => {
    const text = Array.from({ length: 20 }, (_, index) => `${index}\n`).join('');
    expect(boundOutput(text, { maxLines: 20 }).text).toBe(text);
    expect(boundOutput(text, { maxLines: 10 }).text).toMatch(
      /^0\n1\n2\n\[\.\.\. 10 lines, 23 characters omitted \.\.\.\]\n13\n/,
    );
    expect(boundOutput(text, { headLines: 1, tailLines: 0 }).text).toBe(
      '0\n[... 19 lines, 48 characters omitted ...]\n',
    );
    expect(boundOutput('x'.repeat(2_001), { maxLines: 1 }).omittedChars).toBe(1);
  });

  test('bytes and characters are told apart, and no character is cut', () => {
    const bounded = boundOutput('日本語'.repeat(100), { headBytes: 10, tailBytes: 10 });
    expect(bounded.text).toBe('日本語\n[... 882 bytes, 0 lines omitted ...]\n日本語');
    expect(bounded.omittedChars).toBe(294);
    const flags = boundOutput('🇩🇪🇫🇷 '.repeat(100), { headChars: 3, tailChars: 4 });
    expect(flags.text).toBe('🇩🇪\n[... 495 characters, 0 lines omitted ...]\n🇫🇷 ');
    const family = boundOutput(`a${'👨‍👩‍👧'.repeat(10)}b`, { headChars: 7, tailChars: 7 });
    expect(family.text).toBe('a👨‍👩‍👧\n[... 40 characters, 0 lines omitted ...]\n👨‍👩‍👧b');
  });

  test('never inside a mask', () => {
    const text = `${'x'.repeat(20)}[REDACTED:github-token]${'y'.repeat(200)}`;
    for (let headChars = 20; headChars < 43; headChars += 1) {
      expect(boundOutput(text, { headChars, tailChars: 0 }).text).toMatch(/^x{20}\n\[\.\.\. /);
    }
  });

  test('a huge line is shortened in its middle, even in a text that fits', () => {
    expect(boundOutput(`a\n${'x'.repeat(1_000)}\nb\n`, { maxChars: 5_000, maxLineChars: 10 })).toEqual({
      text: 'a\nxxxxx[... 990 characters omitted ...]xxxxx\nb\n',
      truncated: true,
      omittedChars: 990,
      omittedBytes: 990,
      omittedLines: 0,
    });
  });

  test('A12: the end of a build log stays, and the cut is told', () => {
    const log = `start\n${noise}error: could not compile\n`;
    const plain = boundOutput(log, { maxChars: 1_000 });
    expect(plain.truncated).toBe(true);
    expect(plain.text).toMatch(/^start\n/);
    expect(plain.text).toMatch(/error: could not compile\n$/);
    expect(plain.text).toContain(`[... ${plain.omittedChars} characters, ${plain.omittedLines} lines omitted ...]`);
    // The view of the seed's function keeps the head alone.
    expect(truncateOutput(log, 1_000)).not.toContain('could not compile');
  });
});

describe('excerptOutput', () => {
  const noise = 'compiling a file\n'.repeat(300);
  const error = 'error[E0308]: mismatched types\n  --> src/main.rs:4:5\n';
  const log = `start\n${noise}${error}\n${noise}error: could not compile\n`;

  test('keeps beginning, errors and end, and counts what is alike', () => {
    const { text, totalLines, shownLines } = excerptOutput(log, { tokens: 100 });
    expect(text).toMatch(/^start\n/);
    expect(text).toContain(error);
    expect(text).toMatch(/error: could not compile\n$/);
    expect(text).toMatch(/\[\d+ lines like this\]/);
    expect(totalLines).toBe(605);
    expect(shownLines).toBeLessThan(30);
  });

  test('leaves a text that fits as it is', () => {
    expect(excerptOutput('a\r\nb')).toEqual({ text: 'a\r\nb', totalLines: 2, shownLines: 2 });
    expect(excerptOutput('')).toEqual({ text: '', totalLines: 0, shownLines: 0 });
  });
});

describe('a reader of so many characters', () => {
  const lines = Array.from({ length: 500 }, (_, index) => `line ${index} ü😀`).join('\n');

  test.each([0, 1, 9, 79, 80, 81, 100, 500, 1000, 5000])('never gets more than %i', (maxChars) => {
    const fitted = fitWithin(lines, maxChars);
    expect(countChars(fitted.text)).toBeLessThanOrEqual(maxChars);
    expect(fitted.cut?.bytes).toBeGreaterThan(0);
    expect(fitText(lines, maxChars)).toBe(fitted.text);
  });

  test('gets a text that fits as it is', () => {
    expect(fitWithin(lines, countChars(lines))).toEqual({ text: lines, masks: 0 });
    expect(fitWithin('half \ud83d', 6).text).toBe('half \ud83d');
    expect(fitWithin(lines, countChars(lines) - 1).cut).toBeDefined();
  });

  test('gets the head alone below 80', () => {
    const fitted = fitWithin(lines, MIN_HEAD_AND_TAIL_CHARS - 1);
    expect(fitted.text).toBe([...lines].slice(0, 79).join(''));
    expect(fitted.cut).toMatchObject({
      chars: countChars(lines) - 79,
      notice: [fitted.text.length, fitted.text.length],
    });
    expect(fitWithin(lines, MIN_HEAD_AND_TAIL_CHARS).text).toContain('omitted');
  });

  test('gets more of the end than of the beginning', () => {
    const { text, cut } = fitWithin('x'.repeat(5_000), 1_000);
    const [head = '', tail = ''] = text.split(/\n?\[\.\.\. .*\]\n/);
    expect(tail.length).toBeGreaterThan(2 * head.length);
    expect(text).toContain(`[... ${5_000 - head.length - tail.length} characters, 0 lines omitted ...]`);
    expect(cut).toMatchObject({ unit: 'chars', chars: 5_000 - head.length - tail.length, lines: 0 });
  });

  test('is told what is missing of the whole where the text was cut before', () => {
    // As a capture leaves it: head, notice, tail.
    const head = `${'ü'.repeat(250)}😀`;
    const notice = '\n[... 90000 bytes, 1000 lines omitted ...]\n';
    const tail = 't\n'.repeat(250);
    const at = [head.length, head.length + notice.length] as const;
    const earlier: TextCut = { unit: 'bytes', bytes: 90_000, chars: 80_000, lines: 1_000, notice: at };
    const { text, cut } = fitWithin(`${head}${notice}${tail}`, 300, earlier);
    const [start = 0, end = 0] = cut?.notice ?? [];
    const [keptHead, keptTail] = [text.slice(0, start), text.slice(end)];
    expect(head.startsWith(keptHead) && tail.endsWith(keptTail)).toBe(true);
    const bytes = 90_000 + Buffer.byteLength(head + tail) - Buffer.byteLength(keptHead + keptTail);
    const lines = 1_250 - (keptTail.split('\n').length - 1);
    expect(cut).toMatchObject({ unit: 'bytes', bytes, lines, chars: 80_751 - countChars(keptHead + keptTail) });
    expect(text.slice(start, end)).toBe(`\n[... ${bytes} bytes, ${lines} lines omitted ...]\n`);
    expect(text.match(/omitted/g)).toHaveLength(1);
  });

  test('is told of a notice that the program wrote by itself as of any text', () => {
    const forged = `${'a\n'.repeat(300)}[... 9 characters, 9 lines omitted ...]\n${'b\n'.repeat(300)}`;
    const { text, cut } = fitWithin(forged, 400);
    expect(cut?.chars).toBe(countChars(forged) - (text.length - (cut?.notice[1] ?? 0) + (cut?.notice[0] ?? 0)));
  });

  test('is told how many masks are in what is left', () => {
    expect(fitWithin('a=[REDACTED] b=[REDACTED:rule] [REDACTED', 100).masks).toBe(2);
    const masks = `[REDACTED]\n${'x'.repeat(500)}\n`.repeat(3);
    expect(fitWithin(masks, 600).masks).toBeLessThan(3);
  });
});
