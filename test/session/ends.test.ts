/** Ends without a prompt, of real programs: what waits for input, what serves, and what still works. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionReadOptions, Toolkit } from '../../ts/index.js';
import { createToolkit } from '../../ts/toolkit.js';
import { LIVENESS_MS } from '../support/liveness.js';
import { isRequired } from '../support/programs.js';

const PROMPT = '__PROMPT__ ';

let folder: string;
let toolkit: Toolkit;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'handrail-ends-'));
  for (const name of ['server', 'init']) mkdirSync(path.join(folder, name));
  const server = "require('http').createServer(() => {}).listen(0, () => console.log('ready'));";
  writeFileSync(path.join(folder, 'server', 'server.js'), server);
  const manifest = { name: 'server', version: '1.0.0', scripts: { dev: 'node server.js' } };
  writeFileSync(path.join(folder, 'server', 'package.json'), JSON.stringify(manifest));
  toolkit = await createToolkit({ workspace: folder, limits: { sessions: 64 } });
});

afterAll(async () => {
  await toolkit.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Whether a command of the toolkit can be this program: one of the user's own folders would not do. */
const isThere = (name: string) => ['/usr/local/bin', '/usr/bin', '/bin'].some((at) => existsSync(path.join(at, name)));

describe.each(['gdb', 'ipython3', 'python3'].filter(isRequired))('%s', (name) => {
  it('is there, as its variable says', () => expect(isThere(name)).toBe(true));
});

/** What a read gives that ends by itself, long before this limit. */
const read = { timeoutMs: LIVENESS_MS };

const open = (command: string, cwd = '.', args?: readonly string[]) =>
  toolkit.sessions.open(command, {
    cwd,
    args,
    readyMarkers: [PROMPT, '(gdb) ', '>>> '],
    env: { set: { PS1: PROMPT } },
  });

async function bash() {
  const session = await open('bash --norc --noprofile');
  await session.read(read);
  return session;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = await listening(server);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

function listening(server: Server): Promise<AddressInfo> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo));
  });
}

const named = (name: string, program = name) => (isThere(program) ? name : `skipped, no ${program}: ${name}`);

describe('a program that is silent and idle ends the read', () => {
  it.concurrent.each([
    ['a dev server that npm runs', 'npm run dev', 'server', /\nready\n$/],
    ['a server of node', 'node server.js', 'server', /^ready\n$/],
    ['a program that follows a file', 'tail -f server.js', 'server', /createServer/],
  ])('%s', async (_name, command, cwd, text) => {
    const session = await open(command, cwd);
    expect(await session.read(read)).toMatchObject({
      ...{ reason: 'idle', confirmed: false, text: expect.stringMatching(text) as string },
    });
    // It reads no input.
    expect(await session.send('x', read)).toMatchObject({ reason: 'idle', sent: false });
    await session.close();
  });

  it.skipIf(!isThere('python3')).concurrent(named('a server that polls by a timer', 'python3'), async () => {
    const session = await open('python3 -u -m http.server 0 --bind 127.0.0.1');
    expect(await session.read(read)).toMatchObject({
      reason: 'idle',
      text: expect.stringContaining('Serving') as string,
    });
    await session.close();
  });

  it.skipIf(!isThere('python3')).concurrent.each([
    [500, 'idle', LIVENESS_MS],
    [512, 'timeout', 3_000],
  ])('%i threads and their own: %s', async (count, reason, timeoutMs) => {
    const threads = `[t.Thread(target=t.Event().wait, daemon=True).start() for _ in range(${count})]`;
    const session = await open('python3', '.', [
      '-c',
      `import threading as t; ${threads}; print("up"); t.Event().wait()`,
    ]);
    expect(await session.read({ timeoutMs })).toMatchObject({ reason, text: 'up\n' });
    await session.close();
  });
});

describe('a program that is silent and most likely waits for input ends the read', () => {
  it.concurrent('npm init, question by question', async () => {
    const session = await open('npm init', 'init');
    const quiet = { reason: 'quiet', confirmed: false };
    expect(await session.read(read)).toMatchObject({ ...quiet, text: expect.stringMatching(/: \(init\) $/) as string });
    expect(await session.send('mine', read)).toMatchObject({ ...quiet, sent: true, text: 'version: (1.0.0) ' });
    await session.close();
  });

  it.skipIf(!isThere('ipython3')).concurrent(named('ipython', 'ipython3'), async () => {
    const session = await open('ipython3 --no-banner --no-confirm-exit --colors=NoColor');
    const quiet = { reason: 'quiet', confirmed: false };
    expect(await session.read(read)).toMatchObject({ ...quiet, text: expect.stringMatching(/In \[1\]: ?$/) as string });
    const answer = await session.send('import time; time.sleep(2); 6 * 7', read);
    const learned = { reason: 'quiet', confirmed: true };
    expect(answer).toMatchObject({ ...learned, text: expect.stringMatching(/Out\[1\]: 42\n\nIn \[2\]: ?$/) as string });
    await session.close();
  });

  it.skipIf(!isThere('gdb')).concurrent(named('the question of gdb', 'gdb'), async () => {
    const session = await open('gdb -q -nx /bin/true');
    expect((await session.read(read)).reason).toBe('marker');
    const question = await session.send('break no_such_function', read);
    expect(question).toMatchObject({
      ...{ reason: 'quiet', confirmed: false, text: expect.stringMatching(/\(y or \[n\]\) $/) as string },
    });
    expect(await session.send('n', read)).toMatchObject({
      reason: 'marker',
      text: expect.stringMatching(/\(gdb\) $/) as string,
    });
    await session.close();
  });

  it.skipIf(!isThere('python3')).concurrent(named('python', 'python3'), async () => {
    const session = await open('python3 -q');
    expect(await session.read(read)).toMatchObject({ reason: 'marker' });
    expect(await session.send('input("name? ")', read)).toMatchObject({
      text: 'name? ',
      reason: 'quiet',
      confirmed: true,
    });
    await session.close();
  });
});

describe('a program that works silently does not end the read', () => {
  const compute = 'end=$((SECONDS+3)); while [ $SECONDS -lt $end ]; do :; done';
  const slow = createHttpServer((_request, response) => setTimeout(() => response.end('slow'), 3_000));
  let address = '';
  beforeAll(async () => {
    const { port } = await listening(slow);
    address = `http://127.0.0.1:${port}/`;
  });
  afterAll(() => slow.close());
  const python = (code: string) => `python3 -c '${code}'`;

  const COMMANDS: readonly (readonly [string, () => string])[] = [
    ['a sleep', () => 'sleep 3; echo done'],
    ['a sleep before another command', () => 'sleep 3 && echo done'],
    ['sleeps in a loop', () => 'for i in 1 2 3 4 5 6; do sleep 0.5; done; echo done'],
    ['a sleep beside a server', () => '(python3 -m http.server 0 & sleep 3; kill %1); echo done'],
    ['a shell that computes', () => `${compute}; echo done`],
    ['a child that computes', () => `bash -c '${compute}'; echo done`],
    ['a job that computes, and is waited for', () => `(${compute}) & wait; echo done`],
    ['a timer of node', () => `node -e "setTimeout(() => console.log('done'), 3000)"`],
    ['a sleep of python', () => python('import time; time.sleep(3); print("done")')],
    ['a thread that waits for a time', () => python('import threading as t; t.Event().wait(3); print("done")')],
    ['a poll with a time', () => python('import select; select.select([], [], [], 3); print("done")')],
    [
      'an answer over the network',
      () => python(`import urllib.request as u; u.urlopen("${address}").read(); print("done")`),
    ],
  ];

  // In one test, since each takes three seconds.
  it('whatever it does', async () => {
    const answers = await Promise.all(
      COMMANDS.map(async ([name, command]) => {
        const session = await bash();
        const { reason, text } = await session.send(command(), read);
        await session.close();
        return { name, reason, isDone: text.endsWith(`done\n${PROMPT}`) };
      }),
    );
    expect(answers).toEqual(COMMANDS.map(([name]) => ({ name, reason: 'marker', isDone: true })));
  });
});

describe('until', () => {
  async function answered(line: string, until: SessionReadOptions['until'], timeoutMs = LIVENESS_MS) {
    const session = await bash();
    const answer = await session.send(line, { until, timeoutMs });
    await session.close();
    return answer;
  }

  it.concurrent('a text, which the echo is not', async () => {
    const answer = await answered("sleep 1.5; echo re''ady; sleep 60", { text: 'ready' });
    expect(answer).toMatchObject({ text: 'ready\n', reason: 'matched', until: { text: 'ready', matched: true } });
  });

  it.concurrent('a pattern', async () => {
    const answer = await answered('echo "port is 80"; echo "port 8080"; sleep 60', { pattern: '^port \\d+$' });
    expect(answer).toMatchObject({
      ...{ text: 'port is 80\nport 8080\n', reason: 'matched', until: { pattern: '^port \\d+$', matched: true } },
    });
  });

  it.concurrent('silence, whatever the program does', async () => {
    const answer = await answered('sleep 60', { quietMs: 300 });
    expect(answer).toMatchObject({
      text: '',
      reason: 'quiet',
      confirmed: false,
      until: { quietMs: 300, matched: true },
    });
  });

  it.skipIf(!isThere('python3')).concurrent(named('a port, of a server in the background too', 'python3'), async () => {
    const ports = [await freePort(), await freePort()] as const;
    const session = await open(`python3 -m http.server ${ports[0]} --bind 127.0.0.1`);
    expect(await session.read({ until: { port: ports[0] }, ...read })).toMatchObject({
      ...{ reason: 'matched', until: { port: ports[0], matched: true } },
    });
    expect((await fetch(`http://127.0.0.1:${ports[0]}/`)).ok).toBe(true);
    await session.close();
    const job = await answered(`python3 -m http.server ${ports[1]} &`, { port: ports[1] });
    expect(job).toMatchObject({ reason: 'matched', until: { port: ports[1], matched: true } });
  });

  it.concurrent('a port on which somebody else listens does not count', async () => {
    const server = createServer();
    const { port } = await listening(server);
    const answer = await answered('sleep 60', { port }, 1_500);
    expect(answer).toMatchObject({ reason: 'timeout', until: { port, matched: false } });
    server.close();
  });

  it.concurrent('what cannot come any more is not waited for: the program waits for input and runs nothing', async () => {
    const until = { text: 'ready' };
    const failed = { reason: 'marker', confirmed: true, until: { text: 'ready', matched: false } };
    expect(await answered('no-such-program', until)).toMatchObject(failed);
    const job = await answered('(sleep 2; echo ready) &', until);
    expect(job).toMatchObject({ reason: 'matched', until: { matched: true } });
  });

  it.concurrent('the end of the program', async () => {
    expect(await answered('exec echo last', { text: 'last' })).toMatchObject({ until: { matched: true } });
    expect(await answered('exit', { port: 1 })).toMatchObject({ reason: 'exited', until: { port: 1, matched: false } });
  });

  it.concurrent('finds no masked secret', async () => {
    const answer = await answered("echo 'password=hunter2-hunter2'; sleep 60", { pattern: 'password=hunter' }, 1_500);
    expect(answer).toMatchObject({ text: 'password=[REDACTED]\n', reason: 'timeout', until: { matched: false } });
  });

  it.each([
    ['nothing', {}, /Give one of text, pattern, port, quietMs in `until`/],
    ['two', { text: 'a', port: 1 }, /Give one of/],
    ['something else', { line: 'a' }, /until/],
    ['an empty text', { text: '' }, /`until\.text`/],
    ['a long text', { text: 'x'.repeat(1_025) }, /longer than 1024 bytes/],
    ['no regular expression', { pattern: 'a(b' }, /`until\.pattern` is no regular expression.*unclosed group/],
    ['a large expression', { pattern: '(\\w{100}){100}' }, /too large when compiled/],
    ['a port too high', { port: 65_536 }, /`until\.port`.*1 to 65535/],
    ['a word', 'idle', /until/],
  ])('refuses %s', async (_name, until, message) => {
    const session = await bash();
    const options = { until } as SessionReadOptions;
    expect(() => session.read(options)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
    expect(() => session.read(options)).toThrow(message);
    expect(() => session.send('echo never', options)).toThrow(message);
    expect((await session.send('echo on')).text).toBe(`on\n${PROMPT}`);
    expect(session.history().text).not.toContain('never');
    await session.close();
  });
});
