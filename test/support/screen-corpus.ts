/** Full-screen programs for tests, and the picture that tmux makes of the bytes that they write. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Session } from '../../ts/session/session.js';
import type { Sessions } from '../../ts/session/sessions.js';

export const COLUMNS = 80;
export const ROWS = 24;

/** A program, its arguments in a folder, and keys that do not end it. */
export interface Painter {
  readonly name: string;
  readonly args: (folder: string) => readonly string[];
  readonly keys: readonly string[];
}

const MOVES = ['up', 'down', 'left', 'right', 'page-up', 'page-down', 'home', 'end'];

export const PAINTERS: readonly Painter[] = [
  {
    name: 'vim',
    args: (folder) => ['-u', 'NONE', '-i', 'NONE', '-n', path.join(folder, 'text.txt')],
    keys: [
      ...MOVES,
      'j',
      'k',
      'w',
      'x',
      'J',
      'esc',
      'i a b esc',
      'o',
      'u',
      'G',
      'z z',
      'd d',
      'p',
      '0',
      '$',
      '~',
      'ctrl-f',
    ],
  },
  {
    name: 'less',
    args: (folder) => [path.join(folder, 'text.txt')],
    keys: ['j', 'k', 'f', 'b', 'g', 'G', 'd', 'u', 'right', 'left'],
  },
  {
    name: 'top',
    args: () => ['-d', '100'],
    keys: ['M', 'P', 'T', 'c', '1', 't', 'm', 'down', 'up', 'right', 'left', 'h esc'],
  },
  {
    name: 'tmux',
    args: (folder) => ['-f', '/dev/null', '-S', path.join(folder, 'tmux'), 'new-session', 'sh'],
    keys: ['l s enter', 'ctrl-b %', 'ctrl-b "', 'ctrl-b o', 'ctrl-b space', 'e c h o space x enter', 'ctrl-l'],
  },
  {
    name: 'nano',
    args: (folder) => ['--ignorercfiles', path.join(folder, 'text.txt')],
    keys: [...MOVES, 'a', 'enter', 'backspace', 'ctrl-k', 'ctrl-u', 'ctrl-y', 'ctrl-v', 'alt-a'],
  },
  {
    name: 'dialog',
    args: () => [
      '--checklist',
      'choose',
      '20',
      '60',
      '12',
      ...Array.from({ length: 20 }, (_, at) => [`tag${at}`, `item ${at}`, 'off']).flat(),
    ],
    keys: ['up', 'down', 'space', 'page-down', 'page-up', 'tab', 'home', 'end'],
  },
  { name: 'fzf', args: () => [], keys: ['up', 'down', '1', '2', 'backspace', 'tab', 'ctrl-u', 'left', 'right'] },
];

/** A terminal in between that keeps the bytes that a program writes: the programs need a terminal of their own. */
const RECORDER = `
import os, pty, sys, termios, tty, fcntl, struct, select
size = fcntl.ioctl(0, termios.TIOCGWINSZ, b'\\0' * 8)
pid, inner = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, size)
    os.execvp(sys.argv[2], sys.argv[2:])
fcntl.ioctl(inner, termios.TIOCSWINSZ, size)
tty.setraw(0)
log = open(sys.argv[1], 'wb', buffering=0)
while True:
    ready, _, _ = select.select([0, inner], [], [])
    if inner in ready:
        try: data = os.read(inner, 65536)
        except OSError: break
        if not data: break
        log.write(data)
        os.write(1, data)
    if 0 in ready:
        os.write(inner, os.read(0, 65536))
`;

/** Starts a program whose output is recorded in the file `log` of the folder. */
export async function paint(sessions: Sessions, { name, args }: Painter, folder: string): Promise<Session> {
  mkdirSync(folder, { recursive: true });
  const lines = Array.from({ length: 300 }, (_, at) => `line ${at} ${'wörd 界 '.repeat(at % 14)}`);
  writeFileSync(path.join(folder, 'text.txt'), lines.join('\n'));
  writeFileSync(path.join(folder, 'record.py'), RECORDER);
  const command = [path.join(folder, 'record.py'), path.join(folder, 'log'), name, ...args(folder)];
  const env = {
    set: {
      LC_ALL: 'C.UTF-8',
      // tmux gives the letters that stand for lines, and not the lines.
      NCURSES_NO_UTF8_ACS: '1',
      FZF_DEFAULT_COMMAND: 'seq 1 500',
      SHELL: '/bin/sh',
      PS1: '$ ',
    },
  };
  return await sessions.open('python3', { args: command, cols: COLUMNS, rows: ROWS, cwd: folder, env });
}

/** What tmux shows of the recorded bytes: its rows and the cursor. */
export function byTmux(folder: string): { readonly text: string; readonly row: number; readonly column: number } {
  const socket = path.join(folder, 'second');
  const done = path.join(folder, 'done');
  const show = path.join(folder, 'show.sh');
  writeFileSync(
    show,
    `stty raw -echo; cat '${path.join(folder, 'log')}'; printf '\\033[5n'; head -c 4 > '${done}'; sleep 60`,
  );
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-f', '/dev/null', '-S', socket, ...args], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8', TMUX: '' },
    });
  tmux(
    'new-session',
    '-d',
    '-x',
    String(COLUMNS),
    '-y',
    String(ROWS + 1),
    `sh '${show}'`,
    ';',
    'set',
    '-g',
    'status',
    'off',
    ';',
    'resize-window',
    '-x',
    String(COLUMNS),
    '-y',
    String(ROWS),
  );
  try {
    // Its answer to a question says that it has read everything before.
    const end = Date.now() + 20_000;
    while (!(existsSync(done) && readFileSync(done).length === 4)) {
      if (Date.now() > end) throw new Error('tmux has not read the recorded bytes');
      execFileSync('sleep', ['0.02']);
    }
    const [row = '', column = ''] = tmux('display-message', '-p', '#{cursor_y} #{cursor_x}').trim().split(' ');
    const text = tmux('capture-pane', '-p')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd();
    return { text, row: Number(row) + 1, column: Math.min(Number(column) + 1, COLUMNS) };
  } finally {
    tmux('kill-server');
  }
}
