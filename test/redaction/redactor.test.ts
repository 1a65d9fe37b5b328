import { pipeline } from 'node:stream/promises';
import { describe, expect, test } from 'vitest';

import { MAX_PATTERN_CHARS, MAX_REDACTION_ENTRIES, Redactor, type RedactorOptions, sanitize } from '../../ts/index.js';

/** Known values that cannot be taken for real ones, and are not in this file as they stand. */
const PHRASE = ['correct', 'horse', 'battery'].join(' ');
const MASK = '[REDACTED]';

describe('a redactor', () => {
  test('gives the same string back when nothing was found', () => {
    for (const text of ['nothing to see', '']) expect(new Redactor().redact(text)).toBe(text);
  });

  test('gives the same bytes object back when nothing was found, else a new one', () => {
    const redactor = new Redactor();
    const plain = Buffer.from('nothing to see');
    expect(redactor.redactBytes(plain)).toBe(plain);
    const secret = Buffer.from('password=hunter2');
    expect(Buffer.from(redactor.redactBytes(secret)).toString()).toBe(`password=${MASK}`);
    expect(secret.toString()).toBe('password=hunter2');
  });

  test('takes bytes that are no UTF-8, and leaves them as they are', () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(' password=hunter2 '), Buffer.from([0xff])]);
    const masked = Buffer.from(new Redactor().redactBytes(bytes));
    expect(masked.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xfe]));
    expect(masked.at(-1)).toBe(0xff);
    expect(masked.toString('latin1')).toContain(`password=${MASK}`);
  });

  test('masks known values, given as a list or by name', () => {
    expect(new Redactor({ secrets: [PHRASE] }).redact(`say ${PHRASE}!`)).toBe(`say ${MASK}!`);
    expect(new Redactor({ secrets: { DEPLOY: PHRASE } }).redact(`say ${PHRASE}!`)).toBe(`say ${MASK}!`);
  });

  test('sees through colours, and leaves them where they are', () => {
    const coloured = Buffer.from('\u001b[31mpass\u001b[1mword\u001b[0m=\u001b[32mhunter2\u001b[0m');
    const redactor = new Redactor();
    expect(redactor.redact(coloured.toString())).toBe(coloured.toString().replace('hunter2', MASK));
    expect(redactor.redact(sanitize(coloured))).toBe(`password=${MASK}`);
    const [finding] = redactor.scan(coloured.toString());
    expect(coloured.toString().slice(finding?.start, finding?.end)).toBe('hunter2');
  });

  test('masks substrings and patterns of the host', () => {
    const redactor = new Redactor({ substrings: ['blue'], patterns: ['x{3,5}'], rules: 'none' });
    expect(redactor.redact('blue xx xxxx password=hunter2')).toBe(`${MASK} xx ${MASK} password=hunter2`);
  });

  test('with label says which rule it was', () => {
    expect(new Redactor({ label: true }).redact('password=hunter2')).toMatch(/^password=\[REDACTED:[a-z0-9.-]+\]$/);
  });

  test('with rules none finds nothing by itself', () => {
    expect(new Redactor({ rules: 'none' }).redact('password=hunter2')).toBe('password=hunter2');
  });

  test('scans with offsets in UTF-16 units, and never shows the secret', () => {
    const findings = new Redactor().scan('😀 password=hunter2');
    expect(findings).toEqual([{ rule: expect.any(String), start: 12, end: 19 }]);
    expect(JSON.stringify(findings)).not.toContain('hunter2');
    expect(new Redactor().scan('nothing')).toEqual([]);
  });
});

describe('a string', () => {
  const PIECE = 65_536;
  const redactor = new Redactor();

  test('keeps lone surrogates where they are', () => {
    for (const strange of ['\ud83d', '\ude00', '\ude00\ud83d']) {
      const text = `${strange} password=hunter2 ${strange}`;
      expect(redactor.redact(text)).toBe(`${strange} password=${MASK} ${strange}`);
      expect(redactor.redact(strange)).toBe(strange);
    }
  });

  test('may have characters of two units around a secret and in it', () => {
    expect(redactor.redact('😀password=hunter2😀 😀')).toBe(`😀password=${MASK} 😀`);
    expect(redactor.redact('é password="hun😀ter2"😀')).toBe(`é password="${MASK}"😀`);
    expect(redactor.scan('é😀 password="hun😀ter2"')).toMatchObject([{ start: 14, end: 23 }]);
  });

  test('of one-byte characters beyond ASCII is not taken for bytes', () => {
    expect(redactor.redact('größer password=hunter2 é')).toBe(`größer password=${MASK} é`);
  });

  test.each(['a', 'é', '😀', '\ud83d'])('longer than a piece is as if it were whole, filled with %j', (filler) => {
    const secret = 'password=hunter2';
    for (let shift = -secret.length - 2; shift <= 2; shift += 1) {
      const before = `x ${filler.repeat(PIECE / filler.length)}`.slice(0, PIECE + shift - 1);
      const text = `${before} ${secret} ${filler}`;
      expect(redactor.redact(text)).toBe(`${before} password=${MASK} ${filler}`);
      expect(redactor.scan(text)).toMatchObject([
        { start: before.length + 10, end: before.length + secret.length + 1 },
      ]);
    }
  });

  test('longer than a piece comes back itself when nothing was found, and leaves nothing for the next', () => {
    const plain = 'nothing 😀\n'.repeat(PIECE / 4);
    expect(redactor.redact(plain)).toBe(plain);
    redactor.redact(`${plain}password="hunter2`);
    expect(redactor.redact('hunter2')).toBe('hunter2');
  });

  test('made of many parts is masked', () => {
    let text = '';
    for (let index = 0; index < 20_000; index += 1) text += index % 2 === 0 ? 'password=hunter2\n' : 'é line\n';
    const masked = redactor.redact(text);
    expect(masked.split(MASK)).toHaveLength(10_001);
    expect(masked).not.toContain('hunter2');
    expect(redactor.scan(text)).toHaveLength(10_000);
  });

  test('is masked like its bytes', () => {
    const texts = [
      '{"password": 12345678, "é": 1}',
      'password: |\n  hünter2\n  zwei\nuser: ä\n',
      `-----BEGIN ${'PRIVATE KEY'}-----\nAAAA\nBBBB\n-----END ${'PRIVATE KEY'}-----\nü`,
    ];
    for (const label of [false, true]) {
      const each = new Redactor({ label });
      for (const text of texts) {
        expect(each.redact(text)).toBe(Buffer.from(each.redactBytes(Buffer.from(text))).toString());
      }
    }
  });
});

describe('bytes', () => {
  test('of several megabytes are masked', () => {
    const line = Buffer.from('nothing to see here, é\n');
    const plain = Buffer.concat(Array.from({ length: 200_000 }, () => line));
    const redactor = new Redactor();
    expect(redactor.redactBytes(plain)).toBe(plain);
    const masked = redactor.redactBytes(Buffer.concat([plain, Buffer.from('password=hunter2\n'), plain]));
    expect(Buffer.from(masked).equals(Buffer.concat([plain, Buffer.from(`password=${MASK}\n`), plain]))).toBe(true);
  });

  test('that other threads may write to are masked as they were read', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(16));
    shared.set(Buffer.from('password=hunter2'));
    expect(Buffer.from(new Redactor().redactBytes(shared)).toString()).toBe(`password=${MASK}`);
    shared.fill(0x61);
    expect(new Redactor().redactBytes(shared)).toBe(shared);
  });
});

describe('an option of a redactor', () => {
  test.each([
    [{ pattern: [] }, 'ERR_INVALID_ARGUMENT', 'Unknown key in `options`: `pattern`'],
    [{ secrets: 'x' }, 'ERR_INVALID_ARGUMENT', 'Expected `secrets` to be an object of names and values'],
    [{ secrets: [''] }, 'ERR_INVALID_ARGUMENT', 'Expected `secrets[0]` to be a string that is not empty'],
    [{ secrets: { A: 7 } }, 'ERR_INVALID_ARGUMENT', 'Expected `secrets[0]` to be a string that is not empty, got `7`'],
    [{ substrings: [7] }, 'ERR_INVALID_ARGUMENT', 'Expected `substrings[0]` to be a string, got `7` (number)'],
    [{ patterns: [''] }, 'ERR_INVALID_ARGUMENT', 'Expected `patterns[0]` to be a pattern of 1 to 4096 characters'],
    [{ rules: 'all' }, 'ERR_INVALID_ARGUMENT', "Expected `rules` to be 'default', 'none' or an array"],
    [{ rules: ['no-such-rule'] }, 'ERR_INVALID_ARGUMENT', 'there is no rule'],
    [{ minSecretLength: 0 }, 'ERR_INVALID_ARGUMENT', 'from 1 to 1024, got `0` (number)'],
    [{ label: 'yes' }, 'ERR_INVALID_ARGUMENT', 'Expected `label` to be a boolean'],
    [{ patterns: ['fine', '('] }, 'ERR_INVALID_PATTERN', '1'],
  ])('%o is refused', (options, code, message) => {
    const build = () => new Redactor(options as RedactorOptions);
    expect(build).toThrow(expect.objectContaining({ code }));
    expect(build).toThrow(message);
  });

  test('never shows a known value in an error', () => {
    for (const secrets of [[PHRASE.slice(0, 3)], { A: PHRASE.slice(0, 3) }]) {
      try {
        new Redactor({ secrets });
        expect.unreachable();
      } catch (error) {
        expect(error).toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
        expect(String(error)).not.toContain(PHRASE.slice(0, 3));
      }
    }
  });

  test('ends at its bounds', () => {
    const texts = (count: number) => Array.from({ length: count }, (_, index) => `text-${index}`);
    expect(() => new Redactor({ substrings: texts(MAX_REDACTION_ENTRIES) })).not.toThrow();
    expect(() => new Redactor({ substrings: texts(MAX_REDACTION_ENTRIES + 1) })).toThrow(/at most 1000/);
    expect(() => new Redactor({ patterns: ['a'.repeat(MAX_PATTERN_CHARS)] })).not.toThrow();
    expect(() => new Redactor({ patterns: ['a'.repeat(MAX_PATTERN_CHARS + 1)] })).toThrow(/1 to 4096/);
    expect(() => new Redactor({ secrets: ['s'.repeat(6)] })).not.toThrow();
    expect(() => new Redactor({ secrets: ['s'.repeat(5)] })).toThrow();
    expect(() => new Redactor({ secrets: ['s'.repeat(5)], minSecretLength: 5 })).not.toThrow();
  });

  test.each(['redact', 'redactBytes', 'scan'] as const)('and an argument of %s is checked', (method) => {
    const redactor = new Redactor();
    expect(() => redactor[method](7 as never)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });
});

describe('a redaction stream', () => {
  const text = `a 😀 password=hunter2 ü ${PHRASE} end\n`;
  const options = { secrets: [PHRASE] };

  test('gives the same bytes wherever bytes are cut', () => {
    const expected = new Redactor(options).redact(text);
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const stream = new Redactor(options).stream();
      const parts = [stream.write(bytes.subarray(0, cut)), stream.write(bytes.subarray(cut)), stream.end()];
      expect(Buffer.concat(parts).toString()).toBe(expected);
    }
  });

  test('gives the same bytes wherever a string is cut, also inside a character', () => {
    const expected = new Redactor(options).redact(text);
    for (let cut = 0; cut <= text.length; cut += 1) {
      const stream = new Redactor(options).stream();
      const parts = [stream.write(text.slice(0, cut)), stream.write(text.slice(cut)), stream.end()];
      expect(Buffer.concat(parts).toString()).toBe(expected);
    }
  });

  test('takes strings longer than a piece', () => {
    const long = `${'é😀'.repeat(50_000)} password=hunter2\n`;
    const stream = new Redactor().stream();
    const parts = [stream.write(`x${long}`), stream.write(long), stream.end()];
    expect(Buffer.concat(parts).toString()).toBe(new Redactor().redact(`x${long}${long}`));
  });

  test('writes half a character that never got its other half as U+FFFD', () => {
    const stream = new Redactor().stream();
    expect(Buffer.concat([stream.write('a\ud83d'), stream.end()]).toString()).toBe('a\ufffd');
    const mixed = new Redactor().stream();
    expect(Buffer.concat([mixed.write('a\ud83d'), mixed.write(Buffer.from('b')), mixed.end()]).toString()).toBe(
      'a\ufffdb',
    );
  });

  test('counts what it masked', () => {
    const stream = new Redactor(options).stream();
    stream.write(text);
    stream.end();
    expect(stream.findings).toBe(2);
  });

  test('cannot be used when it was ended', () => {
    const stream = new Redactor().stream();
    stream.end();
    expect(() => stream.write('a')).toThrow(expect.objectContaining({ code: 'ERR_CLOSED' }));
    expect(() => stream.end()).toThrow(expect.objectContaining({ code: 'ERR_CLOSED' }));
    expect(stream.findings).toBe(0);
  });

  test('refuses anything but text and bytes', () => {
    expect(() => new Redactor().stream().write(7 as never)).toThrow('Expected `chunk` to be a string or a Uint8Array');
  });

  test('works as a transform for bytes and for strings in any encoding', async () => {
    for (const chunks of [
      [Buffer.from('pass'), Buffer.from('word=hunter2')],
      ['password=hun', 'ter2'],
    ]) {
      expect(await throughTransform(chunks)).toBe(`password=${MASK}`);
    }
    const transform = new Redactor().transform();
    const collected = collect(transform);
    transform.end(Buffer.from('password=hunter2').toString('hex'), 'hex');
    expect(await collected).toBe(`password=${MASK}`);
  });
});

async function throughTransform(chunks: Iterable<string | Uint8Array>): Promise<string> {
  const transform = new Redactor().transform();
  const collected = collect(transform);
  await pipeline(chunks, transform);
  return collected;
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}
