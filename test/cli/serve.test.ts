import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SERVE } from '../../ts/cli/serve-options.js';
import { MAIN } from '../mcp-server/client.js';
import { handrail } from '../support/cli.js';
import { folderPerTest } from '../support/folder.js';
import { living, marker, until } from '../support/processes.js';

const folder = folderPerTest();
let place: string;
let state: string;
const children: Started[] = [];

beforeEach(() => {
  place = path.join(folder(), 'workspace');
  state = path.join(folder(), 'state');
  for (const made of [place, state]) mkdirSync(made);
});

afterEach(async () => {
  for (const { child, ended } of children.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
});

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; stderr: string }>;
  url(): Promise<URL>;
}

/** Starts `handrail serve` with these arguments, on a free port unless they say another place. */
function start(args: readonly string[], cwd = place): Started {
  const where = args.some((arg) => arg === '--http' || arg === '--socket') ? [] : ['--http', '127.0.0.1:0'];
  const env = { ...process.env, XDG_STATE_HOME: state };
  const child = spawn(process.execPath, [MAIN, 'serve', ...where, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stderr: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stderr: output.stderr }));
  });
  const started = {
    child,
    ended,
    async url(): Promise<URL> {
      await until(() => output.stderr.includes('serving at') || child.exitCode !== null);
      return new URL(/serving at (\S+),/.exec(output.stderr)?.[1] ?? output.stderr);
    },
  };
  children.push(started);
  return started;
}

async function connect(url: URL, token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}

const usualFile = () => path.join(state, 'handrail', 'serve-tokens');
const tokenIn = (file: string) => readFileSync(file, 'utf8').trim().split(' ')[1] ?? '';
const run = (command: string) => ({ name: 'terminal_run', arguments: { command } });

describe('handrail serve', () => {
  it('makes a token for its user alone, shows it to nobody, and is the tools of handrail mcp', async () => {
    const served = start(['--allow', 'pwd,cat']);
    const url = await served.url();
    expect(statSync(usualFile()).mode & 0o777).toBe(0o600);
    const token = tokenIn(usualFile());
    expect(token).toHaveLength(43);
    const client = await connect(url, token);
    expect(JSON.stringify(await client.callTool(run('pwd')))).toContain(place);
    const shown = JSON.stringify(await client.callTool(run(`cat ${usualFile()} /proc/self/environ`)));
    expect(shown).not.toContain(token);
    await client.close();
    served.child.kill('SIGTERM');
    const { code, stderr } = await served.ended;
    expect(code).toBe(0);
    expect(stderr).not.toContain(token);
    // The token stays for the next start.
    const again = start(['--allow', 'pwd']);
    await (await connect(await again.url(), token)).close();
  });

  it('answers its calls before it ends by a signal, and ends them by a second one', async () => {
    for (const second of [false, true]) {
      const served = start(['--allow', 'sleep', '--no-auth']);
      const client = await connect(await served.url(), '');
      const mark = second ? marker() : `1.${marker().replace('.', '')}`;
      const call = client.callTool(run(`sleep ${mark}`)).then(
        ({ isError }) => isError,
        () => 'failed',
      );
      await until(() => living(mark).length > 0);
      served.child.kill('SIGTERM');
      const url = await served.url();
      await expect.poll(async () => (await fetch(new URL('/readyz', url))).status).toBe(503);
      if (second) served.child.kill('SIGTERM');
      expect((await served.ended).code).toBe(second ? 143 : 0);
      expect((await call) === false).toBe(!second);
      expect(living(mark)).toEqual([]);
      await client.close().catch(() => undefined);
    }
  });

  it('knows each caller of the file by its name', async () => {
    const file = path.join(folder(), 'tokens');
    const [ann, ben] = ['ann', 'ben'].map((name) => `${name}-${name.repeat(8)}`);
    writeFileSync(file, `# who\nann ${ann}\n\nben ${ben}\n`, { mode: 0o600 });
    const url = await start(['--token-file', file, '--allow', 'bash']).url();
    const clients = [await connect(url, ann ?? ''), await connect(url, ben ?? '')];
    await clients[0]?.callTool({ name: 'session_start', arguments: { command: 'bash' } });
    const read = { name: 'session_read', arguments: { session: 's1', timeout_ms: 0 } };
    expect(await Promise.all(clients.map(async (client) => (await client.callTool(read)).isError))).toEqual([
      false,
      true,
    ]);
    for (const client of clients) await client.close();
  });

  it('speaks TLS, to clients with a certificate alone where it says so', async () => {
    const at = (name: string) => path.join(folder(), name);
    const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { stdio: 'ignore', cwd: folder() });
    const self = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    openssl('req', '-x509', ...self, '-keyout', 'key.pem', '-out', 'cert.pem', '-subj', '/CN=localhost');
    const tls = ['--tls-cert', at('cert.pem'), '--tls-key', at('key.pem'), '--no-auth'];
    const status = async (url: URL, own: object) =>
      await new Promise<unknown>((resolve) => {
        const ca = readFileSync(at('cert.pem'));
        const options = { port: url.port, host: '127.0.0.1', servername: 'localhost', path: '/healthz', ca, ...own };
        request(options, ({ statusCode }) => resolve(statusCode))
          .on('error', () => resolve('no answer'))
          .end();
      });
    const client = { cert: readFileSync(at('cert.pem')), key: readFileSync(at('key.pem')) };
    const open = await start(tls).url();
    expect(open.protocol).toBe('https:');
    expect(await status(open, {})).toBe(200);
    const closed = await start([...tls, '--tls-client-ca', at('cert.pem')]).url();
    expect([await status(closed, {}), await status(closed, client)]).toEqual(['no answer', 200]);
  });

  it.each<[readonly string[], string]>([
    [['ls'], 'serve takes options only'],
    [['--http', '8080'], '--http takes HOST:PORT'],
    [['--http', '0.0.0.0:0'], '`hosts` has to say'],
    [['--http', '0.0.0.0:0', '--no-auth'], 'is for a socket'],
    [['--http', '127.0.0.1:0', '--socket', '/tmp/x'], '--socket takes the place of --http'],
    [['--no-auth', '--token-file', 'x'], 'do not go together'],
    [['--token-file', 'tokens'], 'lies where the tools write'],
    [['--token-file', '../linked'], 'lies where the tools write'],
    [['--token-file', '../open'], 'can be written by other users'],
    [['--token-file', '../wrong'], 'a line that is not NAME TOKEN'],
    [['--token-file', '../short'], 'at least 16'],
    [['--token-file', '../twice'], 'a caller twice'],
    [['--writes', 'any'], 'lets commands write the tokens too'],
    [['--tls-cert', '../short'], 'go together'],
    [['--tls-cert', '/nowhere', '--tls-key', '/nowhere'], 'cannot be read (ENOENT)'],
    [['--drain', 'soon'], '--drain takes a whole number'],
  ])('refuses %j', async (args, said) => {
    writeFileSync(path.join(place, 'inside'), 'x', { mode: 0o600 });
    symlinkSync(path.join(place, 'inside'), path.join(folder(), 'linked'));
    const texts = { wrong: 'a b c\n', short: 'ann short\n', twice: `a ${'x'.repeat(20)}\na ${'y'.repeat(20)}\n` };
    for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(folder(), name), text, { mode: 0o600 });
    writeFileSync(path.join(folder(), 'open'), `${'x'.repeat(20)}\n`);
    chmodSync(path.join(folder(), 'open'), 0o622);
    expect(await start(args).ended).toMatchObject({ code: 125, stderr: expect.stringContaining(said) });
  });

  it.each(SERVE.examples.map(({ line }) => line))('works as it stands in the help: %s', async (line) => {
    writeFileSync(path.join(place, 'package.json'), '{}\n');
    // Its port may be another program's here.
    const args = line.replace(/:\d+/, ':0').split(' ').slice(2);
    const served = start(args);
    expect((await served.url()).pathname).toBe('/mcp');
    served.child.kill('SIGINT');
    expect((await served.ended).code).toBe(0);
  });

  it('has a page of help', async () => {
    expect((await handrail('serve', '--help')).stdout).toContain('handrail serve [options]');
  });
});
