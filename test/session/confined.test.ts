/** What the kernel holds sessions to: each attack works without the plan. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConfineOptions, SessionOptions } from '../../ts/index.js';
import type { Toolkit } from '../../ts/toolkit.js';
import type { ToolkitOptions } from '../../ts/tools/toolkit-options.js';
import { listeners } from '../support/listener.js';
import { outside } from '../support/outside.js';
import { isInstalled } from '../support/programs.js';
import { toolkits } from '../support/toolkits.js';

const { make, audited, workspace } = toolkits();

const beyond = outside();
const listen = listeners();

/** How far each goes depends on the machine. */
const HELD = expect.arrayContaining([expect.stringMatching(/^writes: /), expect.stringMatching(/^exec: /)]);

/** Says 42 where a shell or a program has run. */
const PROOF = '/bin/expr 40 + 2';

/** Programs that start others when they are told to, with the line that tells them and one that is their work. */
const ESCAPES = [
  ['gdb', 'gdb -q -nx', `shell ${PROOF}`, 'print 1000 + 1'],
  ['sqlite3', 'sqlite3', `.shell ${PROOF}`, 'select 1000 + 1;'],
  ['less', 'less numbers', `!${PROOF}`, '/^1001$'],
].filter(([program = '']) => isInstalled(program)) as [string, string, string, string][];

const REPLS = [
  ['node', 'node', '1000 + 1', /^1001\n/],
  ['python3', '/usr/bin/env python3 -q', '1000 + 1', /^1001\n/],
  ['sqlite3', 'sqlite3 own.db', 'create table t (a); insert into t values (1001); select a from t;', /^1001\n/],
  ['gdb', 'gdb -q -nx /bin/true -ex "set confirm off"', 'run', /exited normally/],
].filter(([program]) => isInstalled(program as string)) as [string, string, string, RegExp][];

const NODE = `require('node:child_process').execFileSync('/bin/expr', ['40', '+', '2']).toString().trim() + '!'`;

/** What a session that a model starts answers to a line. */
async function answer(toolkit: Toolkit, command: string, input: string): Promise<string> {
  const start = await toolkit.execute('session_start', { command });
  expect(start).toMatchObject({ isError: false });
  const { content } = await toolkit.execute('session_send', { session: 's1', input });
  return content;
}

const listing = (program: string, confine?: ConfineOptions): Partial<ToolkitOptions> => ({
  terminal: { allow: [program], ...(confine === undefined ? {} : { confine }) },
});

describe('a session that a model starts', () => {
  it.each(ESCAPES)('of %s starts no program that is not listed', async (program, command, line, work) => {
    writeFileSync(path.join(workspace, 'numbers'), '1\n1001\n');
    const free = await make(listing(program, { exec: 'any' }));
    expect(await answer(free, command, line)).toMatch(/\b42\b/);
    const held = await make(listing(program));
    expect(await answer(held, command, line)).not.toMatch(/\b42\b/);
    if (program === 'less') await held.execute('session_send', { session: 's1', key: 'enter' });
    expect((await held.execute('session_send', { session: 's1', input: work })).content).toContain('1001');
  });

  it('of a trusted interpreter starts what it likes, unless the host says otherwise', async () => {
    const trusting = { allow: ['node'], trustInterpreters: ['node'] };
    expect(await answer(await make({ terminal: trusting }), 'node', NODE)).toContain("'42!'");
    const held = await make({ terminal: { ...trusting, confine: { exec: 'listed' } } });
    expect(await answer(held, 'node', NODE)).toMatch(/EACCES|EPERM/);
  });

  it('writes beneath the roots alone', async () => {
    const trusting = { allow: ['node'], trustInterpreters: ['node'] };
    const writing = (file: string) => `require('node:fs').writeFileSync('${file}', 'x')`;
    const held = await make({ terminal: trusting });
    expect(await answer(held, 'node', writing(beyond.path('made')))).toMatch(/EACCES|EROFS/);
    await held.execute('session_send', { session: 's1', input: writing(path.join(workspace, 'made')) });
    expect([beyond.has('made'), existsSync(path.join(workspace, 'made'))]).toEqual([false, true]);
    const free = await make({ terminal: { ...trusting, confine: { writes: 'any' } } });
    await answer(free, 'node', writing(beyond.path('made')));
    expect(beyond.has('made')).toBe(true);
  });

  it('that somebody approved starts what it likes, and writes where others do', async () => {
    const toolkit = await make({ terminal: { allow: ['node'] }, approve: () => ({ approved: true }) });
    const script = `console.log(${NODE}); require('node:fs').writeFileSync('${beyond.path('approved')}', 'x')`;
    expect(await answer(toolkit, 'node', script)).toMatch(/42![\s\S]*(EACCES|EROFS)/);
    expect(beyond.has('approved')).toBe(false);
  });

  it('is a shell that starts what its lines may name, and nothing else', async () => {
    const text = `echo "$(cat <<'EOF'\na text\nEOF\n)"; ls / | wc -l; printf end`;
    expect(await answer(await make({ terminal: { allow: ['bash', 'ls', 'wc'] } }), 'bash', text)).toMatch(
      /(^|> )a text\n\d+\nend/,
    );
  });

  it.skipIf(!isInstalled('make'))('is a shell whose programs start nothing else, whatever they read', async () => {
    writeFileSync(path.join(workspace, 'Makefile'), `all:\n\t@${PROOF}\n`);
    const terminal = { allow: ['bash', 'make'] };
    const free = await make({ terminal: { ...terminal, confine: { exec: 'any' } } });
    expect(await answer(free, 'bash', 'make')).toMatch(/^42\n/);
    expect(await answer(await make({ terminal }), 'bash', 'make')).toMatch(/[Pp]ermission denied/);
  });

  it('has what holds it in its record', async () => {
    const { toolkit, records } = await audited({ terminal: { allow: ['cat'] } });
    const { data } = await toolkit.execute('session_start', { command: 'cat' });
    await toolkit.execute('session_close', { session: 's1' });
    const sandbox = HELD;
    expect(records).toMatchObject([{ detail: { sandbox } }, { detail: { operation: 'close', sandbox } }]);
    expect(data).toMatchObject({ sandbox: { profile: 'default', enforced: sandbox } });
  });
});

describe('a session that the host opens', () => {
  async function tell(toolkit: Toolkit, input: string, options: SessionOptions = {}): Promise<string> {
    const env = { set: { PS1: '$ ' } };
    const session = await toolkit.sessions.open('bash --norc', { readyMarkers: ['$ '], env, ...options });
    await session.read();
    return (await session.send(input)).text;
  }

  const strict = { terminal: { allow: ['ls'] } };

  it('starts every program, unless its options say otherwise', async () => {
    const toolkit = await make(strict);
    expect(await tell(toolkit, PROOF)).toMatch(/^42\n/);
    const listed = { confine: { exec: 'listed' } } as const;
    expect(await tell(toolkit, `${PROOF}; ls -d /`, listed)).toMatch(/[Pp]ermission denied\n\/\n/);
  });

  it.each(REPLS)('of %s works', async (_program, command, line, expected) => {
    const toolkit = await make(strict);
    const session = await toolkit.sessions.open(command, { readyMarkers: ['> ', '(gdb) '] });
    await session.read();
    expect((await session.send(line)).text).toMatch(expected);
  });

  it('writes beneath the roots, or where its options say', async () => {
    const toolkit = await make(strict);
    const touch = (name: string) => `: > ${beyond.path(name)}`;
    expect(await tell(toolkit, touch('one'))).toMatch(/Permission denied|Read-only/);
    await tell(toolkit, touch('two'), { confine: { writes: 'any' } });
    await tell(toolkit, `: > ${path.join(workspace, 'three')}`, { confine: { writes: 'none' } });
    await tell(toolkit, `: > ${path.join(workspace, 'four')}`);
    expect(['one', 'two'].map(beyond.has)).toEqual([false, true]);
    expect(['three', 'four'].map((name) => existsSync(path.join(workspace, name)))).toEqual([false, true]);
  });

  it('has a terminal that is used by all its names, and makes others', async () => {
    const toolkit = await make(strict);
    const all = 'echo a >/dev/tty; echo b >/dev/stderr; stty size </dev/stdin; script -qc "stty size; tty" /dev/null';
    const size = { cols: 90, rows: 20 };
    expect(await tell(toolkit, all, size)).toMatch(/^a\nb\n20 90\n20 90\n\/dev\/pts\/\d+\n/);
  });

  it('works in the place the host names, outside of the roots too', async () => {
    expect(await tell(await make(strict), 'pwd', { cwd: '/usr' })).toMatch(/^\/usr\n/);
  });

  it('reaches what commands reach, or what its options say', async () => {
    const { port, reached } = await listen();
    const connect = `: > /dev/tcp/127.0.0.1/${port} && echo connected`;
    const closed = await make({ terminal: { allow: ['ls'], confine: { network: 'none' } } });
    expect(await tell(closed, connect)).not.toMatch(/^connected/);
    expect(reached()).toBe(0);
    expect(await tell(closed, connect, { confine: { network: 'any' } })).toMatch(/^connected/);
    expect(await tell(await make(strict), connect)).toMatch(/^connected/);
    expect(await tell(await make(strict), connect, { confine: { network: 'none' } })).not.toMatch(/^connected/);
  });

  it('removes files where commands may not, unless something says otherwise', async () => {
    const toolkit = await make({ terminal: { deny: ['rm'] } });
    const vanish = 'touch gone && /bin/rm -f gone; ls gone';
    expect(await tell(toolkit, vanish)).toMatch(/No such file/);
    expect(await tell(toolkit, vanish, { confine: { remove: 'no' } })).not.toMatch(/No such file/);
    const keeping = await make({ terminal: { deny: ['rm'], confine: { remove: 'no' } } });
    expect(await tell(keeping, vanish)).not.toMatch(/No such file/);
  });

  it('says what holds it, while it lives and after', async () => {
    const toolkit = await make(strict);
    const session = await toolkit.sessions.open('cat', { confine: { exec: 'listed' } });
    await session.read({ until: 'quiet' });
    const enforced = HELD;
    expect(session.sandbox).toEqual({ profile: 'default', enforced });
    expect(await session.close()).toMatchObject({ sandbox: { profile: 'default', enforced } });
    expect(session.sandbox).toEqual(session.end?.sandbox);
  });

  it.each([{ writes: 'everywhere' }, { exec: true }, { read: 'none' }])(
    'refuses the wrong option %j',
    async (confine) => {
      const opening = (await make(strict)).sessions.open('cat', { confine } as unknown as SessionOptions);
      await expect(opening).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    },
  );
});
