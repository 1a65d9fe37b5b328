/** What a program writes last, right before it ends, with a host that is busy at that very time. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { live } from '../support/live.js';
import { soak } from '../support/soak.js';

const { host } = live();

const FULL_ROUNDS = 200;
const TIMEOUT_MS = 10 * 60_000;
const BLOCKED_MS = 300;
const LINE = `${'0123456789'.repeat(6)}abc\n`;
const LINES = 320;

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

it(
  'no byte is lost of 20 KB that are written right before the end, while JavaScript is held up',
  async () => {
    const { sessions } = host();
    const expected = digest(LINE.repeat(LINES));
    const script = `sleep 0.05; for i in $(seq ${LINES}); do echo ${LINE.trim()}; done`;
    const done = await soak(FULL_ROUNDS, async () => {
      const session = await sessions.open('bash', { args: ['-c', script] });
      const answer = session.read();
      // The request is on its way; nothing of ours runs when the program writes and ends.
      await new Promise((resolve) => setTimeout(resolve, 20));
      const until = performance.now() + BLOCKED_MS;
      while (performance.now() < until);
      const { text, reason } = await answer;
      expect(reason).toBe('exited');
      expect(text.length).toBe(LINE.length * LINES);
      expect(digest(text)).toBe(expected);
      expect(session.end).toMatchObject({ status: 'exited', exitCode: 0 });
    });
    process.stdout.write(`no byte lost in ${done} runs of ${LINE.length * LINES} bytes\n`);
  },
  TIMEOUT_MS,
);
