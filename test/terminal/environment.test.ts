import { describe, expect, test } from 'vitest';

import { MAX_ENVIRONMENT_ENTRIES } from '../../ts/index.js';
import { childEnvironment, environmentOption } from '../../ts/terminal/environment.js';

const HOST = {
  PATH: '/home/me/bin:/usr/bin',
  HOME: '/home/me',
  TMPDIR: '/home/me/tmp',
  LANG: 'de_DE.UTF-8',
  API_KEY: 'k',
  EDITOR: 'vi',
  EMPTY: '',
  MISSING: undefined,
};

const OWN_SETTINGS = {
  GIT_CONFIG_KEY_0: 'core.fsmonitor',
  GIT_CONFIG_VALUE_0: 'false',
  GIT_CONFIG_KEY_1: 'core.hooksPath',
  GIT_CONFIG_VALUE_1: '/dev/null',
  GIT_CONFIG_KEY_2: 'protocol.ext.allow',
  GIT_CONFIG_VALUE_2: 'never',
  GIT_CONFIG_KEY_3: 'safe.bareRepository',
  GIT_CONFIG_VALUE_3: 'explicit',
};

function variables(options: Parameters<typeof childEnvironment>[0]): Record<string, string> {
  const { variables: list } = childEnvironment(options, HOST);
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}

function gitVariables(options: Parameters<typeof childEnvironment>[0]): Record<string, string> {
  return Object.fromEntries(childEnvironment(options, HOST).git.map(({ name, value }) => [name, value]));
}

describe('the environment of a command', () => {
  test('is exactly the fixed variables when the host adds nothing', () => {
    expect(variables({})).toEqual({
      LANG: 'C.UTF-8',
      LC_ALL: 'C.UTF-8',
      TERM: 'dumb',
      NO_COLOR: '1',
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
      DEBIAN_FRONTEND: 'noninteractive',
      CI: '1',
    });
  });

  test('has settings of git, and no editor, for commands that name git', () => {
    const editors = { GIT_EDITOR: ':', GIT_SEQUENCE_EDITOR: ':', GIT_OPTIONAL_LOCKS: '0' };
    expect(gitVariables({})).toEqual({ ...OWN_SETTINGS, ...editors, GIT_CONFIG_COUNT: '4' });
    expect(gitVariables({ set: { VISUAL: 'ed' } })).not.toHaveProperty('GIT_EDITOR');
    expect(gitVariables({ inherit: ['EDITOR'] })).not.toHaveProperty('GIT_SEQUENCE_EDITOR');
  });

  test('has what the host lets through by name, and what it sets, which wins', () => {
    const seen = variables({ inherit: ['EDITOR', 'EMPTY', 'ABSENT', 'MISSING'], set: { EDITOR: 'ed', TERM: 'xterm' } });
    expect(seen).toMatchObject({ EDITOR: 'ed', EMPTY: '', TERM: 'xterm' });
    expect(seen).not.toHaveProperty('ABSENT');
    expect(seen).not.toHaveProperty('MISSING');
  });

  test('has a private home unless the host passes one', () => {
    expect(childEnvironment({}, HOST).privateHome).toBe(true);
    expect(childEnvironment({ inherit: ['HOME'] }, HOST).privateHome).toBe(false);
    expect(childEnvironment({ set: { HOME: '/srv' } }, HOST).privateHome).toBe(false);
  });

  test('says by name, sorted, what was withheld, and never a value', () => {
    const { withheld } = childEnvironment({ inherit: ['EDITOR'] }, HOST);
    expect(withheld).toEqual(['API_KEY', 'EMPTY', 'MISSING']);
    expect(Object.isFrozen(withheld)).toBe(true);
  });

  test("has the host's settings of git behind its own, where they win", () => {
    const seen = gitVariables({
      set: { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.hooksPath', GIT_CONFIG_VALUE_0: '/srv/hooks' },
    });
    expect(seen).toMatchObject({
      ...OWN_SETTINGS,
      GIT_CONFIG_COUNT: '5',
      GIT_CONFIG_KEY_4: 'core.hooksPath',
      GIT_CONFIG_VALUE_4: '/srv/hooks',
    });
  });

  test('never lets an uncounted setting take the place of its own, nor fills in a missing one', () => {
    expect(gitVariables({ set: { GIT_CONFIG_KEY_1: 'a.b', GIT_CONFIG_VALUE_3: 'all' } })).toMatchObject(OWN_SETTINGS);
    const seen = gitVariables({ set: { GIT_CONFIG_COUNT: '1', GIT_CONFIG_VALUE_0: 'x', GIT_CONFIG_KEY_4: 'a.b' } });
    expect(seen).toMatchObject({ ...OWN_SETTINGS, GIT_CONFIG_COUNT: '5', GIT_CONFIG_VALUE_4: 'x' });
    // Empty, which git refuses, and not the one that was not counted.
    expect(seen).toMatchObject({ GIT_CONFIG_KEY_4: '' });
  });

  test.each(['-1', ' 1', '', '0x1', '100'])('refuses %j as the count of the settings of git', (count) => {
    expect(() => gitVariables({ set: { GIT_CONFIG_COUNT: count } })).toThrow(
      'Expected `GIT_CONFIG_COUNT` to be a number',
    );
    expect(gitVariables({ set: { GIT_CONFIG_COUNT: '99' } })['GIT_CONFIG_COUNT']).toBe('103');
  });

  test('ends at its bound', () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `V${index}`);
    const set = (count: number) => Object.fromEntries(names(count).map((name) => [name, '']));
    expect(environmentOption({ inherit: names(MAX_ENVIRONMENT_ENTRIES) }).inherit).toHaveLength(512);
    expect(() => environmentOption({ inherit: names(MAX_ENVIRONMENT_ENTRIES + 1) })).toThrow('at most 512');
    expect(Object.keys(environmentOption({ set: set(MAX_ENVIRONMENT_ENTRIES) }).set ?? {})).toHaveLength(512);
    expect(() => environmentOption({ set: set(MAX_ENVIRONMENT_ENTRIES + 1) })).toThrow('at most 512');
  });
});
