import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { strictParameters } from '../../ts/adapters/strict-parameters.js';
import { checkArguments, parametersOf, signatureOf } from '../../ts/tools/arguments.js';
import { MAX_SHOWN_PROBLEMS } from '../../ts/tools/limits.js';

const SCHEMA = z.strictObject({
  command: z.string().check(z.maxLength(5), z.describe('What to run.')),
  count: z.optional(z.int().check(z.minimum(1), z.maximum(3))),
});

function problems(args: unknown): readonly string[] {
  const checked = checkArguments(SCHEMA, args);
  return checked.ok ? [] : checked.problems;
}

describe('checkArguments', () => {
  it('takes what fits', () => {
    expect(checkArguments(SCHEMA, { command: 'ls', count: 3 })).toEqual({
      ok: true,
      value: { command: 'ls', count: 3 },
    });
  });

  it('takes null for an optional argument as left out, and for no other', () => {
    expect(checkArguments(SCHEMA, { command: 'ls', count: null })).toEqual({ ok: true, value: { command: 'ls' } });
    expect(problems({ command: null })).toEqual([expect.stringMatching(/^command: .*expected string/)]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no object', 'ls', /^the arguments must be an object$/],
    ['an array', ['ls'], /^the arguments must be an object$/],
    ['null', null, /^the arguments must be an object$/],
    ['nothing', undefined, /^the arguments must be an object$/],
    ['a missing argument', {}, /^missing argument: command$/],
    ['an undefined argument', { command: undefined }, /^command: .*expected string/],
    ['an unknown argument', { command: 'ls', sandbox: 'off' }, /^unknown argument: sandbox$/],
    ['a wrong type', { command: 7 }, /^command: .*expected string/],
    ['one too long', { command: '123456' }, /^command: .*<=5 characters/],
    ['a fraction', { command: 'ls', count: 1.5 }, /^count: .*int/],
    ['one too many', { command: 'ls', count: 4 }, /^count: .*<=3/],
    ['one too few', { command: 'ls', count: 0 }, /^count: .*>=1/],
  ])('names %s', (_name, args, expected) => {
    expect(problems(args)).toEqual([expect.stringMatching(expected)]);
  });

  it.each(['y'.repeat(33), 'hunter2', 'two words', ''])('repeats no value, and no name such as %j', (name) => {
    expect(problems({ command: 'ls', [name]: 'password=hunter2' })).toEqual(['unknown argument of a strange name']);
    expect(problems({ command: 'ls', ['y'.repeat(32)]: 1 })).toEqual([`unknown argument: ${'y'.repeat(32)}`]);
  });

  it('takes the only unknown argument for the only missing one, where its type fits', () => {
    expect(problems({ cmd: 'ls' })).toContain('unknown argument: cmd (did you mean command?)');
    expect(problems({ 'a b': 'ls' })).toContain('unknown argument of a strange name (did you mean command?)');
    expect(problems({ cmd: 7 }).join()).not.toContain('did you mean command');
    expect(problems({ cmd: 'ls', other: 'ls' }).join()).not.toContain('did you mean command');
  });

  it('counts problems past the bound', () => {
    const extra = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
    expect(problems({ command: 'ls', ...extra(MAX_SHOWN_PROBLEMS) })).toHaveLength(MAX_SHOWN_PROBLEMS);
    expect(problems({ command: 'ls', ...extra(MAX_SHOWN_PROBLEMS + 1) }).at(-1)).toBe('and 1 more');
  });

  it('takes no argument from the prototype', () => {
    const args = JSON.parse('{"command":"ls","__proto__":{"count":2}}') as object;
    expect(problems(args)).toEqual(['unknown argument: __proto__']);
  });
});

describe('parametersOf', () => {
  it('is a JSON Schema that any provider takes', () => {
    expect(parametersOf(SCHEMA)).toEqual({
      type: 'object',
      properties: {
        command: { type: 'string', maxLength: 5, description: 'What to run.' },
        count: { type: 'integer', minimum: 1, maximum: 3 },
      },
      required: ['command'],
      additionalProperties: false,
    });
  });

  it('reads as one line', () => {
    expect(signatureOf(parametersOf(SCHEMA))).toBe('{ command: string, count?: integer }');
  });
});

describe('arguments that hold others', () => {
  const EDIT = z.strictObject({ old: z.string(), all: z.optional(z.boolean()) });
  const NESTED = z.strictObject({
    mode: z.optional(z.enum(['fast', 'slow'])),
    edits: z.array(EDIT).check(z.minLength(1), z.maxLength(2)),
  });
  const problemsOf = (args: unknown): readonly string[] => {
    const checked = checkArguments(NESTED, args);
    return checked.ok ? [] : checked.problems;
  };

  it('read as one line', () => {
    expect(signatureOf(parametersOf(NESTED))).toBe(
      '{ mode?: "fast" | "slow", edits: { old: string, all?: boolean }[] }',
    );
  });

  it('take null for what is optional, at every depth', () => {
    expect(checkArguments(NESTED, { mode: null, edits: [{ old: 'a', all: null }] })).toEqual({
      ok: true,
      value: { edits: [{ old: 'a' }] },
    });
    expect(problemsOf({ edits: [{ old: null }] })).toEqual([expect.stringMatching(/^edits\[0\]\.old: .*string/)]);
  });

  it.each<[string, unknown, RegExp]>([
    ['a missing one', { edits: [{ old: 'a' }, {}] }, /^missing argument: edits\[1\]\.old$/],
    ['a wrong one', { edits: [{ old: 7 }] }, /^edits\[0\]\.old: .*expected string/],
    ['an unknown one', { edits: [{ old: 'a', where: 1 }] }, /^unknown argument: edits\[0\]\.where$/],
    ['an unknown one of a strange name', { edits: [{ old: 'a', 'k 7': 1 }] }, /^unknown argument of a strange name$/],
    ['no array', { edits: 'a' }, /^edits: .*expected array/],
    ['too few', { edits: [] }, /^edits: .*>=1/],
    ['too many', { edits: [{ old: '' }, { old: '' }, { old: '' }] }, /^edits: .*<=2/],
    ['no choice', { mode: 'odd', edits: [{ old: '' }] }, /^mode: .*fast/],
  ])('name %s', (_name, args, expected) => {
    expect(problemsOf(args)).toEqual([expect.stringMatching(expected)]);
  });

  it('are strict for providers: required, nullable, no other', () => {
    expect(strictParameters(parametersOf(NESTED))).toEqual({
      type: 'object',
      properties: {
        mode: { type: ['string', 'null'], enum: ['fast', 'slow', null] },
        edits: {
          type: 'array',
          minItems: 1,
          maxItems: 2,
          items: {
            type: 'object',
            properties: { old: { type: 'string' }, all: { type: ['boolean', 'null'] } },
            required: ['old', 'all'],
            additionalProperties: false,
          },
        },
      },
      required: ['mode', 'edits'],
      additionalProperties: false,
    });
  });
});
