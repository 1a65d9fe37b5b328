import { describe, expect, test } from 'vitest';

import { renderForApproval } from '../../ts/terminal/approval.js';

describe('the rendering for an approver', () => {
  test.each([
    [['git', 'log', '-3'], 'git log -3'],
    [['echo', 'two words', ''], "echo 'two words' ''"],
    [['echo', "it's"], "echo 'it'\\''s'"],
    ['echo hi', 'echo hi'],
    ['a\nb\tc\rd', 'a\\nb\\tc\\rd'],
    ['a\u001b[2Kb', 'a\\u{1b}[2Kb'],
    ['a\u200bb', 'a\\u{200b}b'],
    ['a\u202eb', 'a\\u{202e}b'],
    ['a\u00a0b', 'a\\u{a0}b'],
    ['a\u3164b', 'a\\u{3164}b'],
    ['a\u{e0041}b', 'a\\u{e0041}b'],
    ['a\ud800b', 'a\\u{d800}b'],
    ['grüße 日本', 'grüße 日本'],
  ])('of %j is %j', (command, expected) => {
    expect(renderForApproval(command)).toBe(expected);
  });
});
