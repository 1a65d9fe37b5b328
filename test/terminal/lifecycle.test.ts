import { beforeEach, describe, expect, test, vi } from 'vitest';

import { MAX_STARTS_PER_TURN, Terminal, type TerminalOptions } from '../../ts/index.js';
import { FakeBinding, nextTurn } from './fake-binding.js';

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

describe('an abort signal', () => {
  test('that fired before starts nothing', async () => {
    const result = await terminal().run(['echo'], { signal: AbortSignal.abort() });
    expect(result.status).toBe('cancelled');
    expect(fake.runs).toHaveLength(0);
  });

  test('that fires while it runs cancels it once', async () => {
    const controller = new AbortController();
    const running = terminal().run(['echo'], { signal: controller.signal });
    await nextTurn();
    controller.abort();
    expect(fake.cancelled).toEqual([lastId()]);
    fake.engine.done(lastId(), { end: { status: 'cancelled' } });
    expect((await running).status).toBe('cancelled');
  });

  test('keeps no listener when the run is over', async () => {
    const controller = new AbortController();
    const remove = vi.spyOn(controller.signal, 'removeEventListener');
    const running = terminal().run(['echo'], { signal: controller.signal });
    await nextTurn();
    fake.engine.done(lastId());
    await running;
    expect(remove).toHaveBeenCalledTimes(1);
    controller.abort();
    expect(fake.cancelled).toEqual([]);
  });
});

describe('onOutput', () => {
  test('gets every piece in order, and each is acknowledged', async () => {
    const seen: string[] = [];
    const running = terminal().run(['echo'], { onOutput: ({ stream, text }) => seen.push(`${stream}:${text}`) });
    await nextTurn();
    fake.engine.output(lastId(), 'a');
    fake.engine.output(lastId(), 'b', 'stderr');
    fake.engine.done(lastId());
    await running;
    expect(seen).toEqual(['stdout:a', 'stderr:b']);
    expect(fake.acknowledged).toEqual([lastId(), lastId()]);
    expect(fake.runs[0]?.call.stream).toBe(true);
  });

  test('that throws cancels the run, hears no more, and is what run() rejects with', async () => {
    const mistake = new Error('mine');
    const onOutput = vi.fn(() => {
      throw mistake;
    });
    const running = terminal().run(['echo'], { onOutput });
    await nextTurn();
    const id = lastId();
    fake.engine.output(id, 'a');
    fake.engine.output(id, 'b');
    expect(fake.cancelled).toEqual([id]);
    expect(fake.acknowledged).toEqual([id, id]);
    fake.engine.done(id, { end: { status: 'cancelled' } });
    await expect(running).rejects.toBe(mistake);
    expect(onOutput).toHaveBeenCalledTimes(1);
  });

  test('that returns a promise is acknowledged when it settles', async () => {
    let settle = (): void => undefined;
    const onOutput = () =>
      new Promise<void>((resolve) => {
        settle = resolve;
      });
    const running = terminal().run(['echo'], { onOutput });
    await nextTurn();
    fake.engine.output(lastId(), 'a');
    await nextTurn();
    expect(fake.acknowledged).toEqual([]);
    settle();
    await nextTurn();
    expect(fake.acknowledged).toEqual([lastId()]);
    fake.engine.done(lastId());
    await running;
  });

  test('that rejects cancels the run too', async () => {
    const mistake = new Error('mine');
    const running = terminal().run(['echo'], { onOutput: () => Promise.reject(mistake) });
    await nextTurn();
    fake.engine.output(lastId(), 'a');
    await nextTurn();
    expect(fake.cancelled).toEqual([lastId()]);
    expect(fake.acknowledged).toEqual([lastId()]);
    fake.engine.done(lastId(), { end: { status: 'cancelled' } });
    await expect(running).rejects.toBe(mistake);
  });

  test('that never comes back does not keep the result back', async () => {
    const running = terminal().run(['echo'], { onOutput: () => new Promise(() => undefined) });
    await nextTurn();
    fake.engine.output(lastId(), 'a');
    fake.engine.done(lastId(), { end: { status: 'timed_out' } });
    expect((await running).timedOut).toBe(true);
  });
});

describe('close', () => {
  test('rejects later runs, waits for the engine, and can be called again', async () => {
    const guarded = terminal();
    const closing = guarded.close();
    expect(guarded.close()).toBe(closing);
    await expect(guarded.run(['echo'])).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    let closed = false;
    const waiting = closing.then(() => {
      closed = true;
    });
    await nextTurn();
    expect(closed).toBe(false);
    fake.engine.closeCallbacks[0]?.();
    await waiting;
    expect(fake.engine.closeCallbacks).toHaveLength(1);
  });

  test('rejects a run whose end was never told', async () => {
    const guarded = terminal();
    const running = guarded.run(['echo']);
    const rejected = expect(running).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    await nextTurn();
    const closing = guarded.close();
    fake.engine.emit({ kind: 'closed' });
    fake.engine.closeCallbacks[0]?.();
    await rejected;
    await closing;
  });

  test('of an engine that ends by itself rejects what ran on it', async () => {
    const running = terminal().run(['echo']);
    await nextTurn();
    fake.engine.emit({ kind: 'closed' });
    await expect(running).rejects.toMatchObject({ code: 'ERR_SUPERVISOR' });
  });

  test('of a terminal on a shared engine ends its own runs only', async () => {
    const { Engine } = await import('../../ts/terminal/engine.js');
    const shared = new Engine();
    const one = new Terminal({ allow: ['echo'] }, { engine: shared });
    const other = new Terminal({ allow: ['echo'] }, { engine: shared });
    const first = one.run(['echo']);
    const second = other.run(['echo']);
    await nextTurn();
    const [firstId, secondId] = fake.runs.map(({ id }) => id);
    const closing = one.close();
    expect(fake.cancelled).toEqual([firstId]);
    fake.engine.done(firstId ?? 0, { end: { status: 'cancelled' } });
    await closing;
    expect((await first).status).toBe('cancelled');
    fake.engine.done(secondId ?? 0);
    expect((await second).ok).toBe(true);
    expect(fake.engine.closeCallbacks).toHaveLength(0);
  });
});

describe('a start that waits for its turn', () => {
  test('can still be aborted', async () => {
    const guarded = terminal();
    const controller = new AbortController();
    const running = Array.from({ length: MAX_STARTS_PER_TURN }, () => guarded.run(['echo']));
    const late = guarded.run(['echo'], { signal: controller.signal });
    const started = fake.runs.length;
    controller.abort();
    expect((await late).status).toBe('cancelled');
    expect(started).toBeLessThanOrEqual(MAX_STARTS_PER_TURN);
    while (fake.runs.length < MAX_STARTS_PER_TURN) await nextTurn();
    for (const { id } of fake.runs) fake.engine.done(id);
    await Promise.all(running);
    expect(fake.runs).toHaveLength(MAX_STARTS_PER_TURN);
  });

  test('does not start when the terminal is closed before', async () => {
    const guarded = terminal();
    const running = Array.from({ length: MAX_STARTS_PER_TURN + 1 }, () => guarded.run(['echo']));
    const settled = Promise.allSettled(running);
    const closing = guarded.close();
    fake.engine.closeCallbacks[0]?.();
    await closing;
    const rejected = (await settled).filter(({ status }) => status === 'rejected');
    expect(rejected).toHaveLength(MAX_STARTS_PER_TURN + 1);
    expect(fake.runs.length).toBeLessThanOrEqual(MAX_STARTS_PER_TURN);
  });
});
