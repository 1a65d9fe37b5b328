import { expect, it } from 'vitest';
import { MAX_NAMED_PROGRAMS } from '../../ts/tools/limits.js';
import { describeLists } from '../../ts/tools/program-lists.js';

it.each([
  [{}, 'No program is allowed.'],
  [{ allow: [] }, 'No program is allowed.'],
  [{ allow: ['git', { program: 'npm', args: ['test'] }, 'git'] }, 'Allowed programs: git, npm test.'],
  [{ deny: ['rm'] }, 'Every program is allowed but: rm.'],
  [{ allow: ['git'], deny: ['rm'] }, 'Allowed programs: git.'],
])('says what %j lets run', (lists, expected) => {
  expect(describeLists(lists)).toBe(expected);
});

it('counts programs past the bound', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);
  expect(describeLists({ allow: names(MAX_NAMED_PROGRAMS) })).not.toContain('more');
  expect(describeLists({ allow: names(MAX_NAMED_PROGRAMS + 2) })).toContain('and 2 more.');
});
