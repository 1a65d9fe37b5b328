import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Terminal, type TerminalOptions } from '../../ts/index.js';
import type { NativeCapability } from '../../ts/native/binding.js';
import { ASK, FakeBinding, nextTurn } from './fake-binding.js';

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

describe('a command the policy leaves open', () => {
  beforeEach(() => {
    fake.start = ({ call }) => ({ decision: ASK, started: call.approved });
  });

  test('is denied without an approver, with the reasons', async () => {
    const result = await terminal().run('bash x');
    expect(result.status).toBe('denied');
    expect(result.decision.decision).toBe('deny');
    expect(result.decision.reasons.map(({ rule }) => rule)).toEqual(['no_approver', 'interpreter.code']);
  });

  test('runs when it is approved, exactly as it was shown', async () => {
    const approve = vi.fn((request: { command: string | readonly string[] }) => {
      (request.command as string[]).push('--more');
      return { approved: true };
    });
    const running = terminal({ approve }).run(['bash', 'a\u202eb'], { cwd: 'sub' });
    await nextTurn();
    fake.engine.done(lastId());
    expect((await running).status).toBe('exited');
    expect(fake.runs[0]?.command).toEqual(['bash', 'a\u202eb']);
    expect(approve.mock.calls[0]?.[0]).toMatchObject({
      cwd: `${process.cwd()}/sub`,
      rendering: "bash 'a\\u{202e}b'",
      reasons: [{ rule: 'interpreter.code' }],
    });
  });

  test('is denied with the approver’s reason, secrets masked', async () => {
    const approve = () => Promise.resolve({ approved: false, reason: 'not with hunter2' });
    const result = await terminal({ approve }).run('bash x');
    expect(result.decision.reasons[0]).toMatchObject({ rule: 'not_approved', message: 'not with [REDACTED]' });
    expect(fake.runs).toHaveLength(0);
  });

  test('is cancelled when the signal fires before the answer', async () => {
    const controller = new AbortController();
    let asked: AbortSignal | undefined;
    const approve = (request: { signal: AbortSignal }) => {
      asked = request.signal;
      return new Promise<{ approved: boolean }>(() => undefined);
    };
    const running = terminal({ approve }).run('bash x', { signal: controller.signal });
    await nextTurn();
    controller.abort();
    expect((await running).status).toBe('cancelled');
    expect(asked?.aborted).toBe(true);
  });

  test('is cancelled when the terminal is closed before the answer', async () => {
    const guarded = terminal({ approve: () => new Promise(() => undefined) });
    const running = guarded.run('bash x');
    await nextTurn();
    const closing = guarded.close();
    expect((await running).status).toBe('cancelled');
    fake.engine.closeCallbacks[0]?.();
    await closing;
  });

  test.each([undefined, {}, { approved: 'yes' }, { approved: true, reason: 1 }])(
    'does not run for the answer %o',
    async (answer) => {
      const approve = () => answer as never;
      await expect(terminal({ approve }).run('bash x')).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
      expect(fake.runs).toHaveLength(0);
    },
  );

  test('does not run when the approver throws, and says what it threw', async () => {
    const mistake = new Error('mine');
    const approve = () => Promise.reject(mistake);
    await expect(terminal({ approve }).run('bash x')).rejects.toBe(mistake);
    expect(fake.runs).toHaveLength(0);
  });

  test('is denied when the engine still will not start it', async () => {
    fake.start = () => ({ decision: ASK, started: false });
    const result = await terminal({ approve: () => ({ approved: true }) }).run('bash x');
    expect(result.status).toBe('denied');
  });
});

describe('require', () => {
  const enforced = { feature: 'kill', level: 'enforced', detail: 'subreaper' } as const;

  test('lets a command through when the machine enforces it', async () => {
    fake.capabilities = [enforced];
    await expect(terminal({ require: ['kill'] }).ready()).resolves.toBeUndefined();
  });

  test.each([
    ['kill', [{ feature: 'kill', level: 'best-effort', detail: 'sweep', fix: 'use cgroups' }], /sweep; use cgroups/],
    ['kill', [{ feature: 'kill', level: 'brand-new', detail: 'who knows' }], /who knows/],
    ['network', [enforced], /not available in this release/],
  ] as const)('fails closed for %s with %o', async (guarantee, capabilities, message) => {
    // Another release of the binding may say what this one does not know.
    fake.capabilities = [...capabilities] as NativeCapability[];
    const guarded = terminal({ require: [guarantee] });
    await expect(guarded.run(['echo'])).rejects.toMatchObject({
      code: 'ERR_GUARANTEE_UNAVAILABLE',
      message: expect.stringMatching(message),
      data: { guarantee },
    });
    await expect(guarded.ready()).rejects.toMatchObject({ code: 'ERR_GUARANTEE_UNAVAILABLE' });
    expect(fake.runs).toHaveLength(0);
  });
});
