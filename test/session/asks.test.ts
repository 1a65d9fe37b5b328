/** Who gets the answers of the terminal: the program that asks, and nobody who shows a file with a question. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../ts/session/session.js';
import { folderPerTest } from '../support/folder.js';
import { live } from '../support/live.js';
import { soakSize } from '../support/soak.js';

const { bash } = live();
const folder = folderPerTest();

const ROUNDS = soakSize(20, 6);
const QUESTIONS = '\u001B[c\u001B[6n\u001B]11;?\u0007';

/** Shows the file again and again, and sends a line after each time. Gives the answers to these lines. */
async function answersAfter(session: Session, show: string, line: string): Promise<string[]> {
  const answers: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await session.send(show);
    answers.push((await session.send(line)).text.split('\n')[0] ?? '');
  }
  return answers;
}

describe('an answer of the terminal', () => {
  it('goes to a program that was started for it and waits, in its order', async () => {
    const file = path.join(folder(), 'ask.py');
    const ask = `os.write(1, b'\\x1b[c\\x1b[5n'); time.sleep(0.2); answer = b''\nwhile not answer.endswith(b'n'): answer += os.read(0, 99)`;
    writeFileSync(file, `import os, time, tty\ntty.setcbreak(0)\n${ask}\nprint('got', repr(answer))\n`);
    const session = await bash();
    for (let round = 0; round < 3; round += 1) {
      const { text } = await session.send(`python3 ${file}`, { until: { text: 'got' }, timeoutMs: 20_000 });
      expect(text).toContain(String.raw`got b'\x1b[?62;22c\x1b[0n'`);
      await session.read();
    }
  });

  it.each([
    ['bash', undefined],
    ['a nested bash', 'bash --norc -i'],
  ])('is typed into no file that %s shows, also not on the alternate screen', async (_, nested) => {
    const session = await bash();
    if (nested !== undefined) await session.send(nested, { until: 'quiet' });
    for (const enter of ['', '\u001B[?1049h']) {
      const file = path.join(folder(), 'questions.txt');
      writeFileSync(file, `a${enter}${QUESTIONS}b\n`);
      const all = Array.from({ length: ROUNDS }, () => 'next');
      expect(await answersAfter(session, `cat ${file}; printf '\\033[?1049l'`, 'echo next')).toEqual(all);
    }
  });

  it('is typed into no file that a nested python shows', async () => {
    const file = path.join(folder(), 'questions.txt');
    writeFileSync(file, `a${QUESTIONS}b\n`);
    const session = await bash();
    await session.send('python3 -q', { until: { text: '>>> ' }, timeoutMs: 20_000 });
    const all = Array.from({ length: ROUNDS }, () => 'next');
    expect(await answersAfter(session, `print(open('${file}').read())`, 'print("next")')).toEqual(all);
  });
});
