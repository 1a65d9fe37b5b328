/** Ends of commands that take too long to wait for: the engine is a fake, the rest is real. */
import { beforeEach, expect, it, vi } from 'vitest';
import { ToolExecutor } from '../../ts/index.js';
import { FakeBinding, nextTurn } from '../terminal/fake-binding.js';

let fake: FakeBinding;

vi.mock('../../ts/native/loader.js', () => ({ loadNative: () => fake.native }));

beforeEach(() => {
  fake = new FakeBinding();
});

async function answerTo(report: Parameters<FakeBinding['engine']['done']>[1]): Promise<unknown> {
  const executor = new ToolExecutor('/workspace');
  const call = executor.execute('bash', { command: 'sleep 300' });
  await nextTurn();
  const run = fake.runs.at(-1);
  expect(run?.call).toMatchObject({ cwd: '/workspace', timeoutMs: 120_000 });
  fake.engine.done(run?.id ?? 0, { stdout: '', stderr: '', output: '', ...report });
  return await call;
}

it('a command that is late gives what there was', async () => {
  expect(await answerTo({ end: { status: 'timed_out' }, stdout: 'so far\n' })).toEqual({
    content: 'Command timed out after 120s\nso far\n',
    isError: true,
  });
});

it('a command without output that is late says so', async () => {
  expect(await answerTo({ end: { status: 'timed_out' } })).toEqual({
    content: 'Command timed out after 120s',
    isError: true,
  });
});

it('a command that a signal ended says by which', async () => {
  expect(await answerTo({ end: { status: 'signaled', signal: 'SIGSEGV' } })).toEqual({
    content: 'Command was ended by SIGSEGV',
    isError: true,
  });
});

it('a command that could not be started says why', async () => {
  const failure = { code: 'program_not_found', message: 'There is no program of that name' };
  expect(await answerTo({ end: { status: 'spawn_failed', failure } })).toEqual({
    content: 'Failed to execute command: There is no program of that name',
    isError: true,
  });
});
