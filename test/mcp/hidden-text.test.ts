import { describe, expect, it } from 'vitest';
import { hiddenNotes } from '../../ts/mcp/hidden-text.js';
import { MAX_DESCRIPTION_CHARS, MAX_HIDDEN_NOTES, MAX_NOTE_CHARS } from '../../ts/mcp/limits.js';
import { Redactor } from '../../ts/redaction/redactor.js';

const SECRET = ['correct', 'horse', 'battery'].join('-');
const redactor = new Redactor({ secrets: { PLANTED: SECRET } });
const notes = (description: unknown, more: object = {}) => hiddenNotes(redactor, { description, ...more });
const tags = (text: string) =>
  [...text].map((one) => String.fromCodePoint(0xe0000 + (one.codePointAt(0) ?? 0))).join('');

/** Nothing in it moves a cursor, changes a direction or is not seen. */
const VISIBLE = /^[^\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]*$/u;

describe('what a text of a server hides', () => {
  it.each([
    ['Adds\u200b two.', 'description: invisible characters (1): Adds\\u{200b} two.'],
    ['Adds \u202eowt\u202c.', 'description: invisible characters (2): Adds \\u{202e}owt\\u{202c}.'],
    [
      'Adds.\u001b[8m no\u001b[0m',
      'description: terminal controls; invisible characters (2): Adds.\\u{1b}[8m no\\u{1b}[0m',
    ],
    ['Adds. <!-- now -->', 'description: a comment: Adds. <!-- now -->'],
    [`Adds.${tags('go on')}`, 'description: invisible tags that say "go on": Adds.go on'],
  ])('is shown as what it is: %j', (text, said) => {
    expect(notes(text)).toEqual([said]);
    expect(said).toMatch(VISIBLE);
  });

  it('is looked for in each text, in names of fields too', () => {
    const inputSchema = { type: 'object', properties: { 'a\u200b': { enum: ['<!-- b -->'] } } };
    expect(notes('Adds two.', { inputSchema })).toEqual([
      'the name of a field: invisible characters (1): a\\u{200b}',
      'enum: a comment: <!-- b -->',
    ]);
    expect(notes('Adds two numbers.\n\tAnd says so.')).toEqual([]);
  });

  it('is what no model reads of a text that is too long', () => {
    const [note = ''] = notes('x'.repeat(MAX_DESCRIPTION_CHARS + 1));
    expect(note).toContain(`${MAX_DESCRIPTION_CHARS + 1} characters, of which a model reads ${MAX_DESCRIPTION_CHARS}`);
    expect(notes('x'.repeat(MAX_DESCRIPTION_CHARS))).toEqual([]);
  });

  it('is masked, also where hidden characters stand in a secret or in its tags', () => {
    const split = [...SECRET].join('\u200b');
    for (const text of [`<!-- ${SECRET} -->`, `${SECRET}\u200b`, `it is ${split}`, tags(SECRET)]) {
      const said = notes(text).join('\n');
      expect(said).not.toContain(SECRET);
      expect(said.replaceAll('\\u{200b}', '')).not.toContain(SECRET);
      expect(said).toContain('[REDACTED]');
    }
  });

  it('is bounded: quotes, texts, and what is looked at', () => {
    const many = Array.from({ length: MAX_HIDDEN_NOTES + 3 }, (_, index) => `<!-- ${index} -->`);
    const said = notes('', { enum: many });
    expect(said).toHaveLength(MAX_HIDDEN_NOTES + 1);
    expect(said.at(-1)).toBe('3 more texts like these');
    const [note = ''] = notes('\u200b'.repeat(3_000_000));
    expect(note.length).toBeLessThan(3 * MAX_NOTE_CHARS + 10);
  });

  it('is looked for without recursion', () => {
    let deep: unknown = '<!-- deep -->';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(notes(deep)).toEqual(['description: a comment: <!-- deep -->']);
  });
});
