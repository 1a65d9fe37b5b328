/** A command asks for something and waits: `onOutput` is told, and of no part of a secret. */
import { afterEach, describe, expect, test } from 'vitest';
import { Redactor, Terminal, type TerminalOptions } from '../../ts/index.js';
import { gate } from '../support/gate.js';

const open: Terminal[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((terminal) => terminal.close()));
});

/** The pieces of a script's output, and its result. What is behind `WAIT` happens once there was a piece. */
async function told(script: string, options: TerminalOptions = {}) {
  const terminal = new Terminal({ allow: ['bash', 'printf', 'sleep'], trustInterpreters: ['bash'], ...options });
  open.push(terminal);
  const { wait, open: go } = gate();
  const pieces: string[] = [];
  const result = await terminal.run(['bash', '-c', script.replace('WAIT', `${wait}; sleep 0.3`)], {
    onOutput: ({ text }) => {
      pieces.push(text);
      go();
    },
  });
  return { pieces, text: pieces.join(''), result };
}

describe('while nothing comes, onOutput', () => {
  test('is told of a prompt, and the answer is masked', async () => {
    const { pieces, text, result } = await told('printf "Password: "; WAIT; echo hunter2; echo done');
    expect(pieces[0]).toBe('Password: ');
    expect(text).toBe('Password: [REDACTED]\ndone\n');
    expect(result.stdout).toBe(text);
  });

  test('is told of no part of a secret that pauses in its middle', async () => {
    const token = 'ghp_a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pg7Kq2Z';
    const { pieces, text } = await told(
      `printf "cloning with ${token.slice(0, 20)}"; WAIT; echo "${token.slice(20)} now"`,
    );
    expect(pieces[0]).toBe('cloning with ');
    expect(text).toBe('cloning with [REDACTED] now\n');
  });

  test('is told of a line that ends with a known secret, and of a last word, as soon as nothing comes', async () => {
    const secret = ['correct', 'horse', 'battery'].join('-');
    const { pieces, text, result } = await told(`echo "is ${secret}"; WAIT; printf "ready"; sleep 0.3; echo " now"`, {
      redactor: new Redactor({ secrets: { KNOWN: secret } }),
    });
    expect(pieces).toEqual(['is [REDACTED]\n', 'ready', ' now\n']);
    expect(result.stdout).toBe(text);
  });

  test('is told again of a line that was written over', async () => {
    const { text, result } = await told('printf "10 of 20 "; WAIT; printf "\\r20 of 20 \\ndone\\n"');
    expect(text).toBe('10 of 20 \n20 of 20 \ndone\n');
    expect(result.stdout).toBe('20 of 20 \ndone\n');
  });
});
