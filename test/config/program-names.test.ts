import { expect, test } from 'vitest';

import { programProblem } from '../../ts/config/program-names.js';

test.each(['git', 'g++', '[', 'x86_64-linux-gnu-gcc', 'a.out', 'läs'])('%s is a program name', (name) => {
  expect(programProblem(name, true)).toBeUndefined();
  expect(programProblem(name, false)).toBeUndefined();
});

test.each(['/usr/bin/git', '/usr/bin/['])('%s is a path, where those are taken', (name) => {
  expect(programProblem(name, true)).toBeUndefined();
  expect(programProblem(name, false)).toBe('is not a program name, without arguments');
});

test.each(['*', 'git*', 'pytho?3', '[a-z]s', '/usr/bin/*', '**/x'])(
  '%s is a pattern, which matches nothing',
  (name) => {
    expect(programProblem(name, true)).toMatch(/^is a pattern, /);
  },
);

test.each(['', './git', 'bin/git', '/usr/../bin/git', '/usr//bin/git', '/usr/bin/', 'git status', 'git\n'])(
  '%j is neither',
  (name) => {
    expect(programProblem(name, true)).toBe('is not a program name or an absolute path, without arguments');
  },
);
