import { afterEach, expect, it, vi } from 'vitest';
import { exitCodeOf } from '../../ts/cli/exit-code.js';
import { readablePath } from '../../ts/cli/shown-path.js';
import { statusText } from '../../ts/cli/status-text.js';
import { styleFor } from '../../ts/cli/style.js';
import { wrap } from '../../ts/cli/wrap.js';
import { nearest } from '../../ts/config/nearest.js';
import type { CommandResult } from '../../ts/report/result.js';
import { commandResult, denied } from '../support/results.js';

/** Circumstances of a run about which there is nothing to say. */
const NOTHING = {
  ...{ inputOffered: false, file: undefined, unasked: undefined, script: undefined, project: undefined },
  approvedHosts: [],
  trial: [],
};

const ASKED = { command: ['none'], options: {} };

/** By the code of the failure. */
const START_FAILURES = [
  ['program_not_found', 127],
  ['interpreter_not_found', 126],
  ['spawn', 125],
  ['not_found', 125],
  ['system', 125],
  ['supervisor_lost', 125],
] as const;

it.each<[Partial<CommandResult>, number]>([
  [{ exitCode: 0 }, 0],
  [{ exitCode: 77 }, 77],
  [{ status: 'signaled', exitCode: null, signal: 'SIGKILL' }, 137],
  [{ status: 'signaled', exitCode: null, signal: 'SIGSEGV' }, 139],
  [{ status: 'signaled', exitCode: null, signal: 'SIG999' }, 125],
  [{ status: 'timed_out', exitCode: null }, 124],
  [{ status: 'denied', exitCode: null }, 123],
  [{ status: 'spawn_failed', exitCode: null }, 125],
  ...START_FAILURES.map(([code, exit]): [Partial<CommandResult>, number] => [
    { status: 'spawn_failed', exitCode: null, failure: { code, message: 'no' } },
    exit,
  ]),
  [{ status: 'spawn_failed', exitCode: null, failure: { code: 'spawn', stage: 'execute', message: 'no' } }, 126],
  [{ status: 'spawn_failed', exitCode: null, failure: { code: 'spawn', stage: 'fork', message: 'no' } }, 125],
  [{ status: 'cancelled', exitCode: null }, 125],
])('%j exits with %i', (changes, code) => {
  expect(exitCodeOf(commandResult(changes), ASKED, null)).toBe(code);
});

it.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a command cancelled by %s exits with %i, one that ended by itself with its own code', (signal, code) => {
  expect(exitCodeOf(commandResult({ status: 'cancelled', exitCode: null }), ASKED, signal)).toBe(code);
  expect(exitCodeOf(commandResult({ exitCode: 3 }), ASKED, signal)).toBe(3);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

it('paints on a terminal only, and not with NO_COLOR or on a dumb one', () => {
  vi.stubEnv('TERM', 'xterm');
  vi.stubEnv('NO_COLOR', '');
  vi.stubEnv('FORCE_COLOR', '');
  expect(styleFor({ isTTY: true }).good('x')).toBe('\u001b[32mx\u001b[0m');
  expect(styleFor({ isTTY: false }).good('x')).toBe('x');
  expect(styleFor({}).bad('x')).toBe('x');
  vi.stubEnv('NO_COLOR', '1');
  expect(styleFor({ isTTY: true }).good('x')).toBe('x');
  vi.stubEnv('NO_COLOR', '');
  vi.stubEnv('TERM', 'dumb');
  expect(styleFor({ isTTY: true }).good('x')).toBe('x');
});

it.each([
  ['1', 'yes'],
  ['3', 'yes'],
  ['true', 'yes'],
  ['0', 'no'],
  ['false', 'no'],
])('paints when FORCE_COLOR says so, whatever else there is: %s', (value, painted) => {
  vi.stubEnv('FORCE_COLOR', value);
  vi.stubEnv('NO_COLOR', '1');
  vi.stubEnv('TERM', 'dumb');
  expect(styleFor({}).good('x') === 'x' ? 'no' : 'yes').toBe(painted);
  expect(styleFor({ isTTY: true }).good('x') === 'x' ? 'no' : 'yes').toBe(painted);
});

it('wraps at words and leaves long ones whole', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrap('abcdefghij k', 5)).toEqual(['abcdefghij', 'k']);
  expect(wrap('', 5)).toEqual(['']);
});

it('breaks the lines of a status for the terminal they are on, and for nothing else', () => {
  const message = 'This command was refused for a reason that takes many words to tell, and then some more';
  const result = denied({ rule: 'some.rule', span: [0, 1], message, hint: message });
  expect(statusText(result, {}, NOTHING).split('\n')).toHaveLength(2);

  vi.stubEnv('NO_COLOR', '1');
  vi.stubEnv('FORCE_COLOR', '');
  const { isTTY, columns } = process.stderr;
  Object.assign(process.stderr, { isTTY: true, columns: 60 });
  try {
    const lines = statusText(result, {}, NOTHING).split('\n');
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
    expect(lines.map((line) => line.slice(10)).join(' ')).toBe(`denied: ${message} (some.rule) hint: ${message}`);
  } finally {
    Object.assign(process.stderr, { isTTY, columns });
  }
});

it('speaks of the standard input only when the program ran without it', () => {
  expect(statusText(commandResult({}), {}, { ...NOTHING, inputOffered: true })).toContain('see --stdin');
  expect(statusText(commandResult({}), {}, NOTHING)).not.toContain('--stdin');
  expect(
    statusText(denied({ rule: 'a.b', span: [0, 1], message: 'no' }), {}, { ...NOTHING, inputOffered: true }),
  ).not.toContain('--stdin');
});

it.each([
  ['redct', 'redact'],
  ['reduct', 'redact'],
  ['rnu', 'run'],
  ['runn', 'run'],
  ['dcotor', 'doctor'],
  ['help', undefined],
  ['r', undefined],
  ['', undefined],
  ['ran', 'run'],
  ['fly', undefined],
  ['x'.repeat(100_000), undefined],
])('%s is probably %s', (given, meant) => {
  expect(nearest(given, ['run', 'redact', 'doctor'])).toBe(meant);
});

it.each([
  ['logs', 'logs'],
  ['/srv/app-2/.config/rules_v1.toml', '/srv/app-2/.config/rules_v1.toml'],
  ['../2026-11-23', '../2026-11-23'],
  ['JBSWY3DPEHPK3PXP', '[...]'],
  ['/home/JBSWY3DPEHPK3PXP/logs', '/home/[...]/logs'],
  ['password=hunter', '[...]'],
  ['a\u001b[31m/b', '[...]/b'],
])('a message calls %j %s', (file, name) => {
  expect(readablePath(file)).toBe(name);
});
