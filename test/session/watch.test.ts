import { describe, expect, it } from 'vitest';
import type { SessionUpdate } from '../../ts/index.js';
import { MAX_SESSION_WATCHERS } from '../../ts/session/limits.js';
import { live, PROMPT } from '../support/live.js';

const { host, bash } = live();

/** What somebody sees who follows these updates. */
function seen(updates: readonly SessionUpdate[]): string {
  let text = '';
  for (const update of updates) {
    if (update.kind === 'screen') continue;
    if (update.replacesLine) text = text.slice(0, text.lastIndexOf('\n') + 1);
    text += update.text;
  }
  return text;
}

async function collect(updates: AsyncIterable<SessionUpdate>, isLast: (all: readonly SessionUpdate[]) => boolean) {
  const all: SessionUpdate[] = [];
  for await (const update of updates) {
    all.push(update);
    if (isLast(all)) break;
  }
  return all;
}

describe('watch()', () => {
  it('gives what the terminal shows, and takes nothing from reads', async () => {
    const session = await bash();
    const watched = collect(session.watch(), (all) => seen(all).endsWith(`two\n${PROMPT}`));
    expect((await session.send('echo one')).text).toBe(`one\n${PROMPT}`);
    expect((await session.send('echo two')).text).toBe(`two\n${PROMPT}`);
    expect(seen(await watched)).toMatch(/^__PROMPT__ \n+one\n__PROMPT__ \n+two\n__PROMPT__ $/);
  });

  it('shows a line that is held back as soon as the program waits', async () => {
    const { sessions } = host();
    const session = await sessions.open('bash', { args: ['-c', 'printf "password=abc"; read line'] });
    const updates = await collect(session.watch({ since: 0 }), (all) => seen(all).endsWith(']'));
    expect(seen(updates)).toBe('password=[REDACTED]');
    await session.close();
  });

  it('gives the picture of a full-screen program, and says when lines come again', async () => {
    const { sessions } = host();
    const code = 'printf "\\033[?1049h\\033[H\\033[2J\\033[2;3Hhere"; read line; printf "\\033[?1049l"; sleep 60';
    const session = await sessions.open('bash', { args: ['-c', code] });
    const updates = session.watch({ since: 0 })[Symbol.asyncIterator]();
    const first = await updates.next();
    expect(first.value).toMatchObject({ kind: 'screen', screen: { text: '\n  here', fullScreen: true } });
    await session.write('\n');
    expect((await updates.next()).value).toMatchObject({ kind: 'text', text: '' });
    await session.close();
    expect(await updates.next()).toEqual({ done: true, value: undefined });
  });

  it('ends with the session, after its last word', async () => {
    const { sessions } = host();
    const session = await sessions.open('bash', { args: ['-c', 'seq 1 30000; printf last'] });
    const slow: SessionUpdate[] = [];
    for await (const update of session.watch({ since: 0 })) {
      slow.push(update);
      await session.ended;
    }
    const expected = `${Array.from({ length: 30_000 }, (_, index) => index + 1).join('\n')}\nlast`;
    expect(seen(slow)).toBe(expected);
    // Also one that begins when it is over.
    expect(seen(await collect(session.watch({ since: 0 }), () => false))).toBe(expected);
  });

  it('drops and counts what somebody is too slow for', async () => {
    const session = await bash({ historyBytes: 4_096 });
    const updates = session.watch()[Symbol.asyncIterator]();
    await updates.next();
    await session.send('seq 1 5000');
    const all: SessionUpdate[] = [];
    while (!seen(all).endsWith(PROMPT)) all.push((await updates.next()).value as SessionUpdate);
    const [first] = all;
    expect(first?.kind === 'text' && first.skippedBytes).toBeGreaterThan(15_000);
    expect(seen(all)).toMatch(/\n4999\n5000\n__PROMPT__ $/);
  });

  it('ends by its signal, by return and by a break, also while it waits', async () => {
    const session = await bash();
    const controller = new AbortController();
    const aborted = collect(session.watch({ signal: controller.signal }), () => false);
    const returned = session.watch();
    await returned.next();
    const waiting = returned.next();
    controller.abort();
    expect(PROMPT).toContain(seen(await aborted));
    expect(await returned.return?.()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: true, value: undefined });
    // All places are free again.
    const all = Array.from({ length: MAX_SESSION_WATCHERS }, () => session.watch());
    expect(() => session.watch()).toThrow(
      expect.objectContaining({ code: 'ERR_BUSY', data: { limit: MAX_SESSION_WATCHERS } }),
    );
    await Promise.all(all.map((updates) => updates[Symbol.asyncDispose]()));
    await session.watch().return?.();
  });

  it.each([-1, 0.5, 'now'])('refuses to begin at %s', async (since) => {
    const session = await bash();
    expect(() => session.watch({ since: since as number })).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }),
    );
  });
});
