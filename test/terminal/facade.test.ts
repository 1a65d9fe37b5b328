import { beforeEach, describe, expect, test, vi } from 'vitest';

import { HandrailError, isHandrailError, Terminal, type TerminalOptions } from '../../ts/index.js';
import { ALLOW, DENY, FakeBinding, nextTurn } from './fake-binding.js';

let fake: FakeBinding;

vi.mock('../../ts/native/loader.js', () => ({ loadNative: () => fake.native }));

beforeEach(() => {
  fake = new FakeBinding();
});

function terminal(options: TerminalOptions = {}): Terminal {
  return new Terminal({ allow: ['echo'], ...options });
}

/** The id of the run that was started last. */
function lastId(): number {
  const run = fake.runs.at(-1);
  if (run === undefined) throw new Error('nothing was started');
  return run.id;
}

const RESULT_KEYS = [
  'bytes',
  'decision',
  'durationMs',
  'exitCode',
  'ok',
  'output',
  'redactions',
  'sandbox',
  'signal',
  'status',
  'stderr',
  'stdout',
  'survivors',
  'timedOut',
  'truncated',
  'usage',
];

describe('the shape of a result', () => {
  test('has the same keys for a run that exited and one that was denied', async () => {
    const running = terminal().run(['echo', 'a']);
    await nextTurn();
    fake.engine.done(lastId());
    expect(Object.keys(await running).sort()).toEqual(RESULT_KEYS);

    fake.start = () => ({ decision: DENY, started: false });
    const denied = await terminal().run('rm a');
    expect(Object.keys(denied).sort()).toEqual(RESULT_KEYS);
    expect(denied).toMatchObject({ status: 'denied', ok: false, exitCode: null, signal: null, output: '' });
    expect(denied.decision).toEqual({
      decision: 'deny',
      reasons: [{ rule: 'list.not_allowed', span: [0, 2], program: 'rm', message: 'rm is not on the list' }],
    });
  });

  test.each([
    ['exited', { exitCode: 0 }, { ok: true, exitCode: 0, timedOut: false, signal: null }],
    ['exited', { exitCode: 3 }, { ok: false, exitCode: 3, timedOut: false, signal: null }],
    ['signaled', { signal: 'SIGSEGV' }, { ok: false, exitCode: null, timedOut: false, signal: 'SIGSEGV' }],
    ['timed_out', { exitCode: 0, signal: 'SIGKILL' }, { ok: false, exitCode: null, timedOut: true }],
    ['cancelled', { exitCode: 0 }, { ok: false, exitCode: null, timedOut: false }],
  ])('of status %s with %o', async (status, change, expected) => {
    const running = terminal().run(['echo']);
    await nextTurn();
    fake.engine.done(lastId(), { end: { status, ...change } });
    expect(await running).toMatchObject({ status, ...expected });
  });

  test.each([{ status: 'splendid', exitCode: 0 }, { status: 'exited', exitCode: undefined }, { status: 'signaled' }])(
    'of an end nobody knows is a failure: %o',
    async (end) => {
      const running = terminal().run(['echo']);
      await nextTurn();
      fake.engine.done(lastId(), { end });
      expect(await running).toMatchObject({
        status: 'spawn_failed',
        ok: false,
        exitCode: null,
        failure: { code: 'internal' },
      });
    },
  );

  test('has spill, pipesHeldBy and failure only when there is something to say', async () => {
    const running = terminal().run(['echo']);
    await nextTurn();
    fake.engine.done(lastId(), {
      end: {
        status: 'spawn_failed',
        leftovers: [{ pid: 7, program: 'sleep' }],
        failure: { code: 'supervisor_lost', message: 'lost with hunter2' },
      },
      streams: { cuts: { output: { unit: 'bytes', bytes: 9, chars: 9, lines: 0, notice: [0, 0] } } },
      spill: { path: '/somewhere/1', bytes: 9, complete: false },
    });
    expect(await running).toMatchObject({
      spill: { path: '/somewhere/1', bytes: 9, complete: false },
      pipesHeldBy: [{ pid: 7, program: 'sleep' }],
      failure: { code: 'supervisor_lost', message: 'lost with [REDACTED]' },
    });
  });
});

describe('a start that is refused', () => {
  test('by a guard is a denial whose first reason is the refusal', async () => {
    const denial = { rule: 'outside_root', message: 'hunter2 is outside' };
    fake.start = () => ({ decision: ALLOW, started: false, denial });
    const result = await terminal().run('echo a');
    expect(result.status).toBe('denied');
    expect(result.decision.decision).toBe('deny');
    expect(result.decision.reasons[0]).toEqual({
      rule: 'outside_root',
      span: [0, 6],
      message: '[REDACTED] is outside',
    });
  });

  test('for an unknown reason is a denial, not a failure', async () => {
    fake.start = () => ({ decision: ALLOW, started: false, denial: { rule: 'brand_new', message: 'no' } });
    expect((await terminal().run('echo a')).status).toBe('denied');
  });

  test('because there is no such program is a failure to start', async () => {
    const failure = { code: 'program_not_found', message: 'no such program' } as const;
    fake.start = () => ({ decision: ALLOW, started: false, failure });
    expect(await terminal().run('echo a')).toMatchObject({ status: 'spawn_failed', failure });
  });
});

describe('a verdict', () => {
  test('that nobody knows denies', () => {
    fake.explain = () => ({ decision: 'perhaps' as 'allow', reasons: [] });
    expect(terminal().explain('a').decision).toBe('deny');
  });
});

describe('errors of the binding', () => {
  test('keep their code and message when they are made for callers', async () => {
    fake.start = () => {
      throw Object.assign(new Error('no room'), { code: 'ERR_BUSY' });
    };
    await expect(terminal().run(['echo'])).rejects.toMatchObject({ code: 'ERR_BUSY', message: 'no room' });
  });

  test('of any other kind do not show their message', async () => {
    fake.start = () => {
      throw Object.assign(new Error('cannot convert hunter2'), { code: 'StringExpected' });
    };
    const error = await terminal()
      .run(['echo'])
      .catch((reason: unknown) => reason);
    expect(isHandrailError(error)).toBe(true);
    expect((error as HandrailError).code).toBe('ERR_INTERNAL');
    expect((error as HandrailError).message).not.toContain('hunter2');
  });
});

describe('what the binding is told', () => {
  test('are the checked options with their defaults', () => {
    terminal({ roots: [{ path: '/srv', mode: 'ro' }, '/tmp'], path: ['/opt/tools/bin'], deny: [{ program: 'rm' }] });
    const [config] = fake.terminals;
    expect(config).toMatchObject({
      allow: [{ program: 'echo' }],
      deny: [{ program: 'rm' }],
      trustInterpreters: [],
      cwd: '/srv',
      privateHome: true,
      graceMs: 2_000,
      headBytes: 19_660,
      tailBytes: 45_876,
      spillBytes: 16 * 1024 * 1024,
    });
    expect(fake.roots).toMatchObject([
      [
        { path: '/srv', writable: false },
        { path: '/tmp', writable: true },
      ],
    ]);
    const required = config?.path.filter((folder) => folder.required).map((folder) => folder.path);
    expect(required).toEqual(expect.arrayContaining(['/usr/local/bin', '/usr/bin', '/bin']));
    expect(config?.path.at(-1)).toEqual({ path: '/opt/tools/bin', required: true });
  });

  test.each([
    [{}, process.cwd()],
    [{ cwd: 'sub' }, `${process.cwd()}/sub`],
    [{ cwd: '/srv' }, '/srv'],
    [{ roots: ['/srv'] }, '/srv'],
    [{ roots: ['/srv'], cwd: 'sub' }, '/srv/sub'],
    [{ roots: ['/srv'], cwd: '/srv/other' }, '/srv/other'],
    [{ roots: [] }, process.cwd()],
  ])('is for %o the working directory %s', (options, cwd) => {
    terminal(options);
    expect(fake.terminals[0]?.cwd).toBe(cwd);
  });

  test('is the call, with a copy of its argv and input', async () => {
    const argv = ['echo', 'a'];
    const stdin = Buffer.from('in');
    const running = terminal({ graceMs: 5 }).run(argv, { timeoutMs: 7, stdin, merge: true, cwd: '/srv' });
    argv[1] = 'b';
    stdin.write('xx');
    await nextTurn();
    fake.engine.done(lastId());
    await running;
    expect(fake.runs[0]?.command).toEqual(['echo', 'a']);
    expect(fake.runs[0]?.call).toEqual({
      cwd: '/srv',
      job: false,
      timeoutMs: 7,
      stdin: Buffer.from('in'),
      piped: false,
      merge: true,
      stream: false,
      approved: false,
    });
  });

  test('an instance of HandrailError made elsewhere is recognised', () => {
    const copy = Object.assign(Object.create(HandrailError.prototype) as HandrailError, { code: 'ERR_BUSY' });
    expect(isHandrailError(copy)).toBe(true);
    expect(isHandrailError(new Error('no'))).toBe(false);
  });
});
