import { afterEach, expect, it, vi } from 'vitest';
import { wrap } from '../../ts/cli/doctor.js';
import { exitCodeOf } from '../../ts/cli/exit-code.js';
import { styleFor } from '../../ts/cli/style.js';
import type { CommandResult } from '../../ts/terminal/result.js';
import { commandResult } from '../support/results.js';

it.each<[Partial<CommandResult>, number]>([
  [{ exitCode: 0 }, 0],
  [{ exitCode: 77 }, 77],
  [{ status: 'signaled', exitCode: null, signal: 'SIGKILL' }, 137],
  [{ status: 'signaled', exitCode: null, signal: 'SIGSEGV' }, 139],
  [{ status: 'signaled', exitCode: null, signal: null }, 1],
  [{ status: 'timed_out', exitCode: null }, 124],
  [{ status: 'denied', exitCode: null }, 126],
  [{ status: 'spawn_failed', exitCode: null }, 127],
  [{ status: 'cancelled', exitCode: null }, 130],
])('%j exits with %i', (changes, code) => {
  expect(exitCodeOf(commandResult(changes))).toBe(code);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

it('paints on a terminal only, and not with NO_COLOR', () => {
  vi.stubEnv('NO_COLOR', '');
  expect(styleFor({ isTTY: true }).good('x')).toBe('\u001b[32mx\u001b[0m');
  expect(styleFor({ isTTY: false }).good('x')).toBe('x');
  expect(styleFor({}).bad('x')).toBe('x');
  vi.stubEnv('NO_COLOR', '1');
  expect(styleFor({ isTTY: true }).good('x')).toBe('x');
});

it('wraps at words and leaves long ones whole', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrap('abcdefghij k', 5)).toEqual(['abcdefghij', 'k']);
  expect(wrap('', 5)).toEqual(['']);
});
