import { describe, expect, it } from 'vitest';
import { countChars } from '../../ts/redaction/fit.js';
import type { Reason } from '../../ts/report/decision.js';
import { limitMet } from '../../ts/report/limit.js';
import { MAX_NAMED_PROCESSES, MAX_SHOWN_REASONS, renderCommand, renderStatus } from '../../ts/report/render.js';
import type { CommandResult } from '../../ts/report/result.js';
import { MIN_RESULT_CHARS } from '../../ts/tools/limits.js';
import { commandResult, denied } from '../support/results.js';

const LISTS = 'Allowed programs: git, ls.';

function render(result: CommandResult, maxChars = 30_000): string {
  return renderCommand(result, { maxChars, lists: LISTS });
}

function reason(rule: string, message: string, hint?: string): Reason {
  return { rule, span: [0, 1], message, ...(hint === undefined ? {} : { hint }) };
}

describe('renderCommand', () => {
  const failed = { ok: false, exitCode: null } as const;
  it.each<[string, CommandResult, string]>([
    ['success', commandResult({ stdout: 'a\nb\n' }), 'exit 0 in 12 ms\na\nb'],
    ['success without output', commandResult({}), 'exit 0 in 12 ms\n(no output)'],
    ['failure', commandResult({ ok: false, exitCode: 3, stderr: 'bad\n' }), 'exit 3 in 12 ms\nbad'],
    [
      'both outputs',
      commandResult({ stdout: 'fine\n', stderr: 'bad\n' }),
      'exit 0 in 12 ms\nstdout:\nfine\nstderr:\nbad',
    ],
    [
      'a deadline',
      commandResult({ ...failed, status: 'timed_out', durationMs: 5000, stdout: 'so far' }),
      'timed out after 5000 ms\nso far',
    ],
    ['a long time', commandResult({ ...failed, status: 'timed_out', durationMs: 120_040 }), 'timed out after 120.0 s'],
    [
      'a signal',
      commandResult({ ...failed, status: 'signaled', signal: 'SIGSEGV', durationMs: 3 }),
      'killed by SIGSEGV after 3 ms',
    ],
    [
      'a limit',
      commandResult({
        ...failed,
        status: 'limited',
        limit: limitMet({ name: 'memoryBytes', value: 2 ** 31 }),
        durationMs: 20,
        stdout: 'so far',
      }),
      'ended after 20 ms: used more than 2 GiB of memory (confine.limits.memoryBytes)\nso far',
    ],
    [
      'an abort',
      commandResult({ ...failed, status: 'cancelled', durationMs: 20, stdout: 'so far' }),
      'cancelled after 20 ms\nso far',
    ],
    [
      'an abort before the start',
      commandResult({ ...failed, status: 'cancelled', durationMs: 0 }),
      'cancelled before it started',
    ],
    [
      'a failed start',
      commandResult({
        ...failed,
        status: 'spawn_failed',
        failure: { code: 'program_not_found', message: 'There is no program `gti`' },
      }),
      'could not run: There is no program `gti` (program_not_found)',
    ],
    [
      'masked secrets',
      commandResult({ stdout: 'password=[REDACTED]', redactions: 1 }),
      'exit 0 in 12 ms\npassword=[REDACTED]\n[1 secret masked]',
    ],
    [
      'processes left behind',
      commandResult({
        pipesHeldBy: [
          { pid: 1, program: 'sleep' },
          { pid: 2, program: 'node' },
        ],
      }),
      'exit 0 in 12 ms\n(no output)\n[2 processes left behind and ended: sleep, node]',
    ],
    [
      'a survivor',
      commandResult({ survivors: [{ pid: 1, program: 'sleep' }] }),
      'exit 0 in 12 ms\n(no output)\n[1 process could not be ended: sleep]',
    ],
  ])('shows %s', (_name, result, expected) => {
    expect(render(result)).toBe(expected);
  });

  it('says why, what instead, and what would be allowed when a list was the reason', () => {
    const result = denied(reason('list.not_allowed', 'rm is not on the list', 'Ask the host'));
    expect(render(result)).toBe(
      [
        'denied: rm is not on the list (list.not_allowed)',
        'hint: Ask the host',
        'hint: Only the host can change this. Ask the user if nothing else does it.',
        'Allowed programs: git, ls.',
      ].join('\n'),
    );
  });

  it('says once what lifts all reasons together, and nothing where one is not lifted', () => {
    const lifted = (rule: string, name: 'allow' | 'trustInterpreters'): Reason => ({
      ...reason(rule, rule),
      advice: [{ kind: 'option', name, value: 'x' }],
    });
    const both = [lifted('list.not_allowed', 'allow'), lifted('interpreter.code', 'trustInterpreters')] as const;
    const text = render(denied(reason('no_approver', 'Nobody'), ...both, lifted('list.asked', 'allow')));
    expect(text.match(/hint: .*/g)).toEqual([
      "hint: The host lifts this with `allow: ['x', ...]` and `trustInterpreters: ['x', ...]`. Ask the user if nothing else does it.",
    ]);
    const asked: Reason = { ...reason('effect.write', 'It writes'), advice: [{ kind: 'approve' }] };
    expect(render(denied(...both, asked))).toContain('It then takes an `approve` that agrees.');
    expect(render(denied(...both, reason('list.denied', 'Denied')))).not.toContain('lifts');
    expect(render(denied(reason('not_approved', 'No'), ...both))).not.toMatch(/lifts|Only the host/);
    expect(render(denied(reason('syntax.operator', 'An operator'), asked))).toContain('Only the host');
  });

  it('does not name programs when the reason was another one', () => {
    expect(render(denied(reason('syntax.operator', 'An operator')))).toBe('denied: An operator (syntax.operator)');
  });

  it('counts reasons and processes past their bounds', () => {
    const reasons = (count: number) => Array.from({ length: count }, (_, index) => reason(`rule.${index}`, 'No'));
    expect(render(denied(...reasons(MAX_SHOWN_REASONS)))).not.toContain('more reasons');
    expect(render(denied(...reasons(MAX_SHOWN_REASONS + 2)))).toContain('and 2 more reasons');
    const processes = (count: number) => Array.from({ length: count }, (_, pid) => ({ pid, program: 'p' }));
    expect(render(commandResult({ pipesHeldBy: processes(MAX_NAMED_PROCESSES) }))).not.toContain('more');
    expect(render(commandResult({ pipesHeldBy: processes(MAX_NAMED_PROCESSES + 1) }))).toContain('and 1 more');
  });

  it('counts the masks that are shown, not those of what is left out or stands in other outputs', () => {
    const note = (result: Partial<CommandResult>, maxChars?: number): string | undefined =>
      /\[\d+ secrets? masked\]/.exec(render(commandResult(result), maxChars))?.[0];
    const two = 'a=[REDACTED] b=[REDACTED:env-assignment]';
    expect(note({ stdout: two, redactions: 2 })).toBe('[2 secrets masked]');
    // Halves on both outputs are masked where they stand side by side, in `output`.
    expect(note({ stdout: 'half', stderr: 'other', output: '[REDACTED]', redactions: 1 })).toBeUndefined();
    expect(note({ stdout: two, stderr: '[REDACTED]', redactions: 4 })).toBe('[3 secrets masked]');
    // A program may write it.
    expect(note({ stdout: two })).toBeUndefined();
    expect(note({ stdout: two, redactions: 1 })).toBe('[1 secret masked]');
    const long = `[REDACTED]\n${'x'.repeat(2_000)}\n[REDACTED]\n${'x'.repeat(2_000)}\n[REDACTED]`;
    expect(note({ stdout: long, redactions: 3 }, 1_000)).toBe('[2 secrets masked]');
  });

  it('gives the status of an output that was shown already', () => {
    const status = (result: Partial<CommandResult>): string =>
      renderStatus(commandResult(result), { maxChars: 1_000, lists: '' });
    expect(status({ stdout: 'a\n' })).toBe('exit 0 in 12 ms');
    expect(status({ stdout: 'key [REDACTED]', redactions: 1 })).toBe('exit 0 in 12 ms\n[1 secret masked]');
    expect(status({ stdout: 'half', stderr: 'other', redactions: 1 })).toBe('exit 0 in 12 ms');
    // Nobody knows any more which of them the whole output had.
    expect(status({ stdout: 'a', truncated: true, redactions: 2 })).toBe('exit 0 in 12 ms\n[2 secrets masked]');
  });

  describe('bounds', () => {
    const line = `${'x'.repeat(79)}\n`;

    it.each([MIN_RESULT_CHARS, 1_000, 30_000])('stays within %i characters, status and notes included', (maxChars) => {
      const results = [
        commandResult({ stdout: line.repeat(1_000), redactions: 2 }),
        commandResult({ stdout: line.repeat(1_000), stderr: line.repeat(1_000), truncated: true }),
        commandResult({ stdout: '\u{1F600}'.repeat(40_000) }),
        denied(...Array.from({ length: 9 }, () => reason('list.not_allowed', 'x'.repeat(5_000)))),
      ];
      for (const result of results) {
        const text = render(result, maxChars);
        expect(countChars(text)).toBeLessThanOrEqual(maxChars);
        expect(text.split('\n')[0]).toMatch(/^(exit 0 in 12 ms|denied: x+)/);
      }
    });

    it('leaves an output that just fits alone and cuts one that does not', () => {
      const room = 1_000 - 'exit 0 in 12 ms\n'.length;
      expect(render(commandResult({ stdout: 'x'.repeat(room) }), 1_000)).toHaveLength(1_000);
      expect(render(commandResult({ stdout: 'x'.repeat(room) }), 1_000)).not.toContain('omitted');
      const bytes = { stdout: 7_000, stderr: 0, kept: 0, omitted: 0 };
      const text = render(commandResult({ stdout: 'x'.repeat(room + 1), bytes }), 1_000);
      expect(text).toMatch(/\n\[\.\.\. \d+ characters, 0 lines omitted \.\.\.\]\n/);
      expect(text).toMatch(/\n\[in full: 7000 bytes to stdout, 0 bytes to stderr\]$/);
    });

    it('counts what is missing of the whole of a text that was cut before', () => {
      const notice = '[... 22884916 bytes, 3 lines omitted ...]\n';
      const at = [line.length, line.length + notice.length] as const;
      const cut = { unit: 'bytes', bytes: 22_884_916, chars: 22_884_916, lines: 3, notice: at } as const;
      const stdout = `${line}${notice}${line.repeat(20)}`;
      const text = render(commandResult({ stdout, cuts: { stdout: cut } }), 1_000);
      const kept = text.split('\n').filter((row) => row === 'x'.repeat(79)).length;
      expect(kept).toBeGreaterThan(5);
      // The last line end is not shown.
      const [bytes, lines] = [22_884_916 + (21 - kept) * 80, 3 + 21 - kept];
      expect(text.match(/\d+ (bytes|characters), \d+ lines omitted/g)).toEqual([
        `${bytes} bytes, ${lines} lines omitted`,
      ]);
    });

    it('gives one output the room the other does not need', () => {
      const text = render(commandResult({ stdout: 'short\n', stderr: line.repeat(1_000) }), 10_000);
      expect(text).toContain('stdout:\nshort\nstderr:\n');
      expect(countChars(text)).toBeGreaterThan(9_800);
    });

    it('keeps a third for the errors of a command that floods both', () => {
      const text = render(commandResult({ stdout: line.repeat(1_000), stderr: line.repeat(1_000) }), 9_000);
      expect(countChars(text.slice(text.indexOf('stderr:')))).toBeGreaterThan(2_800);
    });
  });
});
