import { describe, expect, test } from 'vitest';

import { programProblem } from '../../ts/config/program-names.js';
import { type Rule, Terminal, type TerminalOptions } from '../../ts/index.js';
import { toolkits } from '../support/toolkits.js';

const { make } = toolkits();

const NAMES = ['git', 'g++', '[', '[[', '[]', 'x86_64-linux-gnu-gcc', 'a.out', 'läs'];
const PATHS = ['/usr/bin/git', '/usr/bin/['];
const PATTERNS = [
  '*',
  '?',
  'git*',
  'pytho?3',
  '[a-z]s',
  '[a-z]sh',
  '[[]',
  'git *',
  '/usr/bin/*',
  '/usr/[ab]/x',
  '/usr/**/x',
];
const NEITHER = ['', './git', 'bin/git', '/usr/../bin/git', '/usr//bin/git', '/usr/bin/', 'git status', 'git\n'];

const PATTERN_PROBLEM = 'is a pattern, and programs are matched by their whole name: name each one';

describe('for a variable or the command line', () => {
  test.each(NAMES)('%s is a program name', (name) => {
    expect(programProblem(name, true)).toBeUndefined();
    expect(programProblem(name, false)).toBeUndefined();
  });

  test.each(PATHS)('%s is a path, where those are taken', (name) => {
    expect(programProblem(name, true)).toBeUndefined();
    expect(programProblem(name, false)).toBe('is not a program name, without arguments');
  });

  test('a place beneath a root, where places are accepted', () => {
    for (const place of ['./x', '.venv/bin/pytest', './node_modules/.bin/*', 'target/**', './*']) {
      expect(programProblem(place, true, true)).toBeUndefined();
      expect(programProblem(place, true)).toBeDefined();
    }
    for (const place of ['./', 'a/../b', 'a//b', 'a/*/b', './git*', '**/x', 'a/***']) {
      expect(programProblem(place, true, true)).toContain('is no place beneath a root');
    }
  });

  test.each(PATTERNS)('%s is a pattern, which matches nothing', (name) => {
    expect(programProblem(name, true)).toBe(PATTERN_PROBLEM);
  });

  test.each(NEITHER)('%j is neither', (name) => {
    expect(programProblem(name, true)).toBe('is not a program name or an absolute path, without arguments');
  });
});

/** What a terminal with these options throws; undefined when it takes them. */
async function refusal(options: TerminalOptions): Promise<unknown> {
  try {
    await using terminal = new Terminal(options);
    return void terminal;
  } catch (error) {
    return error;
  }
}

describe('for a terminal', () => {
  test.each([...NAMES, ...PATHS, ...PATTERNS, ...NEITHER])('%j is the same as for a variable', async (name) => {
    const refused = expect.objectContaining({ name: 'HandrailError', code: 'ERR_INVALID_ARGUMENT' });
    const named = programProblem(name, true) === undefined ? undefined : refused;
    expect(await refusal({ allow: [name] })).toEqual(named);
    expect(await refusal({ allow: [], deny: [name] })).toEqual(named);
    const trusted = programProblem(name, false) === undefined ? undefined : refused;
    expect(await refusal({ trustInterpreters: [name] })).toEqual(trusted);
  });

  test('a place beneath a root, where places are accepted', () => {
    for (const place of ['./x', '.venv/bin/pytest', './node_modules/.bin/*', 'target/**', './*']) {
      expect(programProblem(place, true, true)).toBeUndefined();
      expect(programProblem(place, true)).toBeDefined();
    }
    for (const place of ['./', 'a/../b', 'a//b', 'a/*/b', './git*', '**/x', 'a/***']) {
      expect(programProblem(place, true, true)).toContain('is no place beneath a root');
    }
  });

  test.each(PATTERNS)('a rule for %s is refused with its list and its place', async (pattern) => {
    const problem = (place: string) => ({ code: 'ERR_INVALID_ARGUMENT', message: `${place} ${PATTERN_PROBLEM}` });
    const rules: readonly Rule[] = ['git', { program: pattern, args: ['status'] }];
    expect(await refusal({ allow: rules })).toMatchObject(problem('entry 1 of allow'));
    expect(await refusal({ deny: rules })).toMatchObject(problem('entry 1 of deny'));
    expect(await refusal({ trustInterpreters: [pattern] })).toMatchObject(problem('entry 0 of trustInterpreters'));
  });

  test('of a toolkit a pattern is refused as well', async () => {
    const problem = { code: 'ERR_INVALID_ARGUMENT', message: expect.stringContaining(PATTERN_PROBLEM) };
    await expect(make({ terminal: { allow: ['*'] } })).rejects.toMatchObject(problem);
    await expect(make({ terminal: { deny: ['git*'] } })).rejects.toMatchObject(problem);
  });

  test('[ is a program that runs', async () => {
    await using terminal = new Terminal({ allow: ['['] });
    expect(await terminal.run(['[', '-d', '/', ']'])).toMatchObject({ status: 'exited', exitCode: 0 });
  });

  test.each(['*', '?', '*.ts', '[a-z]*'])('%s as an argument of a rule is that one word', async (argument) => {
    const rule = { program: 'ls', args: [argument] };
    await using allowing = new Terminal({ allow: [rule] });
    expect(allowing.explain(['ls', argument]).decision).toBe('allow');
    expect(allowing.explain(['ls', 'a.ts']).decision).toBe('deny');
    await using denying = new Terminal({ deny: [rule] });
    expect(denying.explain(['ls', argument]).decision).toBe('deny');
    expect(denying.explain(['ls', 'a.ts']).decision).toBe('allow');
  });
});
