import { beforeEach, describe, expect, test, vi } from 'vitest';

import {
  MAX_GRACE_MS,
  MAX_KEPT_BYTES,
  MAX_LIST_ENTRIES,
  MAX_OUTPUT_CHARS,
  MAX_RULE_ARGUMENTS,
  MAX_SPILL_BYTES,
  MAX_SPILL_TOTAL_BYTES,
  MAX_STDIN_BYTES,
  MAX_TIMEOUT_MS,
  Terminal,
  type TerminalOptions,
} from '../../ts/index.js';
import { checkCall } from '../../ts/terminal/call.js';
import { checkTerminalOptions } from '../../ts/terminal/options.js';
import { FakeBinding } from './fake-binding.js';

let fake: FakeBinding;

vi.mock('../../ts/native/loader.js', () => ({ loadNative: () => fake.native }));

beforeEach(() => {
  fake = new FakeBinding();
});

const BASE = { cwd: '/srv', timeoutMs: 1_000 };

/** The message of what `action` throws, which must be a mistake of the caller. */
function mistake(action: () => unknown, code = 'ERR_INVALID_ARGUMENT'): string {
  try {
    action();
  } catch (error) {
    expect(error).toMatchObject({ name: 'HandrailError', code });
    return (error as Error).message;
  }
  throw new Error('nothing was thrown');
}

describe('an option of a terminal', () => {
  test.each([
    [
      { timeoutMs: -1 },
      'Expected `timeoutMs` to be a whole number of milliseconds from 1 to 86400000, got `-1` (number)',
    ],
    [{ timeoutMs: '5' }, 'got a string'],
    [{ timeoutMs: Number.NaN }, 'got `NaN` (number)'],
    [{ timeoutMs: 1.5 }, 'got `1.5` (number)'],
    [{ graceMs: null }, 'got null'],
    [{ allow: 'git' }, 'Expected `allow` to be an array, got a string'],
    [{ allow: [''] }, 'Expected `allow[0]` to be a string that is not empty'],
    [{ allow: [{ args: [] }] }, 'Expected `allow[0].program` to be a string, got undefined'],
    [
      { allow: [{ program: 'git', argv: [] }] },
      'Unknown key in `allow[0]`: `argv`; did you mean `args`? Known are program, args',
    ],
    [{ deny: [7] }, 'Expected `deny[0]` to be a program, or an object with `program`, got `7` (number)'],
    [{ ask: [7] }, 'Expected `ask[0]` to be a program, or an object with `program`, got `7` (number)'],
    [{ roots: [7] }, 'Expected `roots[0]` to be a path, or an object with `path`, got `7` (number)'],
    [{ roots: [{ path: '/srv', mode: 'rx' }] }, "to be one of 'rw', 'ro', got 'rx' (string)"],
    [{ path: ['bin'] }, 'Expected `path[0]` to be an absolute path, got a string'],
    [{ cwd: 'a\0b' }, 'Expected `cwd` to be a string without NUL characters'],
    [{ env: { inherit: ['A-B'] } }, 'Expected `env.inherit[0]` to be the name of a variable'],
    [{ env: { set: { A: 1 } } }, 'Expected `env.set.A` to be a string without NUL characters, got `1` (number)'],
    [{ env: { set: [] } }, 'Expected `env.set` to be an object of names and values, got an array'],
    [{ env: { pass: [] } }, 'Unknown key in `env`: `pass`; known are inherit, set'],
    [{ output: { headByte: 1 } }, 'Unknown key in `output`: `headByte`'],
    [{ sandbox: 'none' }, "got 'none' (string)"],
    [{ require: ['everything'] }, "got 'everything' (string)"],
    [{ require: [undefined] }, 'Expected `require[0]` to be the name of a guarantee, got undefined'],
    [{ redactor: {} }, 'Expected `redactor` to be a Redactor made by this copy of handrail, got an object'],
    [{ approve: true }, 'Expected `approve` to be a function, got `true` (boolean)'],
    [{ timeout: 5 }, 'Unknown key in `options`: `timeout`; did you mean `timeoutMs`? Known are shell, allow,'],
  ])('%o is refused with a message that shows what came', (options, message) => {
    expect(mistake(() => new Terminal(options as TerminalOptions))).toContain(message);
  });

  test('is never repeated in a message when it may be a secret', () => {
    const secret = ['hunter', '2hunter2'].join('');
    const options = [
      { cwd: `${secret}\0` },
      { sandbox: `${secret}` },
      { path: [secret] },
      { env: { inherit: [`${secret}-`] } },
      { env: { set: { A: `${secret}\0` } } },
      { [`${secret}!`]: 1 },
    ];
    for (const option of options) {
      expect(mistake(() => new Terminal(option as TerminalOptions))).not.toContain('hunter2');
    }
  });

  test.each(['effects', 'workspace-write', 'on'])(
    'sandbox %s is not one: parts of it are chosen by confine',
    (name) => {
      mistake(() => new Terminal({ sandbox: name } as unknown as TerminalOptions));
    },
  );

  test.each([
    ['writes', ['roots', 'none', 'any']],
    ['exec', ['listed', 'any']],
    ['network', ['none', 'loopback', 'any']],
    ['remove', ['yes', 'no', 'no-truncate']],
    ['reads', ['protected', 'roots', 'any']],
  ])('confine.%s is one of its names', (key, names) => {
    for (const name of names) {
      expect(checkTerminalOptions({ confine: { [key]: name } }).confine).toMatchObject({ [key]: name });
    }
    mistake(() => checkTerminalOptions({ confine: { [key]: 'no such name' } }));
  });

  test.each([
    ['readable', ['~/.ssh', '/run/docker.sock', '/srv/*.pem'], ['.ssh', '../keys', '/srv/**', '/', '~/', '']],
    ['unreadable', ['.env*', 'config/keys', '~/notes', '/srv/keys'], ['../keys', 'a/**', '*', '/', '']],
  ] as const)('confine.%s takes places', (key, good, bad) => {
    expect(checkTerminalOptions({ confine: { [key]: good } }).confine[key]).toEqual(good);
    expect(checkTerminalOptions({ confine: { [key]: [] } }).confine[key]).toEqual([]);
    for (const place of bad) mistake(() => checkTerminalOptions({ confine: { [key]: [place] } }));
  });

  test.each([
    ['timeoutMs', 1, 0],
    ['timeoutMs', MAX_TIMEOUT_MS, MAX_TIMEOUT_MS + 1],
    ['graceMs', 0, -1],
    ['graceMs', MAX_GRACE_MS, MAX_GRACE_MS + 1],
  ])('%s is taken at %i and refused at %i', (name, good, bad) => {
    expect(checkTerminalOptions({ [name]: good })).toMatchObject({ [name]: good });
    mistake(() => checkTerminalOptions({ [name]: bad }));
  });

  test.each([
    ['headBytes', 0, -1],
    ['headBytes', MAX_KEPT_BYTES, MAX_KEPT_BYTES + 1],
    ['tailBytes', MAX_KEPT_BYTES, MAX_KEPT_BYTES + 1],
    ['spillBytes', MAX_SPILL_BYTES, MAX_SPILL_BYTES + 1],
    ['spillTotalBytes', MAX_SPILL_TOTAL_BYTES, MAX_SPILL_TOTAL_BYTES + 1],
    ['maxChars', 1, 0],
    ['maxChars', MAX_OUTPUT_CHARS, MAX_OUTPUT_CHARS + 1],
  ])('output.%s is taken at %i and refused at %i', (name, good, bad) => {
    expect(checkTerminalOptions({ output: { [name]: good } })).toMatchObject({ output: { [name]: good } });
    mistake(() => checkTerminalOptions({ output: { [name]: bad } }));
  });

  test('lists end at their bounds', () => {
    const rules = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);
    expect(checkTerminalOptions({ allow: rules(MAX_LIST_ENTRIES) }).allow).toHaveLength(MAX_LIST_ENTRIES);
    expect(mistake(() => checkTerminalOptions({ allow: rules(MAX_LIST_ENTRIES + 1) }))).toContain('at most 1000');
    const args = (count: number) => ({ allow: [{ program: 'git', args: rules(count) }] });
    expect(checkTerminalOptions(args(MAX_RULE_ARGUMENTS)).allow?.[0]?.args).toHaveLength(MAX_RULE_ARGUMENTS);
    mistake(() => checkTerminalOptions(args(MAX_RULE_ARGUMENTS + 1)));
  });

  test('is frozen once it was checked', () => {
    const allow = ['git'];
    const checked = checkTerminalOptions({ allow });
    allow.push('rm');
    expect(checked.allow).toHaveLength(1);
    expect(Object.isFrozen(checked)).toBe(true);
    expect(Object.isFrozen(checked.allow)).toBe(true);
  });
});

describe('an argument of run', () => {
  test.each([
    [7, {}, 'Expected `command` to be a string or an array of strings, got `7` (number)'],
    [['a', 7], {}, 'Expected `command[1]` to be a string, got `7` (number)'],
    [['a'], { cwd: 7 }, 'Expected `cwd` to be a string'],
    [['a'], { cwd: '' }, 'Expected `cwd` to be a string that is not empty'],
    [
      ['a'],
      { stdin: {} },
      'Expected `stdin` to be a string, a Uint8Array, a stream or an async iterable, got an object',
    ],
    [['a'], { signal: {} }, 'Expected `signal` to be an AbortSignal'],
    [['a'], { onOutput: 'x' }, 'Expected `onOutput` to be a function'],
    [['a'], { merge: 1 }, 'Expected `merge` to be a boolean, got `1` (number)'],
    [['a'], { timeout: 1 }, 'Unknown key in `options`: `timeout`'],
    [['a'], { sandbox: 'off' }, 'Unknown key in `options`: `sandbox`'],
    [['a'], null, 'Expected `options` to be an object, got null'],
  ])('%o with %o is refused', (command, options, message) => {
    expect(mistake(() => checkCall(command, options, BASE))).toContain(message);
  });

  test('that is wrong makes run reject, never throw', async () => {
    const terminal = new Terminal();
    const running = terminal.run(7 as never);
    await expect(running).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });

  test('stdin ends at its bound', () => {
    const full = new Uint8Array(MAX_STDIN_BYTES);
    expect(checkCall(['a'], { stdin: full }, BASE).stdin).toHaveLength(MAX_STDIN_BYTES);
    expect(mistake(() => checkCall(['a'], { stdin: new Uint8Array(MAX_STDIN_BYTES + 1) }, BASE))).toContain(
      `at most ${MAX_STDIN_BYTES} bytes`,
    );
  });

  test('stdin as text is UTF-8', () => {
    expect(checkCall(['a'], { stdin: 'ü' }, BASE).stdin).toEqual(Buffer.from([0xc3, 0xbc]));
  });

  test.each([
    [undefined, '/srv'],
    ['sub', '/srv/sub'],
    ['../x', '/srv/../x'],
    ['/etc', '/etc'],
  ])('cwd %s is %s: nothing is resolved before the directory is opened', (cwd, expected) => {
    expect(checkCall(['a'], cwd === undefined ? {} : { cwd }, BASE).cwd).toBe(expected);
  });
});
