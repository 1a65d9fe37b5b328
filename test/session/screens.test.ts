/** Full-screen programs, read as the picture that they paint. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { folderPerTest } from '../support/folder.js';
import { live, PROMPT } from '../support/live.js';

const { host, bash } = live();
const folder = folderPerTest();

/** Paints a secret before its label, in two pieces, on the alternate screen. */
const PAINTED = String.raw`printf '\033[?1049h\033[H\033[2J\033[4;10HZq8\033[4;13Hhunter2\033[4;1Hpassword='`;

describe('the screen of a session', () => {
  it('is in the answer while a program paints, and masked as one text', async () => {
    const session = await bash({ cols: 80, rows: 24 });
    const before = session.history().end;
    const { screen, text } = await session.send(`${PAINTED}; read`, { until: 'quiet' });
    expect({ text, screen }).toEqual({
      text: '',
      screen: {
        text: '\n\n\npassword=[REDACTED]',
        cursor: { row: 4, column: 10, visible: true },
        ...{ fullScreen: true, redactions: 1 },
      },
    });
    expect(session.screen()).toEqual(screen);
    await session.write('\n');
    const after = await session.send(String.raw`printf '\033[?1049l'; echo over`);
    expect(after).toMatchObject({ text: `over\n${PROMPT}`, reason: 'marker' });
    expect(after).not.toHaveProperty('screen');
    // bash has said that the command which painted is over: the picture that it left has become text.
    expect(session.history(before).text).toContain('password=[REDACTED]');
    expect(session.history(before).text).not.toMatch(/Zq8|hunter2/);
  });

  it('is the end of the output where the program writes lines', async () => {
    const session = await bash({ cols: 80, rows: 4 });
    await session.send('seq 100');
    expect(session.screen()).toEqual({
      text: `98\n99\n100\n${PROMPT.trimEnd()}`,
      cursor: { row: 4, column: PROMPT.length + 1, visible: true },
      ...{ fullScreen: false, redactions: 0 },
    });
  });

  it('ends with the command whose program is killed, and with the program in a nested shell', async () => {
    const paint = String.raw`printf "\033[?1049h\033[Hmenu\n"; sleep 0.3; kill -9 $$`;
    const session = await bash();
    for (const nested of [false, true]) {
      if (nested) await session.send('bash --norc -i', { until: 'quiet' });
      const killed = await session.send(`sh -c '${paint}'`, { until: { text: 'Killed' } });
      expect(killed.text).toContain('menu\n');
      await session.read();
      const after = await session.send('seq 1 300');
      expect(after).not.toHaveProperty('screen');
      expect(after.text.split('\n').slice(0, 300)).toEqual(Array.from({ length: 300 }, (_, at) => `${at + 1}`));
    }
  });

  it('survives any bytes', async () => {
    const session = await bash({ cols: 80, rows: 24 });
    const noise = String.raw`printf '\033[?1049h'; head -c 300000 /dev/urandom; printf '\033c\033[?1049l\033c'`;
    await session.send(`${noise}; echo alive`, { until: { text: 'alive' } });
    expect((await session.send('echo over')).text).toContain('over');
  });

  it('has the new size of the terminal', async () => {
    const file = path.join(folder(), 'long.txt');
    writeFileSync(file, Array.from({ length: 200 }, (_, line) => `line ${line}`).join('\n'));
    const session = await host().sessions.open('less', { args: [file], cols: 60, rows: 10 });
    const small = await session.read({ until: { text: 'line 8' } });
    expect(small.screen?.text.split('\n')).toHaveLength(10);
    session.resize(60, 20);
    // The program waits for input until it is told of the new size, so that a read before that ends with what there is.
    await vi.waitFor(
      async () => {
        await session.read({ until: { text: 'line 18' } });
        expect(session.screen().text.split('\n')).toHaveLength(20);
        expect(session.screen().text).toContain('line 18');
      },
      { timeout: 20_000 },
    );
  });
});
