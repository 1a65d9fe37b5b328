/**
 * A secret across every border that an output can have: head and tail, reads, colours, wrapped lines. At no offset four of
 * its characters are shown in a row. Each attack is also made without the guard, and must then see them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type BoundOptions, boundOutput, Redactor, sanitize, Terminal } from '../../ts/index.js';
import { shell } from '../cli/shell.js';

/** Of letters that no filler, notice or mask has in this order. */
const VALUE = ['qvxJwzKp', 'GhyQkBnV', 'tWcZmXrf'].join('');

/** Known to a rule by its beginning. */
const TOKEN = ['gh', 'p_', VALUE, 'Lq3vXw7zJk2p'].join('');

/** So many characters in a row are a part of a secret. */
const SHOWN_CHARS = 4;

/** What is known, how it stands in a text, and what must not be seen of it. */
const SECRETS: readonly (readonly [name: string, redactor: () => Redactor, written: string, secret: string])[] = [
  ['a known value', () => new Redactor({ rules: 'none', secrets: { IT: VALUE } }), VALUE, VALUE],
  ['a token', () => new Redactor(), TOKEN, TOKEN],
  ['a value behind its name', () => new Redactor(), `password=${VALUE}`, VALUE],
];

const OFF = new Redactor({ rules: 'none' });

const folder = mkdtempSync(path.join(tmpdir(), 'handrail-borders-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function shows(secret: string, text: string): boolean {
  const starts = Array.from({ length: secret.length - SHOWN_CHARS + 1 }, (_, start) => start);
  return starts.some((start) => text.includes(secret.slice(start, start + SHOWN_CHARS)));
}

/** Every offset at which a border lies in, or near, what is written. */
function offsets(written: string): number[] {
  return Array.from({ length: written.length + 13 }, (_, index) => index - 6);
}

/** Digits and blanks, `length` of them. */
function filler(length: number): string {
  return '0 1 2 3 4 5 6 7 8 9 '.repeat(Math.ceil(length / 20)).slice(0, Math.max(0, length));
}

/** What is shown at any offset. */
function anyShows(secret: string, written: string, attack: (offset: number) => string): boolean {
  return offsets(written).some((offset) => shows(secret, attack(offset)));
}

describe.each(SECRETS)('%s is not shown', (_name, redactorOf, written, secret) => {
  const redactor = redactorOf();

  /** A text of 1,000 characters in which what is written begins that far before character 500. */
  const around = (offset: number) => `${filler(499 - offset)} ${written} ${filler(500)}`;

  test.each<[string, BoundOptions]>([
    ['head', { headChars: 500, tailChars: 0 }],
    ['head in bytes', { headBytes: 500, tailBytes: 100 }],
    ['tail', { headChars: 0, tailChars: 500 + written.length }],
    ['tail in bytes', { headBytes: 20, tailBytes: 500 + written.length }],
    ['shortened line', { headLines: 1, tailLines: 1, maxLineChars: 1_000 }],
  ])('at the cut of a %s', (_border, bounds) => {
    expect(anyShows(secret, written, (offset) => boundOutput(redactor.redact(around(offset)), bounds).text)).toBe(
      false,
    );
    expect(anyShows(secret, written, (offset) => boundOutput(OFF.redact(around(offset)), bounds).text)).toBe(true);
  });

  test('at the border of a read', () => {
    const READ_BYTES = 64 * 1024;
    const read = (by: Redactor, offset: number) => {
      const bytes = Buffer.from(`${filler(READ_BYTES - 1 - offset)} ${written} ${filler(READ_BYTES)}\n`);
      const stream = by.stream();
      const parts = [
        stream.write(bytes.subarray(0, READ_BYTES)),
        stream.write(bytes.subarray(READ_BYTES)),
        stream.end(),
      ];
      for (const part of parts) expect(by === OFF || !shows(secret, Buffer.from(part).toString())).toBe(true);
      return Buffer.concat(parts).toString();
    };
    expect(anyShows(secret, written, (offset) => read(redactor, offset))).toBe(false);
    expect(anyShows(secret, written, (offset) => read(OFF, offset))).toBe(true);
    // What a reader does who masks each read by itself.
    const apart = (offset: number) => {
      const text = around(offset);
      return redactor.redact(text.slice(0, 500)) + redactor.redact(text.slice(500));
    };
    expect(anyShows(secret, written, apart)).toBe(true);
  });

  test.each([
    ['a colour', '\u001b[1;32m'],
    ['two colours', '\u001b[0m\u001b[38;5;7m'],
    ['a link', '\u001b]8;;http://h/\u0007'],
    ['a carriage return and the same again', undefined],
    ['a backspace', ' \b'],
  ])('with %s in it', (_what, between) => {
    const coloured = (offset: number) => {
      const at = Math.min(Math.max(offset, 0), written.length);
      const start = written.slice(0, at);
      return `x ${start}${between ?? `\rx ${start}`}${written.slice(at)} y\n`;
    };
    const shown = (by: Redactor) => (offset: number) => by.redact(sanitize(Buffer.from(coloured(offset))));
    expect(anyShows(secret, written, shown(redactor))).toBe(false);
    expect(anyShows(secret, written, shown(OFF))).toBe(true);
  });

  test.each(['\u001b[1;32m', '\u001b[0m\u001b[38;5;7m', '\u001b[K'])('with %j in it, in raw text', (between) => {
    const coloured = (offset: number) => {
      const at = Math.min(Math.max(offset, 0), written.length);
      return `x ${between}${written.slice(0, at)}${between}${written.slice(at)}${between} y\n`;
    };
    expect(anyShows(secret, written, (offset) => redactor.redact(coloured(offset)))).toBe(false);
    expect(anyShows(secret, written, (offset) => OFF.redact(coloured(offset)))).toBe(true);
  });
});

describe('a known value is not shown', () => {
  const redactor = new Redactor({ rules: 'none', secrets: { IT: VALUE } });

  test.each([
    ['a line end', '\n'],
    ['a carriage return too', '\r\n'],
    ['an indent', '\n    '],
    ['a tab', '\n\t'],
  ])('in a line that was wrapped with %s', (_name, wrap) => {
    for (const width of [4, 7, 9, 12, 20]) {
      const pieces = (offset: number) => {
        const first = Math.min(Math.max(offset, 0), VALUE.length);
        const rest = VALUE.slice(first).match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
        return `x ${[VALUE.slice(0, first), ...rest].filter(Boolean).join(wrap)} y\n`;
      };
      expect(anyShows(VALUE, VALUE, (offset) => redactor.redact(pieces(offset)))).toBe(false);
      expect(anyShows(VALUE, VALUE, (offset) => OFF.redact(pieces(offset)))).toBe(true);
    }
  });

  test.each(['base64', 'base64url', 'hex'] as const)('as %s, wrapped', (encoding) => {
    for (const before of ['', 'a', 'ab']) {
      const encoded = Buffer.from(`${before}${VALUE}`).toString(encoding);
      for (const at of offsets(encoded).filter((offset) => offset > 0 && offset < encoded.length)) {
        const text = `${encoded.slice(0, at)}\n${encoded.slice(at)}\n`;
        const shown = redactor.redact(text).replaceAll('\n', '');
        // Whoever has a stretch of it has that much of the value.
        const decoded = ['', 'A', 'AA', 'AAA'].map((lead) =>
          Buffer.from(lead + shown.replace(/\[.*?\]/g, ''), encoding),
        );
        for (const bytes of decoded) expect(shows(VALUE, bytes.toString('latin1'))).toBe(false);
      }
    }
  });
});

describe('handrail redact shows no secret', () => {
  const READ_BYTES = 64 * 1024;
  const written = `password=${VALUE}`;

  /** At each border of a read stands the secret, each time one character later. */
  function lines(): string {
    const parts: string[] = [];
    let length = 0;
    for (const [index, offset] of offsets(written).entries()) {
      const upTo = (index + 1) * READ_BYTES - 1 - offset;
      const part = `${filler(upTo - length - 1)}\n ${written}\n`;
      parts.push(part);
      length += part.length;
    }
    return parts.join('');
  }

  test.each([
    ['a file', 'handrail redact FILE'],
    ['a pipe', 'cat FILE | handrail redact'],
    ['a pipe of odd pieces', 'dd if=FILE bs=65521 status=none | handrail redact'],
  ])('at the borders of what it reads from %s', async (_name, script) => {
    const file = path.join(folder, 'lines');
    const text = lines();
    writeFileSync(file, text);
    const output = path.join(folder, 'output');
    await shell(`${script.replace('FILE', file)} > ${output}`);
    const shown = readFileSync(output, 'utf8');
    expect(shows(VALUE, shown)).toBe(false);
    expect(shown).toBe(text.replaceAll(VALUE, '[REDACTED]'));
    expect(shows(VALUE, text)).toBe(true);
  });
});

describe('a terminal shows no secret', () => {
  /** Everything that one run gives. */
  async function everything(redactor: Redactor, text: string, output: object): Promise<string> {
    const file = path.join(folder, 'terminal');
    writeFileSync(file, text);
    const told: string[] = [];
    await using terminal = new Terminal({ allow: ['cat'], redactor, output });
    const result = await terminal.run(['cat', file], { onOutput: (chunk) => told.push(chunk.text) });
    const spilled = result.spill === undefined ? '' : readFileSync(result.spill.path, 'utf8');
    return [JSON.stringify(result), told.join('|'), spilled].join('\n');
  }

  const redactor = new Redactor({ secrets: { IT: VALUE } });
  const around = (offset: number) => `${filler(499 - offset)} ${VALUE} ${filler(500)}\n`;

  test.each([
    ['head', { headBytes: 500, tailBytes: 10, spillBytes: 0 }],
    ['tail', { headBytes: 10, tailBytes: 501 + VALUE.length, spillBytes: 0 }],
    ['spill file', { headBytes: 10, tailBytes: 10, spillBytes: 500 }],
    ['text for a model', { maxChars: 700 }],
  ])('at the cut of a %s', async (_name, output) => {
    let seen = false;
    for (const offset of offsets(VALUE)) {
      expect(shows(VALUE, await everything(redactor, around(offset), output))).toBe(false);
      seen ||= shows(VALUE, await everything(OFF, around(offset), output));
    }
    expect(seen).toBe(true);
  });

  test('at the border of a read, in colours and in wrapped lines', async () => {
    const output = { headBytes: 1 << 20, tailBytes: 0, spillBytes: 0 };
    for (const offset of offsets(VALUE).filter((at) => at > 0 && at < VALUE.length)) {
      const border = `${filler(64 * 1024 - offset - 1)} ${VALUE}\n`;
      const coloured = `${VALUE.slice(0, offset)}\u001b[31m${VALUE.slice(offset)}\n`;
      const wrapped = `${VALUE.slice(0, offset)}\r\n  ${VALUE.slice(offset)}\n`;
      expect(shows(VALUE, await everything(redactor, border + coloured + wrapped, output))).toBe(false);
    }
    expect(shows(VALUE, await everything(OFF, `${VALUE}\n`, output))).toBe(true);
  });
});
