import { execFileSync, spawn } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAIN, started } from '../mcp-server/client.js';
import { handrail } from '../support/cli.js';
import { living, marker, until } from '../support/processes.js';

let folder: string;
let place: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-mcp-'));
  place = path.join(folder, 'workspace');
  mkdirSync(place);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('handrail mcp', () => {
  it('works where it was started, under the lists of its options, and ends with its client', async () => {
    const { client, ended } = started(place, '--allow', 'pwd,echo');
    client.call(1, 'terminal_run', { command: 'pwd' });
    client.call(2, 'terminal_run', { command: 'ls' });
    expect(await client.text(1)).toContain(place);
    expect(await client.text(2)).toContain('denied');
    client.end();
    expect(await ended).toEqual({ code: 0, signal: null, stderr: '' });
  });

  it('takes roots, a directory, a shell, a time and names of tools', async () => {
    mkdirSync(path.join(place, 'below'));
    const tools = ['--tools', 'terminal_run,file_list', '--tools', 'file_read'];
    const more = ['--shell', '--timeout', '4000', '--network', 'none', '--cwd', 'below'];
    const { client, ended } = started(folder, '--root', place, '--allow', 'echo,pwd,wc', ...tools, ...more);
    client.send({ id: 'list', method: 'tools/list' });
    const { result } = await client.answer('list');
    expect(result?.tools?.map(({ name }) => name).sort()).toEqual(['file_list', 'file_read', 'terminal_run']);
    expect(JSON.stringify(result)).toContain('Default and maximum: 4000');
    client.call(1, 'terminal_run', { command: 'pwd | wc -l; pwd' });
    expect(await client.text(1)).toContain(path.join(place, 'below'));
    client.call(2, 'file_read', { path: '../secret' });
    expect((await client.answer(2)).result?.isError).toBe(true);
    client.end();
    expect((await ended).code).toBe(0);
  });

  it('takes back what commands changed, with --changes staged', async () => {
    const { client, ended } = started(place, '--allow', 'mkdir', '--changes', 'staged');
    client.call(1, 'terminal_run', { command: 'mkdir made' });
    expect(await client.text(1)).toContain('[files: 1 created: made]');
    expect(readdirSync(place)).toEqual(['made']);
    client.call(2, 'changes_undo', {});
    expect(await client.text(2)).toContain('Took back');
    expect(readdirSync(place)).toEqual([]);
    client.end();
    expect((await ended).code).toBe(0);
  });

  it.each([
    [['ls'], 'mcp takes options only'],
    [['--root', '/'], 'the whole of /'],
    [['--root', '/nowhere'], 'is not a directory'],
    [['--tools', 'terminal_fly'], 'There is no tool of the name'],
    [['--tools', 'a,,b'], '--tools has an empty entry'],
    [['--timeout', 'soon'], '--timeout takes a whole number'],
    [['--changes', 'kept'], '--changes takes'],
    [['--audit', '/nowhere/file'], 'cannot be written (ENOENT)'],
    [['--audit', '..'], 'cannot be written (EISDIR)'],
    [['--audit', '/dev/null'], 'is no regular file'],
    [['--audit', '../calls', '--root', '/nowhere'], '--root /nowhere is not a directory'],
    [['--audit', '../calls', '--writes', 'any'], '--audit and --writes any do not go together'],
  ])('refuses %j on standard error', async (args, said) => {
    const ended = await started(place, ...args).ended;
    expect(ended).toMatchObject({ code: 125, stderr: expect.stringContaining(said) });
  });

  it('has a page of help', async () => {
    expect((await handrail('mcp', '--help')).stdout).toContain('handrail mcp [options]');
  });
});

describe('--audit', () => {
  it('adds a line for each call, secrets masked, for its owner alone', async () => {
    const file = path.join(folder, 'calls.jsonl');
    for (const id of ['a', 'b']) {
      const { client, ended } = started(place, '--allow', 'echo', '--audit', file);
      client.call(id, 'terminal_run', { command: 'echo password=hunter2' });
      await client.answer(id);
      client.end();
      await ended;
    }
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { callId: string }).callId)).toEqual(['a', 'b']);
    expect(lines.join()).not.toContain('hunter2');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('takes no file that the tools could write, by a link either, and makes none there', async () => {
    symlinkSync(place, path.join(folder, 'link'));
    writeFileSync(path.join(place, 'target'), '');
    symlinkSync(path.join(place, 'target'), path.join(folder, 'file'));
    for (const file of [path.join(place, 'a'), 'a', '../link/a', '../file', '.']) {
      const { code, stderr } = await started(place, '--audit', file).ended;
      expect({ code, stderr }).toEqual({ code: 125, stderr: expect.stringContaining('lies where the tools write') });
    }
    linkSync(path.join(place, 'target'), path.join(folder, 'second'));
    symlinkSync(path.join(place, 'b'), path.join(folder, 'nowhere'));
    expect((await started(place, '--audit', '../second').ended).stderr).toContain('has a second name');
    expect((await started(place, '--audit', '../nowhere').ended).stderr).toContain('cannot be written (ELOOP)');
    expect(readdirSync(place)).toEqual(['target']);
    expect(readFileSync(path.join(place, 'target'), 'utf8')).toBe('');
  });

  it('takes no pipe, and does not wait for its reader', async () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await started(place, '--audit', pipe).ended).toMatchObject({
      code: 125,
      stderr: expect.stringContaining('is no regular file'),
    });
  });

  it('closes a file that others could read', async () => {
    const file = path.join(folder, 'calls.jsonl');
    writeFileSync(file, '', { mode: 0o644 });
    const { client, ended } = started(place, '--audit', file);
    client.send({ id: 1, method: 'ping' });
    await client.answer(1);
    client.end();
    expect((await ended).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('nothing is left', () => {
  const signals: NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];

  it.each(['the end of its input', 'half a line and the end', ...signals])('after %s', async (how) => {
    const { client, child, ended } = started(place, '--allow', 'sleep,bash', '--shell');
    const mark = marker();
    client.call(1, 'terminal_run', { command: `sleep ${mark} & sleep ${mark}` });
    client.call(2, 'session_start', { command: 'bash' });
    await client.answer(2);
    client.call(3, 'session_send', { session: 's1', input: `sleep ${mark}` });
    await until(() => living(mark).length >= 3);
    if (how.startsWith('SIG')) child.kill(how as NodeJS.Signals);
    if (how.startsWith('half')) client.write('{"jsonrpc":"2.0","id":9,"meth');
    if (!how.startsWith('SIG')) client.end();
    const { code, stderr } = await ended;
    expect({ code: how.startsWith('SIG') ? (code ?? 0) > 128 : code, stderr }).toEqual({
      code: how.startsWith('SIG') ? true : 0,
      stderr: '',
    });
    expect(living(mark)).toEqual([]);
  });

  it.each(['the end of its input', 'SIGTERM'])('after %s, where nobody reads what it answers', async (how) => {
    const mark = marker();
    const args = [MAIN, 'mcp', '--allow', 'sleep'];
    const child = spawn(process.execPath, args, { cwd: place, stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
    const send = (id: number, method: string, params: object): void => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    };
    send(0, 'tools/call', { name: 'terminal_run', arguments: { command: `sleep ${mark}` } });
    await until(() => living(mark).length > 0);
    expect(living(mark)).not.toEqual([]);
    for (let id = 1; id <= 300; id += 1) send(id, 'tools/list', {});
    if (how === 'SIGTERM') child.kill(how);
    else child.stdin.end();
    expect(await ended).toBe(how === 'SIGTERM' ? 143 : 0);
    expect(living(mark)).toEqual([]);
    child.stdout.destroy();
  });

  it('after the process of its client was killed', async () => {
    const mark = marker();
    const call = {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'terminal_run', arguments: { command: `sleep ${mark}` } },
    };
    // A client that is a process of its own: its death is all that the server learns.
    const script = `const { spawn } = require('node:child_process');
      const args = ${JSON.stringify([MAIN, 'mcp', '--root', place, '--allow', 'sleep'])};
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
      child.stdin.write(${JSON.stringify(`${JSON.stringify(call)}\n`)});
      console.log(child.pid);
      setInterval(() => undefined, 1000);`;
    const client = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    await until(() => living(mark).length > 0);
    expect(living(mark)).not.toEqual([]);
    client.kill('SIGKILL');
    await until(() => living(mark).length === 0 && living(place).length === 0);
    expect([living(mark), living(place)]).toEqual([[], []]);
  });

  it('after a flood of calls, and of garbage', async () => {
    const { client, ended } = started(place, '--allow', 'sleep');
    const mark = marker();
    for (let id = 0; id < 500; id += 1) client.call(id, 'terminal_run', { command: `sleep ${mark}` });
    client.write(`${'garbage\n'.repeat(2_000)}${'x'.repeat(1_000_000)}`);
    await client.answer(499);
    await until(() => client.answers.filter(({ error }) => error?.code === -32_700).length === 2_000);
    client.end();
    expect((await ended).code).toBe(0);
    expect(living(mark)).toEqual([]);
  });
});
