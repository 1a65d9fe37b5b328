/** Recordings of sessions: what is in them, played through tmux as well, what is not, and what a failure costs. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { AGTerm } from '../../ts/index.js';
import { toolkits } from '../support/toolkits.js';

const { make, workspace } = toolkits();
const folder = mkdtempSync(path.join(tmpdir(), 'handrail-recordings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => void vi.restoreAllMocks());

const BASH = { args: ['--norc', '--noprofile'], env: { set: { PS1: '$ ' } } } as const;

let count = 0;
const cast = (): string => {
  count += 1;
  return path.join(folder, `${count}.cast`);
};

/** The header and the events of a recording. */
function played(file: string) {
  const [header = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line) as [time: number, kind: string, text: string]);
  const texts = events.filter(([, kind]) => kind === 'o').map(([, , text]) => text);
  return { header: JSON.parse(header) as Record<string, unknown>, events, text: texts.join('') };
}

/** What tmux shows of these bytes. */
function shownByTmux(text: string, cols: number, rows: number): string {
  const bytes = path.join(folder, 'bytes');
  writeFileSync(bytes, text);
  const socket = path.join(folder, 'tmux');
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  tmux(
    'new-session',
    '-d',
    '-x',
    `${cols}`,
    '-y',
    `${rows}`,
    `stty raw -echo; cat ${bytes}; touch ${bytes}.done; sleep 60`,
  );
  try {
    const deadline = Date.now() + 60_000;
    while (!existsSync(`${bytes}.done`) && Date.now() < deadline) execFileSync('sleep', ['0.05']);
    execFileSync('sleep', ['0.1']);
    return tmux('capture-pane', '-p').trimEnd();
  } finally {
    rmSync(`${bytes}.done`, { force: true });
    tmux('kill-server');
  }
}

/** The messages of process warnings of ours from now on; none is printed. */
function warnings(): string[] {
  const messages: string[] = [];
  vi.spyOn(process, 'emitWarning').mockImplementation((message, options) => {
    expect(options).toEqual({ type: 'HandrailWarning', code: 'HANDRAIL_RECORD' });
    messages.push(String(message));
  });
  return messages;
}

describe('a recording', () => {
  it('has what the terminal showed, masked, with sizes, and nothing that was typed', async () => {
    const toolkit = await make({});
    const file = cast();
    const session = await toolkit.sessions.open('bash', { ...BASH, cols: 60, rows: 20, record: file });
    await session.read();
    await session.send('echo one; printf "10%%\\r"; sleep 0.3; echo 20%');
    session.resize(70, 22);
    await session.send('printf "pass"; sleep 0.3; echo "word=hunter2-hunter2"; read -rs word');
    await session.send('typed-and-not-shown');
    await session.send('echo last');
    const { text: history } = session.history();
    const screen = session.screen().text;
    await session.close();
    const { header, events, text } = played(file);
    expect(header).toMatchObject({ version: 2, width: 60, height: 20, env: { TERM: 'xterm-256color' } });
    expect(header['timestamp']).toBeGreaterThan(1_700_000_000);
    expect(events.map(([time]) => time)).toEqual(events.map(([time]) => time).toSorted((one, other) => one - other));
    expect(events.filter(([, kind]) => kind === 'r').map(([, , size]) => size)).toEqual(['70x22']);
    expect(text).toContain('password=[REDACTED]');
    expect(readFileSync(file, 'utf8')).not.toMatch(/hunter2|typed-and-not-shown/);
    expect(shownByTmux(text, 70, 22)).toBe(screen);
    expect(history.replaceAll(/ +$/gm, '')).toBe(screen);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('has the pictures of full-screen programs, and the lines after them', async () => {
    const toolkit = await make({});
    const file = cast();
    const paint =
      'printf "\\033[?1049h\\033[H\\033[2J\\033[2;14Hhunter2-hunter2\\033[2;3Htheir-password=\\033[5;1Hdone"';
    const session = await toolkit.sessions.open('bash', { ...BASH, cols: 60, rows: 20, record: file });
    await session.read();
    await session.send(`${paint.replace('2;14H', '2;18H')}; read word`);
    const { text: picture } = session.screen();
    expect(picture).toBe('\n  their-password=[REDACTED]\n\n\ndone');
    await expect.poll(() => played(file).text).toContain('done');
    expect(shownByTmux(played(file).text, 60, 20)).toBe(picture);
    await session.send('');
    await session.send('printf "\\033[?1049l"; echo after');
    await session.close();
    expect(shownByTmux(played(file).text, 60, 20)).toMatch(/after\n\$$/);
    expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
  });

  it('masks what a person answered to a question', async () => {
    const toolkit = await make({});
    toolkit.on('question', ({ id, session }) => session.sendSecret(id, 'tulip-garden-9x'));
    const file = cast();
    const session = await toolkit.sessions.open('bash', { ...BASH, record: file });
    await session.read();
    await session.send('read -rsp "Password: " word; echo "got $word"');
    await session.read();
    await session.close();
    expect(played(file).text).toContain('got [REDACTED]');
    expect(readFileSync(file, 'utf8')).not.toContain('tulip');
  });

  it('goes on after a reset of AGTerm, and is whole when it is closed', async () => {
    const file = cast();
    const term = new AGTerm('bash', { ...BASH, readyMarkers: ['$ '], record: { file, maxBytes: 100_000 } });
    await term.readUntilReady();
    await term.sendAndReadUntilReady('echo first');
    await term.reset();
    await term.readUntilReady();
    await term.sendAndReadUntilReady('echo second');
    await term.close();
    expect(played(file).text).toMatch(/first\r\n\$ [\s\S]*second\r\n\$ $/);
  });
});

describe('the file', () => {
  it('is a new one outside of the roots, and no link', async () => {
    const toolkit = await make({});
    const other = path.join(folder, 'other');
    writeFileSync(other, 'kept');
    const names = {
      link: path.join(folder, 'link'),
      second: path.join(folder, 'second'),
      gone: path.join(folder, 'gone'),
    };
    symlinkSync(other, names.link);
    linkSync(other, names.second);
    symlinkSync(path.join(folder, 'nowhere'), names.gone);
    mkdirSync(path.join(folder, 'directory'));
    symlinkSync(workspace, path.join(folder, 'inside'));
    const refused: [file: unknown, message: string][] = [
      [other, 'cannot be written (EEXIST)'],
      [names.link, 'EEXIST'],
      [names.second, 'EEXIST'],
      [names.gone, 'EEXIST'],
      [path.join(folder, 'directory'), 'EEXIST'],
      ['/dev/null', 'EEXIST'],
      [path.join(folder, 'no-folder', 'x'), 'ENOENT'],
      [path.join(workspace, 'x.cast'), 'lies where the tools write'],
      [path.join(folder, 'inside', 'x.cast'), 'lies where the tools write'],
      ['', 'record'],
      [7, 'record'],
      [{ file: cast(), maxBytes: 1 }, 'maxBytes'],
      [{ file: cast(), size: 1 }, 'size'],
    ];
    for (const [record, message] of refused) {
      const opening = toolkit.sessions.open('bash', { ...BASH, record: record as string });
      await expect(opening).rejects.toMatchObject({
        code: 'ERR_INVALID_ARGUMENT',
        message: expect.stringContaining(message),
      });
    }
    expect(readFileSync(other, 'utf8')).toBe('kept');
    expect(existsSync(path.join(folder, 'nowhere'))).toBe(false);
    // A program that cannot be started leaves no file.
    const file = cast();
    await expect(toolkit.sessions.open('no-such-program', { record: file })).rejects.toThrow();
    expect(existsSync(file)).toBe(false);
  });

  it('is bounded, and the session goes on', async () => {
    const told = warnings();
    const toolkit = await make({});
    const file = cast();
    const session = await toolkit.sessions.open('bash', { ...BASH, record: { file, maxBytes: 4_096 } });
    await session.read();
    await session.send('seq 1 3000');
    expect((await session.send('echo on')).text).toBe('on\n$ ');
    await session.close();
    expect(statSync(file).size).toBeLessThanOrEqual(4_096);
    expect(played(file).events.at(-1)?.slice(1)).toEqual(['m', 'the recording has met its limit of 4096 bytes']);
    expect(told).toEqual(['A recording has ended: the recording has met its limit of 4096 bytes']);
  });

  it('that cannot be written to any more is told, and costs the recording alone', () => {
    const script = 'ulimit -f 8; trap "" XFSZ; exec "$@"';
    // The limit holds for the process that writes, so that process is another one.
    const code = `
      import { createToolkit } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
      process.on('warning', ({ code, message }) => console.log(code, message));
      const toolkit = await createToolkit({ workspace: ${JSON.stringify(workspace)} });
      const session = await toolkit.sessions.open('bash', { args: ['--norc'], env: { set: { PS1: '$ ' } }, record: ${JSON.stringify(cast())} });
      await session.read();
      await session.send('seq 1 3000');
      console.log(JSON.stringify((await session.send('echo on')).text));
      await toolkit.close();`;
    const node = [process.execPath, '--no-warnings', '--input-type=module', '-e', code];
    const output = execFileSync('bash', ['-c', script, 'bash', ...node], { encoding: 'utf8' });
    expect(output).toMatch(/^HANDRAIL_RECORD A recording failed: EFBIG/m);
    expect(output).toMatch(/^"on\\n\$ "$/m);
  });
});
