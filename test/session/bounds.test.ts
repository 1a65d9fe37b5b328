import { describe, expect, it } from 'vitest';
import {
  MAX_HISTORY_BYTES,
  MAX_READY_MARKER_BYTES,
  MAX_READY_MARKERS,
  MAX_SESSION_INPUT_BYTES,
  MAX_WAITING_READS,
} from '../../ts/index.js';
import type { Session } from '../../ts/session/session.js';
import { live, PROMPT } from '../support/live.js';
import { toolkits } from '../support/toolkits.js';

const { host, bash } = live();
const { make } = toolkits();

const REFUSED = expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }) as Error;
const MIN_HISTORY_BYTES = 4_096;

describe('the history', () => {
  it('keeps as many bytes as it is told, the newest, and counts the others', async () => {
    const session = await bash({ historyBytes: MIN_HISTORY_BYTES });
    await session.send('seq 1 5000');
    const history = session.history();
    expect(history.text.length).toBeLessThanOrEqual(MIN_HISTORY_BYTES + PROMPT.length);
    expect(history.text).toMatch(/\n4999\n5000\n/);
    expect(history.start).toBe(history.droppedBytes);
    expect(history.end - history.start).toBe(history.text.length);
    expect(session.history(history.end)).toMatchObject({ text: '', droppedBytes: 0 });
    expect(session.history(history.end - 5).text).toBe(history.text.slice(-5));
  });

  it.each([MIN_HISTORY_BYTES - 1, MAX_HISTORY_BYTES + 1])('refuses %i bytes', async (historyBytes) => {
    await expect(host().sessions.open('cat', { historyBytes })).rejects.toEqual(REFUSED);
  });
});

describe('input', () => {
  it('of 1 MiB arrives whole; one byte more is refused', async () => {
    const session = await host().sessions.open('wc -c');
    const lines = `${'x'.repeat(63)}\n`.repeat(MAX_SESSION_INPUT_BYTES / 64);
    await session.write(lines);
    await session.write('\u0004');
    await session.ended;
    expect(session.history().text).toContain(`${MAX_SESSION_INPUT_BYTES}\n`);
    const other = await host().sessions.open('cat');
    await expect(other.write(`${lines}x`)).rejects.toEqual(REFUSED);
    expect(() => other.send(lines)).toThrow(REFUSED);
  });

  it('that nobody reads is held up: over 4 MiB is refused, and nothing else waits', async () => {
    const started = host();
    const stuck = await started.sessions.open('sleep 1000');
    const piece = `${'x'.repeat(63)}\n`.repeat(MAX_SESSION_INPUT_BYTES / 64);
    let taken = 0;
    const writes = Array.from({ length: 4 }, () =>
      stuck.write(piece).then(
        () => (taken += 1),
        (error: unknown) => error,
      ),
    );
    // A bit of the first was taken by the terminal: what waits is just below the bound.
    await expect(stuck.write(piece)).rejects.toMatchObject({ code: 'ERR_BUSY' });
    const session = await bash({}, started);
    expect((await session.send('echo free')).text).toBe(`free\n${PROMPT}`);
    expect(taken).toBe(0);
    await stuck.close();
    for (const error of await Promise.all(writes)) expect(error).toMatchObject({ code: 'ERR_CLOSED' });
  });
});

describe('markers', () => {
  it('are as many and as long as they may be, and no more', async () => {
    const session = await bash();
    const marker = 'x'.repeat(MAX_READY_MARKER_BYTES);
    const markers = Array.from({ length: MAX_READY_MARKERS }, () => marker);
    session.setReadyMarkers(markers);
    expect(() => session.setReadyMarkers([...markers, 'a'])).toThrow(REFUSED);
    expect(() => session.setReadyMarkers([`${marker}x`])).toThrow(REFUSED);
    expect(() => session.setReadyMarkers([''])).toThrow(REFUSED);
  });
});

describe('reads', () => {
  it('wait for their turn, as many as may; one more is refused', async () => {
    const session = await bash();
    const reads = Array.from({ length: MAX_WAITING_READS }, () => session.read({ timeoutMs: 20 }));
    await expect(session.read()).rejects.toMatchObject({ code: 'ERR_BUSY', data: { limit: MAX_WAITING_READS } });
    await Promise.all(reads);
    expect((await session.read({ until: 'now' })).reason).toBe('available');
  });

  it.each([
    { timeoutMs: -1 },
    { timeoutMs: 86_400_001 },
    { settleMs: 60_001 },
    { quietMs: 0.5 },
    { maxOutputBytes: 0 },
    { until: 'later' },
    { signal: {} },
    { timeout: 1 },
  ])('refuse %j', async (options) => {
    const session = await bash();
    expect(() => session.read(options as object)).toThrow(REFUSED);
  });
});

/** What a program says to an input: on a busy machine it is quiet for long before it has begun. */
async function answerOf(session: Session, input: string): Promise<string> {
  let { text } = await session.send(input);
  while (text === '') ({ text } = await session.read());
  return text;
}

describe('sessions', () => {
  it('are as many as limits.sessions says; one more is refused, and one that ends makes room', async () => {
    const toolkit = await make({ limits: { sessions: 2 } });
    const open = () => toolkit.sessions.open('cat');
    const first = await open();
    await open();
    await expect(open()).rejects.toMatchObject({
      code: 'ERR_BUSY',
      message: expect.stringMatching(/2 .*close|close.* 2|limits\.sessions/) as string,
    });
    expect(toolkit.sessions.list()).toHaveLength(2);
    await first.close();
    expect(await answerOf(await open(), 'a')).toBe('a\n');
  });

  it('of a whole toolkit leave runs their workers, and the runs leave them theirs', async () => {
    const toolkit = await make({ terminal: { allow: ['sleep', 'echo'] } });
    const sessions = await Promise.all(Array.from({ length: 16 }, () => toolkit.sessions.open('cat')));
    const runs = Array.from({ length: 64 }, () => toolkit.execute('terminal_run', { command: 'sleep 1' }));
    const answers = await Promise.all(sessions.map((session, index) => answerOf(session, `line ${index}`)));
    expect(answers).toEqual(answers.map((_, index) => `line ${index}\n`));
    for (const { isError } of await Promise.all(runs)) expect(isError).toBe(false);
  });

  it('end with their toolkit, which opens no other', async () => {
    const toolkit = await make();
    const session = await toolkit.sessions.open('cat');
    await toolkit.close();
    expect(session.alive).toBe(false);
    await expect(toolkit.sessions.open('cat')).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  });
});
