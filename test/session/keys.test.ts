/** Keys, pasted text, and the answers of the terminal to the questions of programs. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { keysOf } from '../../ts/session/keys.js';
import { folderPerTest } from '../support/folder.js';
import { live, PROMPT } from '../support/live.js';

const { host, bash } = live();
const folder = folderPerTest();

/** Shows the next three bytes that come. */
const READ_THREE = 'head -c 3 | od -An -c';

/** Questions: which terminal, which version, whether it works, where the cursor is, and the background. */
const QUESTIONS = String.raw`\033[c\033[>c\033[5n\033[6n\033]11;?\033\\`;

describe('keys', () => {
  it.each([
    ['up', '\u001b[A', '\u001bOA'],
    ['home', '\u001b[H', '\u001bOH'],
    ['ctrl-x m', '\u0018m', '\u0018m'],
    ['esc : q enter', '\u001b:q\r', '\u001b:q\r'],
    ['alt-f shift-tab f5 ctrl-[ é', '\u001bf\u001b[Z\u001b[15~\u001bé', '\u001bf\u001b[Z\u001b[15~\u001bé'],
  ])('%s', (names, plain, application) => {
    expect([keysOf(names, false).bytes, keysOf(names, true).bytes]).toEqual([plain, application]);
  });

  it.each(['', 'f13', 'ctrl-', 'ctrl-1', 'alt-', 'constructor', 'ab', '\u001b', 'a '.repeat(65), 7])(
    '%j is none',
    (names) => {
      expect(() => keysOf(names, false)).toThrow(/Expected `key` to be /);
    },
  );

  it('have the form that the program asked for', async () => {
    const session = await bash();
    await session.send(`stty -icanon -echo; printf '\\033[?1h'; echo read$((1)); ${READ_THREE}`, {
      until: { text: 'read1' },
    });
    await session.press('up');
    expect(await session.read({ until: { text: 'O   A' } })).toMatchObject({ reason: 'matched' });
  });
});

describe('pasted text', () => {
  it('is marked where the program asked for it, and as it is elsewhere', async () => {
    const session = await host().sessions.open('bash', {
      args: [
        '-c',
        `stty -icanon -echo; printf '\\033[?2004hready'; head -c 16 | od -An -c; printf '\\033[?2004lplain'; head -c 4`,
      ],
    });
    await session.read({ until: { text: 'ready' } });
    await session.paste('a\nbc');
    const marked = await session.read({ until: { text: 'plain' } });
    expect(marked.text.replaceAll(/\s+/g, ' ')).toContain('033 [ 2 0 0 ~ a \\n b c 033 [ 2 0 1 ~');
    await session.paste('a\nbc');
    expect((await session.read()).text).toContain('a\nbc');
  });

  it('cannot end the paste', async () => {
    const session = await bash();
    await expect(session.paste('a\u001b[201~b')).rejects.toThrow(/without ESC/);
  });
});

describe('questions to the terminal', () => {
  it('are answered to the program that has left line editing', async () => {
    const session = await host().sessions.open('bash', {
      args: ['-c', `stty -icanon -echo min 20; printf '${QUESTIONS}'; head -c 46 | od -An -c`],
      ...{ cols: 80, rows: 24 },
    });
    const { text } = await session.read({ until: { text: '0   c' } });
    const bytes = text.replaceAll(/\s+/g, ' ').replaceAll(' ', '').replaceAll('033', '^');
    expect(bytes).toContain('^[?62;22c^[>1;10;0c^[0n^[24;1R');
  });

  it('in a file type nothing into the shell that shows the file', async () => {
    const file = path.join(folder(), 'log');
    const questions = QUESTIONS.replaceAll(String.raw`\033`, '\u001b').replaceAll('\\\\', '\\');
    writeFileSync(file, `before\n${questions.repeat(20)}\nafter\n`);
    // One shell has a line editor, which leaves line editing as soon as the command is over; the other has none.
    for (const command of ['bash --norc --noprofile', 'bash --norc --noprofile --noediting']) {
      const session = await host().sessions.open(command, { readyMarkers: [PROMPT], env: { set: { PS1: PROMPT } } });
      await session.read();
      for (let count = 0; count < 10; count += 1) {
        expect((await session.send(`cat '${file}'`)).text).toBe(`before\n\nafter\n${PROMPT}`);
        expect((await session.send('echo clean')).text).toBe(`clean\n${PROMPT}`);
      }
    }
  });
});
