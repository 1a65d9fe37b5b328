/** A command asks for something and waits: `onOutput` is told, and of no part of a secret. */
import { afterEach, describe, expect, test } from 'vitest';
import { Terminal } from '../../ts/index.js';

const open: Terminal[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((terminal) => terminal.close()));
});

/** What a script's output was after each 50 ms, and its result. */
async function told(script: string) {
  const terminal = new Terminal({ allow: ['bash', 'printf', 'sleep'], trustInterpreters: ['bash'] });
  open.push(terminal);
  const pieces: { text: string; after: number }[] = [];
  // The first command of a terminal waits for its helper.
  await terminal.run(['printf', 'ready']);
  const started = performance.now();
  const result = await terminal.run(['bash', '-c', script], {
    onOutput: ({ text }) => void pieces.push({ text, after: performance.now() - started }),
  });
  return { pieces, text: pieces.map((piece) => piece.text).join(''), result };
}

describe('while nothing comes, onOutput', () => {
  test('is told of a prompt within a second, and the answer is masked', async () => {
    const { pieces, text, result } = await told('printf "Password: "; sleep 1.5; echo hunter2; echo done');
    expect(pieces[0]?.text).toBe('Password: ');
    expect(pieces[0]?.after).toBeLessThan(1_000);
    expect(text).toBe('Password: [REDACTED]\ndone\n');
    expect(result.stdout).toBe(text);
  });

  test('is told of no part of a secret that pauses in its middle', async () => {
    const token = 'ghp_a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pg7Kq2Z';
    const { pieces, text } = await told(
      `printf "cloning with ${token.slice(0, 20)}"; sleep 0.6; echo "${token.slice(20)} now"`,
    );
    expect(pieces[0]?.text).toBe('cloning with ');
    expect(text).toBe('cloning with [REDACTED] now\n');
  });

  test('is told again of a line that was written over', async () => {
    const { text, result } = await told('printf "10 of 20 "; sleep 0.6; printf "\\r20 of 20 \\ndone\\n"');
    expect(text).toBe('10 of 20 \n20 of 20 \ndone\n');
    expect(result.stdout).toBe('20 of 20 \ndone\n');
  });
});
