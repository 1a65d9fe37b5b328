/**
 * The rows of `crates/redact/testdata/*.toml`. What a row may say is told in `crates/redact/tests/all/tables.rs`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { RedactorOptions } from '../../ts/index.js';

const FOLDER = path.join(import.meta.dirname, '../../crates/redact/testdata');

/** A text of TOML on one line. */
const TEXT = /"(?:[^"\\]|\\.)*"|'[^']*'/g;

const ALPHABETS: Readonly<Record<string, string>> = {
  '': 'a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pg',
  hex: '3f9a1c7e5b2d8046',
  upper: 'Q7KZ2XLM4WTRB6YC',
  lower: 'a7kq2zx9lm4wt6rb8yc1nv3hd5jf0pg',
};

export interface Row {
  readonly place: string;
  readonly input: string;
  readonly expected: string;
  readonly waived: boolean;
}

/** What a text of TOML says, with what stands between angles written out. */
function read(text: string): string {
  const said = text.startsWith('"') ? (JSON.parse(text) as string) : text.slice(1, -1);
  return said.replace(/«(?:(\w+) )?(\w*)»/g, (_all, name: string | undefined, count: string) => {
    const alphabet = ALPHABETS[name ?? ''] ?? '';
    return /^\d+$/.test(count)
      ? alphabet.repeat(Math.ceil(Number(count) / alphabet.length)).slice(0, Number(count))
      : count;
  });
}

/** Names of the tables. */
export const TABLES = readdirSync(FOLDER);

/** The options and the rows of a table, each of which is a line. */
export function table(name: string): { options: RedactorOptions; rows: Row[] } {
  const options: Record<string, string[]> = {};
  const rows: Row[] = [];
  for (const [index, line] of readFileSync(path.join(FOLDER, name), 'utf8').split('\n').entries()) {
    const [, option, list] = /^(secrets|substrings|patterns) = (\[.*\])$/.exec(line) ?? [];
    if (option !== undefined && list !== undefined) options[option] = (list.match(TEXT) ?? []).map(read);
    if (!line.startsWith('  {')) continue;
    const fields = new Map<string, string>();
    const rest = line.replace(new RegExp(`(\\w+) = (${TEXT.source})`, 'g'), (_all, key: string, text: string) => {
      fields.set(key, read(text));
      return '';
    });
    expect(rest, `${name}:${index + 1}`).toMatch(/^ {2}\{ (?:, )* \},$/);
    const input = fields.get('input') ?? fields.get('stays') ?? expect.unreachable(`${name}:${index + 1}`);
    const expected = fields.get('expected') ?? input;
    rows.push({ place: `${name}:${index + 1}`, input, expected, waived: fields.has('waived') });
  }
  return { options, rows };
}
