/** `confine.network: { allow }` with real clients, and the same attempts with the network open. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type AuditRecord, createToolkit, Terminal, type Toolkit } from '../../ts/index.js';
import { greeter, type Internet, internet, writeRepository } from './host.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'handrail-network-'));
const root = path.join(folder, 'root');
const PROXY_VARIABLES = ['http_proxy', 'https_proxy', 'no_proxy'];
const before = new Map(PROXY_VARIABLES.map((name) => [name, process.env[name]]));
let net: Internet;
let listed: Awaited<ReturnType<typeof greeter>>;
let unlisted: Awaited<ReturnType<typeof greeter>>;
let toolkit: Toolkit;
let terminal: Terminal;
const records: AuditRecord[] = [];

beforeAll(async () => {
  const files = path.join(folder, 'files');
  for (const made of [root, files]) mkdirSync(made);
  writeFileSync(path.join(files, 'hello'), 'hello from afar\n');
  writeFileSync(path.join(files, 'demo'), JSON.stringify({ name: 'demo', versions: {}, 'dist-tags': {} }));
  const repository = path.join(files, 'repository.git');
  writeRepository(repository);
  net = await internet(files, folder);
  listed = await greeter('+listed\r\n');
  unlisted = await greeter('+unlisted\r\n');
  process.env['https_proxy'] = net.proxy;
  process.env['http_proxy'] = net.proxy;
  delete process.env['no_proxy'];
  toolkit = await createToolkit({
    roots: [root],
    terminal: {
      deny: [],
      shell: 'bash',
      confine: { network: { allow: ['packages.example.com', '*.example.org:443', `localhost:${listed.port}`] } },
    },
  });
  toolkit.on('call', (record) => records.push(record));
  terminal = toolkit.terminal;
});

afterAll(async () => {
  await toolkit?.close();
  for (const server of [net, listed, unlisted]) await server?.[Symbol.asyncDispose]();
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  rmSync(folder, { recursive: true });
});

/** The last of what was asked of the machine's proxy. */
const lastAsked = () => net.asked.at(-1);

describe('what is allowed', () => {
  it('is reached by curl over https, http and SOCKS5', async () => {
    for (const command of [
      'curl -sk https://packages.example.com/hello',
      'curl -s http://packages.example.com/hello',
      'curl -sk https://a.b.example.org/hello',
      'curl -sk --proxy socks5h://127.0.0.1:61080 https://packages.example.com/hello',
    ]) {
      const result = await terminal.run(command);
      expect(result, command).toMatchObject({ ok: true, stdout: 'hello from afar\n' });
    }
    expect(lastAsked()).toBe('packages.example.com:443');
  });

  it('is reached by git and npm', async () => {
    const clone = await terminal.run(
      'git -c http.sslVerify=false clone -q https://packages.example.com/repository.git && git -C repository log --format=%s',
    );
    expect(clone).toMatchObject({ ok: true, stdout: 'first\n' });
    const npm = 'npm view demo name --strict-ssl=false --registry=https://packages.example.com/';
    expect(await terminal.run(npm)).toMatchObject({ ok: true });
  });

  it('is reached at its address by clients that know no proxy', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const result = await terminal.run(`curl -sS --noproxy '*' --http0.9 http://${host}:${listed.port}/`);
      expect(result, host).toMatchObject({ ok: true, stdout: '+listed\n' });
    }
  });
});

describe('what is not allowed', () => {
  it('is refused with the entry that lifts it, and that entry does', async () => {
    const command = 'curl -sSk https://other.example.com/hello';
    const asked = net.asked.length;
    const result = await terminal.run(command);
    expect(result.ok).toBe(false);
    expect(result.stderr).toContain('403');
    expect(result.blocked).toEqual([
      {
        guarantee: 'network',
        subject: 'other.example.com:443',
        message: 'other.example.com:443 is not allowed (network.allow)',
        hint: 'Work with what is here, or with an allowed host.',
        advice: [{ kind: 'option', name: 'confine.network.allow', value: 'other.example.com' }],
      },
    ]);
    expect(net.asked.length).toBe(asked);
    await using lifted = new Terminal({ deny: [], confine: { network: { allow: ['other.example.com'] } } });
    expect(await lifted.run(command)).toMatchObject({ ok: true, stdout: 'hello from afar\n' });
  });

  it('is not reached past the proxy, by a name, an address or a port of this machine', async () => {
    const way = 'http://127.0.0.1:61080';
    const own = `127.0.0.1:${unlisted.port}/`;
    const machine = net.proxy;
    // Each attempt, and the same where it differs without a way out: there the machine's proxy stands in its place.
    const attempts: readonly (readonly [attempt: string, open?: string])[] = [
      [`curl -sS --noproxy '*' --http0.9 http://${own}`],
      [`curl -sS --noproxy '*' --http0.9 http://localhost:${unlisted.port}/`],
      [`curl -sS --noproxy '*' --http0.9 http://[::ffff:127.0.0.1]:${unlisted.port}/`],
      [`curl -sS --noproxy '*' --http0.9 http://0x7f000001:${unlisted.port}/`],
      [`env -u http_proxy -u HTTP_PROXY -u ALL_PROXY -u all_proxy curl -sS --http0.9 http://${own}`],
      [`NO_PROXY='*' no_proxy='*' curl -sS --http0.9 http://${own}`],
      [`curl -sS --proxy ${machine} http://other.example.com/hello`],
      [
        `curl -sS --noproxy x --proxy ${way} http://${own}hello`,
        `curl -sS --noproxy x --proxy ${machine} http://${own}hello`,
      ],
      [
        `curl -sS --noproxy x --proxy socks5://127.0.0.1:61080 --http0.9 http://${own}`,
        `curl -sS --noproxy '*' --http0.9 http://${own}`,
      ],
      [
        `curl -sS --proxy ${way} http://other.example.com/hello`,
        `curl -sS --proxy ${machine} http://other.example.com/hello`,
      ],
      ['curl -sS http://packages.example.com:8080/hello'],
      ['curl -sSk https://example.org/hello'],
      ['curl -sSk --connect-to ::packages.example.com:443 https://other.example.com/hello'],
      [`curl -sS -H 'Host: other.example.com' http://packages.example.com/hello`],
      [`curl -sS --proxytunnel -H 'Host: other.example.com' http://packages.example.com/hello`],
    ];
    const asked = () => net.asked.filter((target) => !target.startsWith('packages.example.com:'));
    const askedBefore = asked();
    for (const [attempt] of attempts) {
      const { stdout } = await terminal.run(attempt, { timeoutMs: 60_000 });
      expect({ attempt, reached: /hello|unlisted/.test(stdout) }, stdout).toEqual({ attempt, reached: false });
    }
    expect(asked()).toEqual(askedBefore);
    const inherit = PROXY_VARIABLES;
    await using open = new Terminal({ deny: [], shell: 'bash', confine: { network: 'any' }, env: { inherit } });
    for (const [attempt, own = attempt] of attempts) {
      const { stdout, stderr } = await open.run(own, { timeoutMs: 60_000 });
      expect({ own, reached: /hello|unlisted/.test(stdout) }, stdout + stderr).toEqual({ own, reached: true });
    }
  });

  it('is in the audit, and what was reached too', async () => {
    await toolkit.execute('terminal_run', { command: 'true' });
    records.length = 0;
    await toolkit.execute('terminal_run', { command: 'curl -sk https://packages.example.com/hello' });
    await toolkit.execute('terminal_run', { command: 'curl -sk https://other.example.com/hello' });
    await toolkit.execute('terminal_run', { command: 'true' });
    const [reached, refused, none] = records;
    expect(reached?.network).toEqual([{ host: 'packages.example.com', port: 443, outcome: 'reached', times: 1 }]);
    expect(refused?.network).toEqual([
      {
        host: 'other.example.com',
        port: 443,
        outcome: 'refused',
        message: 'other.example.com:443 is not allowed (network.allow)',
        times: 1,
      },
    ]);
    expect(none?.network).toBeUndefined();
  });
});

describe('the option', () => {
  it('is refused where it cannot be read', () => {
    for (const [allow, message] of [
      [['https://a.example'], 'confine.network.allow[0]: leave out the scheme, such as `https://`'],
      [['a.example', '*'], 'confine.network.allow[1]: `*` alone is every host: ask for the network `any`'],
      [['127.1'], 'confine.network.allow[0]: it is an IPv4 address in another form'],
      [['localhost:61080'], 'confine.network.allow: port 61080 is that of the way out itself'],
    ] as const) {
      expect(() => new Terminal({ deny: [], confine: { network: { allow } } })).toThrow(message);
    }
    const wrong = { allow: 'a.example' } as never;
    expect(() => new Terminal({ deny: [], confine: { network: wrong } })).toThrow(
      '`confine.network.allow` to be an array',
    );
    expect(() => new Terminal({ deny: [], confine: { network: {} as never } })).toThrow('`confine.network.allow`');
  });

  it('is one for all programs of a toolkit', async () => {
    await expect(toolkit.sessions.open('cat', { confine: { network: { allow: ['a.example'] } } })).rejects.toThrow(
      "Expected `confine.network` of one program to be 'none', 'any' or that of its toolkit",
    );
    await expect(toolkit.sessions.open('cat', { confine: { network: 'loopback' } })).rejects.toThrow('its toolkit');
    const session = await toolkit.sessions.open('bash --norc');
    const answer = await session.send('curl -sk https://packages.example.com/hello', { until: { text: 'afar' } });
    expect(answer.text).toContain('hello from afar');
    await session.close();
  });

  it('reaches nothing when the list is empty', async () => {
    await using closed = new Terminal({ deny: [], confine: { network: { allow: [] } } });
    const result = await closed.run('curl -sS http://packages.example.com/hello');
    expect(result.stdout).toContain('packages.example.com:80 is not allowed (network.allow)');
  });
});
