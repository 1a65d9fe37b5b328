import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolkits } from '../support/toolkits.js';

const { workspace, make } = toolkits();

/** A judged bash in a workspace with a file; `cat`, `echo` and `ls` are listed, `touch` is not. */
async function shell(cwd?: string) {
  const toolkit = await make({ terminal: { allow: ['bash', 'cat', 'echo', 'ls'] } });
  await toolkit.execute('session_start', { command: 'bash', ...(cwd === undefined ? {} : { cwd }) });
  const send = async (input: string) => await toolkit.execute('session_send', { session: 's1', input });
  return { toolkit, send };
}

const made = (name: string): boolean => existsSync(path.join(workspace, name));

describe('keys in a judged bash', () => {
  const press = async (toolkit: Awaited<ReturnType<typeof make>>, key: string) =>
    await toolkit.execute('session_send', { session: 's1', key, until: { quiet_ms: 50 } });

  it('go to a full-screen program that it started', async () => {
    writeFileSync(path.join(workspace, 'long'), Array.from({ length: 200 }, (_, line) => `line ${line}`).join('\n'));
    const toolkit = await make({ terminal: { allow: ['bash', 'less', 'echo'] } });
    await toolkit.execute('session_start', { command: 'bash' });
    // The answer is over when the program waits for a key, which it does only after it has painted.
    const first = await toolkit.execute('session_send', { session: 's1', input: 'less long' });
    expect(first.content).toMatch(/^line 0\n[\s\S]*\n\[the screen of s1; cursor: row 50, /);
    expect((await press(toolkit, 'G')).content).toContain('line 199\n');
    expect((await toolkit.execute('session_screen', { session: 's1' })).content).toContain('line 199\n');
    await press(toolkit, 'q');
    expect((await toolkit.execute('session_send', { session: 's1', input: 'echo over' })).content).toMatch(/^over\n/);
  });

  it('are refused where the shell would read them, now or later', async () => {
    const toolkit = await make({ terminal: { allow: ['bash', 'sleep', 'stty', 'echo', 'printf', 'less'] } });
    await toolkit.execute('session_start', { command: 'bash' });
    const typed = 'e c h o space x > by-keys enter';
    for (const input of [
      'echo ready',
      String.raw`printf '\033[?1049h\033[H'`,
      'sleep 3',
      'stty -icanon',
      'stty -icanon; sleep 3',
    ]) {
      await toolkit.execute('session_send', { session: 's1', input, timeout_ms: 300 });
      for (const key of [typed, 'x', 'esc', 'ctrl-v', 'up']) {
        expect(await press(toolkit, key), `${input}: ${key}`).toMatchObject({ isError: true });
      }
      await press(toolkit, 'ctrl-c');
    }
    expect(made('by-keys')).toBe(false);
  });
});

describe('what is typed into a judged bash is what it runs', () => {
  it('no history is expanded', async () => {
    const { send } = await shell();
    await send("echo '$(touch by-history)'");
    expect((await send('echo "!!"')).content).toMatch(/^!!\n/);
    await send("cat << 'E' !nothing\ntouch by-history\nE");
    expect(made('by-history')).toBe(false);
  });

  it('a tab completes nothing and arrives as it is', async () => {
    const { send } = await shell();
    expect((await send('ec\tho')).isError).toBe(true);
    expect((await send("cat << 'E'\na\tb\nE")).content).toContain('a\tb');
    expect(made('by-tab')).toBe(false);
  });

  it.each(['\u001b', '\u0015', '\u0016', '\u007f', '\r', '\u0004'])('the control %j is refused', async (control) => {
    const { send } = await shell();
    const { isError, data } = await send(`echo a${control}touch by-control`);
    expect([isError, data]).toMatchObject([true, { kind: 'session', output: { reason: 'denied' } }]);
    expect(made('by-control')).toBe(false);
  });

  it('a redirection is judged where the shell works, also after what is still at work', async () => {
    mkdirSync(path.join(workspace, '.git'), { recursive: true });
    mkdirSync(path.join(workspace, 'sub'), { recursive: true });
    writeFileSync(path.join(workspace, 'sub/data'), '');
    for (const start of [undefined, '.git']) {
      const { toolkit, send } = await shell(start);
      if (start === undefined) {
        const toGit = { session: 's1', input: 'cd .git && cat', timeout_ms: 20_000 };
        await toolkit.execute('session_send', toGit);
        await toolkit.execute('session_send', { session: 's1', key: 'ctrl-d' });
      }
      const refused = await send('echo x > config');
      expect(refused.content).toContain('git.metadata');
    }
    expect(made('.git/config')).toBe(false);
    const { send } = await shell('sub');
    expect((await send('echo fine > data && cat data')).content).toMatch(/^fine\n/);
  });

  it('a host that writes to it by hand writes whole lines, to a shell that is ready', async () => {
    const { toolkit, send } = await shell();
    const [session] = toolkit.sessions.list();
    for (const part of ['tou', 'ch by-parts\n']) {
      await expect(session?.write(part)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    }
    await session?.write('cat\n');
    // What it does now, and where, is not known.
    await expect(session?.write('echo x\n')).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    await toolkit.execute('session_send', { session: 's1', key: 'ctrl-d' });
    // The prompt after cat may come late, and is in the answer then.
    expect((await send('echo fine')).content).toMatch(/(?:^|[$#] )fine\n/);
    expect(made('by-parts')).toBe(false);
  });

  it('a line is not typed while a program that it started reads, and the advice works', async () => {
    const { toolkit, send } = await shell();
    await send('cat');
    const { content, isError } = await send('echo eaten');
    expect({ content, isError }).toMatchObject({ isError: true, content: expect.stringContaining('ctrl-d') as string });
    const [session] = toolkit.sessions.list();
    await expect(session?.write('echo eaten\n')).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    await toolkit.execute('session_send', { session: 's1', key: 'ctrl-d' });
    expect((await send("echo 'its input' | cat")).content).toContain('its input\n');
    expect((await send('cat <missing; echo next')).content).toContain('next\n');
    expect(session?.history().text).not.toContain('eaten');
  });

  it('several lines are sent where nothing can read the later ones', async () => {
    const { send } = await shell();
    expect((await send('cat\necho eaten')).content).toMatch(/^denied: .*\(session\.input\)\nhint: .*`<\/dev\/null`/);
    for (const input of ['cat </dev/null\necho b', 'cat </dev/null; echo b', 'echo a\necho b']) {
      expect((await send(input)).content, input).toContain('b\n');
    }
  });

  it('a read takes one line, and never the first of several', async () => {
    const { send } = await shell();
    await send('read -r x');
    const { content, isError } = await send("cat <<'E'\necho eaten\nE");
    expect({ content, isError }).toMatchObject({
      isError: true,
      content: expect.stringContaining('such as `:`') as string,
    });
    await send(':');
    expect((await send("cat <<'E'\necho whole\nE")).content).toContain('echo whole\n');
    expect((await send('echo "took $x"')).content).toContain('took :\n');
  });

  it('the terminal neither erases nor replaces what is typed, whatever a program left there', async () => {
    for (const judged of [false, true]) {
      const toolkit = await make({ terminal: { allow: ['bash', 'stty', 'echo'], sandbox: 'off' } });
      if (judged) await toolkit.execute('session_start', { command: 'bash' });
      else await toolkit.sessions.open('bash', { args: ['--noediting', '+H'] });
      const [session] = toolkit.sessions.list();
      await session?.read();
      await session?.send('stty istrip erase @');
      const echoed = (await session?.send("echo 'a@b§' # '"))?.text;
      // With these modes @ erases the a, and § becomes B and the end of the quote.
      if (judged) expect(echoed).toMatch(/^a@b§\n/);
      else expect(echoed).not.toContain('a@b');
      await toolkit.close();
    }
  });

  it('a variable that runs code in an interactive shell is refused', async () => {
    const { send } = await shell();
    expect((await send("MAILPATH='a?$(touch by-mail)'")).isError).toBe(true);
  });
});
