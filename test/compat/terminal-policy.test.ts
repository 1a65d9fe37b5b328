import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { terminalPolicyKey } from '../../ts/compat/terminal-policy.js';
import { loadTerminalPolicyFromEnv, MAX_LIST_ENTRIES } from '../../ts/index.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-policy-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the terminal policy of an environment', () => {
  test('without variables allows nothing and has the defaults', () => {
    expect(loadTerminalPolicyFromEnv({})).toEqual({
      allowedCommands: [],
      denyCommands: [],
      trustedInterpreters: [],
      timeoutSeconds: 5,
      outputCapBytes: 8192,
      functionOutputMaxChars: 1000,
      redactSubstrings: [],
      redactPatterns: [],
      sandboxCwd: undefined,
    });
  });

  test('has every variable', () => {
    expect(
      loadTerminalPolicyFromEnv({
        TERMINAL_ALLOWED_COMMANDS: 'git, ls',
        TERMINAL_DENY_COMMANDS: 'rm',
        TERMINAL_TRUSTED_INTERPRETERS: 'bash',
        TERMINAL_TIMEOUT_SECONDS: '0.5',
        TERMINAL_OUTPUT_CAP_BYTES: '100',
        TERMINAL_FUNCTION_OUTPUT_MAX_CHARS: '40',
        TERMINAL_REDACT_SUBSTRINGS: 'one,two',
        TERMINAL_REDACT_PATTERNS: '["x{1,2}"]',
        TERMINAL_SANDBOX_CWD: folder,
      }),
    ).toEqual({
      allowedCommands: ['git', 'ls'],
      denyCommands: ['rm'],
      trustedInterpreters: ['bash'],
      timeoutSeconds: 0.5,
      outputCapBytes: 100,
      functionOutputMaxChars: 40,
      redactSubstrings: ['one', 'two'],
      redactPatterns: ['x{1,2}'],
      sandboxCwd: folder,
    });
  });

  test('is frozen, down to its lists', () => {
    const policy = loadTerminalPolicyFromEnv({ TERMINAL_ALLOWED_COMMANDS: 'git' });
    expect(Object.isFrozen(policy)).toBe(true);
    expect(Object.isFrozen(policy.allowedCommands)).toBe(true);
  });

  test.each([
    ['TERMINAL_TIMEOUT_SECONDS', '5.0', 5],
    ['TERMINAL_TIMEOUT_SECONDS', ' .5 ', 0.5],
    ['TERMINAL_TIMEOUT_SECONDS', '', 5],
    ['TERMINAL_TIMEOUT_SECONDS', '0.001', 0.001],
    ['TERMINAL_TIMEOUT_SECONDS', '86400', 86_400],
    ['TERMINAL_OUTPUT_CAP_BYTES', '1', 1],
    ['TERMINAL_OUTPUT_CAP_BYTES', '67108864', 67_108_864],
    ['TERMINAL_FUNCTION_OUTPUT_MAX_CHARS', '1', 1],
  ])('%s=%j is %d', (variable, value, expected) => {
    expect(Object.values(loadTerminalPolicyFromEnv({ [variable]: value }))).toContain(expected);
  });

  test.each([
    ['TERMINAL_TIMEOUT_SECONDS', 'abc', /is not a number of seconds from 0.001 to 86400/],
    ['TERMINAL_TIMEOUT_SECONDS', '0', /is not a number/],
    ['TERMINAL_TIMEOUT_SECONDS', '-1', /is not a number/],
    ['TERMINAL_TIMEOUT_SECONDS', '0x10', /is not a number/],
    ['TERMINAL_TIMEOUT_SECONDS', 'Infinity', /is not a number/],
    ['TERMINAL_TIMEOUT_SECONDS', '86400.1', /is not a number/],
    ['TERMINAL_OUTPUT_CAP_BYTES', '1.5', /is not a whole number of bytes/],
    ['TERMINAL_OUTPUT_CAP_BYTES', '0', /is not a whole number of bytes/],
    ['TERMINAL_OUTPUT_CAP_BYTES', '67108865', /is not a whole number of bytes/],
    ['TERMINAL_FUNCTION_OUTPUT_MAX_CHARS', '0', /is not a whole number of characters/],
    ['TERMINAL_SANDBOX_CWD', '/does/not/exist', /does not name a directory that exists/],
    ['TERMINAL_ALLOWED_COMMANDS', '[git]', /is not valid JSON/],
    ['TERMINAL_ALLOWED_COMMANDS', 'ls,git status', /entry 2 is not a program name or an absolute path/],
    ['TERMINAL_ALLOWED_COMMANDS', './git', /entry 1 is not a program name or an absolute path/],
    ['TERMINAL_DENY_COMMANDS', '/bin/../rm', /entry 1 is not a program name or an absolute path/],
    ['TERMINAL_ALLOWED_COMMANDS', '["ls"', /is not valid JSON; write the list as a JSON array, such as \["git","ls"\]/],
    ['TERMINAL_ALLOWED_COMMANDS', '*', /entry 1 is a pattern, and programs are matched by their whole name/],
    ['TERMINAL_ALLOWED_COMMANDS', 'ls,/usr/bin/*', /entry 2 is a pattern/],
    ['TERMINAL_DENY_COMMANDS', 'git-?', /entry 1 is a pattern/],
    ['TERMINAL_TRUSTED_INTERPRETERS', '["[pr]uby"]', /entry 1 is a pattern/],
    ['TERMINAL_TRUSTED_INTERPRETERS', '/bin/bash', /entry 1 is not a program name, without arguments/],
    ['TERMINAL_REDACT_SUBSTRINGS', `a,${'b'.repeat(60_000)}`, /entry 2 is refused: .* \(limit \d+ bytes\)/],
    ['TERMINAL_REDACT_PATTERNS', 'a'.repeat(4_097), /entry 1 must be a pattern of 1 to 4096 characters/],
    ['TERMINAL_REDACT_PATTERNS', '[a-z]{3,5}', /is not valid JSON; write the list as a JSON array/],
  ])('%s=%j is an error that names the variable', (variable, value, message) => {
    const load = () => loadTerminalPolicyFromEnv({ [variable]: value });
    expect(load).toThrow(message);
    expect(load).toThrow(expect.objectContaining({ code: 'ERR_INVALID_CONFIG', data: { variable } }));
  });

  test('ends its lists at their bounds', () => {
    const list = (count: number) => ({ TERMINAL_ALLOWED_COMMANDS: 'a,'.repeat(count) });
    expect(loadTerminalPolicyFromEnv(list(MAX_LIST_ENTRIES)).allowedCommands).toHaveLength(MAX_LIST_ENTRIES);
    expect(() => loadTerminalPolicyFromEnv(list(MAX_LIST_ENTRIES + 1))).toThrow(/more than 1000 entries/);
  });

  test('compiles its patterns and says which one is bad', () => {
    const load = () => loadTerminalPolicyFromEnv({ TERMINAL_REDACT_PATTERNS: 'good,(bad' });
    expect(load).toThrow(/^TERMINAL_REDACT_PATTERNS entry 2 is invalid .*; if it has a comma in it, write the list/s);
    expect(load).toThrow(expect.objectContaining({ code: 'ERR_INVALID_CONFIG' }));
  });

  test('has a key that differs when, and only when, a variable differs', () => {
    const key = terminalPolicyKey({ TERMINAL_ALLOWED_COMMANDS: 'a' });
    expect(terminalPolicyKey({ TERMINAL_ALLOWED_COMMANDS: 'a', OTHER: '1' })).toBe(key);
    expect(terminalPolicyKey({ TERMINAL_ALLOWED_COMMANDS: 'b' })).not.toBe(key);
    expect(terminalPolicyKey({ TERMINAL_DENY_COMMANDS: 'a' })).not.toBe(key);
  });
});
