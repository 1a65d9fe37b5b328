/** Real programs, each driven for a while as an agent would. */
import { describe, expect, it } from 'vitest';
import type { AGTerm } from '../../ts/index.js';
import { agterms, BASH, PROMPT } from '../support/agterms.js';
import { isInstalled, isRequired } from '../support/programs.js';

const { make } = agterms();

/** Sends each line and expects its answer; all end with a marker that was confirmed. */
async function converse(terminal: AGTerm, lines: readonly (readonly [string, string | RegExp])[]): Promise<void> {
  for (const [line, answer] of lines) {
    const text = await terminal.sendAndReadUntilReady(line);
    expect({ line, reason: terminal.lastRead?.reason }).toEqual({ line, reason: 'marker' });
    expect(terminal.lastRead?.confirmed).toBe(true);
    if (typeof answer === 'string') expect(text).toBe(answer);
    else expect(text).toMatch(answer);
  }
}

/** Its last line ends the program. */
async function leave(terminal: AGTerm, line: string): Promise<void> {
  await terminal.sendAndReadUntilReady(line);
  expect(terminal.lastRead?.reason).toBe('exited');
  expect(terminal.isAlive()).toBe(false);
}

describe.each(['gdb', 'sqlite3'].filter(isRequired))('%s', (name) => {
  it('is there, as its variable says', () => {
    expect(isInstalled(name)).toBe(true);
  });
});

it.each([
  ['plain', PROMPT],
  ['coloured', `\\[\\e[1;32m\\]${PROMPT}\\[\\e[0m\\]`],
])('bash with a %s prompt', async (_name, PS1) => {
  const terminal = make(BASH, { readyMarkers: [PROMPT], env: { set: { PS1 } } });
  expect(await terminal.readUntilReady()).toBe(PROMPT);
  await converse(terminal, [
    ['cd /usr; X=5', PROMPT],
    ['pwd; echo $X', `/usr\n5\n${PROMPT}`],
    ['f() { echo "in f: $1"; }', PROMPT],
    ['f a', `in f: a\n${PROMPT}`],
    ['cat <<< "a b" | tr a-z A-Z', `A B\n${PROMPT}`],
    ['for i in 1 2 3; do echo $i; sleep 0.05; done', `1\n2\n3\n${PROMPT}`],
    ['false; echo $?', `1\n${PROMPT}`],
  ]);
  await leave(terminal, 'exit 3');
});

it('a quiet bash', async () => {
  const terminal = make(BASH, { interactive: false, env: { set: { PS1: PROMPT } } });
  expect(await terminal.readUntilReady()).toBe(PROMPT);
  expect(await terminal.sendAndReadUntilReady('read -p "name? " name')).toBe('name? ');
  expect(await terminal.sendAndReadUntilReady('Ada')).toBe(PROMPT);
  expect(await terminal.sendAndReadUntilReady('sleep 0.3; echo "hello $name"')).toBe(`hello Ada\n${PROMPT}`);
  await leave(terminal, 'exit');
});

const python = isInstalled('python3');
describe.skipIf(!python)(python ? 'python3' : 'skipped: no python3', () => {
  it('takes lines, blocks and answers to its own questions', async () => {
    // One that a version manager stands before does not run without its own variables.
    const terminal = make('/usr/bin/env python3 -q', { readyMarkers: ['>>> ', '... '] });
    expect(await terminal.readUntilReady()).toBe('>>> ');
    await converse(terminal, [
      ['1 + 1', '2\n>>> '],
      ['import time', '>>> '],
      ['print(">>> fake"); time.sleep(0.3); print("real")', '>>> fake\nreal\n>>> '],
      ['def f():', '... '],
      ['  return 7', '... '],
      ['', '>>> '],
      ['f()', '7\n>>> '],
      ['1 / 0', /ZeroDivisionError: division by zero\n>>> $/],
    ]);
    expect(await terminal.sendAndReadUntilReady('input("name? ")')).toBe('name? ');
    expect(terminal.lastRead).toMatchObject({ reason: 'quiet', confirmed: true });
    await converse(terminal, [['Ada', "'Ada'\n>>> "]]);
    await leave(terminal, 'exit()');
  });
});

const sqlite = isInstalled('sqlite3');
describe.skipIf(!sqlite)(sqlite ? 'sqlite3' : 'skipped: no sqlite3', () => {
  it('takes statements of one line and of several', async () => {
    const terminal = make('sqlite3', { readyMarkers: ['sqlite> ', '   ...> '] });
    expect(await terminal.readUntilReady()).toMatch(/sqlite> $/);
    await converse(terminal, [
      ['create table t (a);', 'sqlite> '],
      ['insert into t values (1), (2);', 'sqlite> '],
      ['select a from', '   ...> '],
      ['t;', '1\n2\nsqlite> '],
      ['select * from missing;', /no such table: missing[\s\S]*sqlite> $/],
    ]);
    await leave(terminal, '.quit');
  });
});

it('node, which draws its lines itself', async () => {
  const terminal = make('node', { readyMarkers: ['> ', '... '] });
  expect(await terminal.readUntilReady()).toMatch(/> $/);
  await converse(terminal, [
    ['1 + 1', '2\n> '],
    ['const a = 3', 'undefined\n> '],
    ['a * 2', '6\n> '],
    ['function f() {', /^(\.\.\.|\|) $/],
    ['return 9 }', 'undefined\n> '],
    ['f()', '9\n> '],
  ]);
  await leave(terminal, '.exit');
});

const gdb = isInstalled('gdb');
describe.skipIf(!gdb)(gdb ? 'gdb' : 'skipped: no gdb', () => {
  it('stops a program at a breakpoint, and goes on', async () => {
    const terminal = make('gdb -q -nx /bin/true');
    expect(await terminal.readUntilReady()).toMatch(/\(gdb\) $/);
    await converse(terminal, [
      ['set confirm off', '(gdb) '],
      ['print 1 + 1', '$1 = 2\n(gdb) '],
      ['break _exit', /^Breakpoint 1 at 0x[0-9a-f]+\n\(gdb\) $/],
      ['run', /Breakpoint 1[\s\S]*\(gdb\) $/],
      ['print "(gdb) "', '$2 = "(gdb) "\n(gdb) '],
      ['info breakpoints', /breakpoint already hit 1 time[\s\S]*\(gdb\) $/],
      ['continue', /exited normally\]\n\n?\(gdb\) $/],
    ]);
    await leave(terminal, 'quit');
  });

  it('is not ready while its program works, and is again after Ctrl-C', async () => {
    const terminal = make('gdb -q -nx --args sleep 60');
    await terminal.readUntilReady();
    await terminal.sendAndReadUntilReady('set confirm off');
    const running = terminal.sendAndReadUntilReady('run');
    await expect.poll(() => terminal.getHistory()).toContain('Starting program');
    // It is stopped by Ctrl-C only once it runs.
    await expect
      .poll(
        async () => {
          await terminal.sendCtrlC();
          return terminal.getHistory();
        },
        { interval: 500 },
      )
      .toContain('SIGINT');
    expect(await running).toMatch(/SIGINT, Interrupt\.[\s\S]*\(gdb\) $/);
    expect(await terminal.sendAndReadUntilReady('kill')).toMatch(/\(gdb\) $/);
  });
});
