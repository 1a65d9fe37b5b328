/** `confine.network: { allow: 'registries' }`: what settings name is reached, as it was when the toolkit was made. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { REGISTRIES } from '../../ts/config/registry-table.js';
import { createToolkit, Terminal } from '../../ts/index.js';
import { Engine } from '../../ts/terminal/engine.js';
import { type Internet, internet } from './host.js';

/** What npm and pip ask where nothing else is said. */
const [NPM = ''] = REGISTRIES.npm.defaults;
const [PIP = ''] = REGISTRIES.pip.defaults;

const folder = mkdtempSync(path.join(os.tmpdir(), 'handrail-registries-'));
const root = path.join(folder, 'root');
const home = path.join(folder, 'home');
let net: Internet;
/** A registry at this machine's loopback. */
let local: http.Server;
let port: number;

beforeAll(async () => {
  const files = path.join(folder, 'files');
  for (const made of [root, home, files]) mkdirSync(made);
  writeFileSync(path.join(files, 'hello'), 'hello from afar\n');
  net = await internet(files, folder);
  local = http.createServer((_, response) => response.end('hello from here\n'));
  port = await new Promise((resolve) => {
    local.listen(0, '127.0.0.1', () => resolve((local.address() as AddressInfo).port));
  });
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_CONFIG_HOME', undefined);
  for (const name of ['https_proxy', 'http_proxy']) vi.stubEnv(name, net.proxy);
  for (const name of Object.keys(process.env)) if (/^npm_config_|^no_proxy$/i.test(name)) vi.stubEnv(name, undefined);
  writeFileSync(path.join(home, '.npmrc'), `@here:registry=http://127.0.0.1:${port}/\n`);
  writeFileSync(
    path.join(root, '.npmrc'),
    'registry=https://packages.example.com/npm\n@a:registry=http://169.254.169.254/\n@b:registry=http://127.0.0.1:61081/\n',
  );
  writeFileSync(path.join(root, 'package.json'), '{ "name": "x" }\n');
});

afterAll(async () => {
  vi.unstubAllEnvs();
  local.close();
  await net?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const registries = { deny: [], shell: 'bash', roots: [root], confine: { network: { allow: 'registries' } } } as const;

describe('registries', () => {
  it('are reached: those of the project, of the host and of the package manager', async () => {
    await using terminal = new Terminal(registries);
    for (const [command, text] of [
      ['curl -sk https://packages.example.com/hello', 'hello from afar\n'],
      [`curl -sk https://${REGISTRIES.npm.defaults[0]}/hello`, 'hello from afar\n'],
      [`curl -sk https://${REGISTRIES.pip.defaults[1]}/hello`, 'hello from afar\n'],
      [`curl -s http://127.0.0.1:${port}/`, 'hello from here\n'],
    ] as const) {
      expect(await terminal.run(command), command).toMatchObject({ ok: true, stdout: text });
    }
    const { registries: reported } = terminal.capabilities();
    expect(reported).toContainEqual({ entry: 'packages.example.com', from: '.npmrc' });
    expect(reported).toContainEqual({ entry: `127.0.0.1:${port}`, from: path.join(home, '.npmrc') });
    expect(reported).toContainEqual({ entry: REGISTRIES.npm.defaults[0], from: 'npm' });
  });

  it('are those of when the terminal was made, and no address that the project names', async () => {
    const attempts = [
      `echo 'index-url = "https://evil.example"' > uv.toml; curl -skS https://evil.example/hello`,
      'curl -sS --noproxy x http://169.254.169.254/hello',
      'curl -sS --noproxy x --proxy socks5://127.0.0.1:61080 http://169.254.169.254/hello',
      'curl -sS http://packages.example.com:8080/hello',
    ];
    await using terminal = new Terminal(registries);
    const asked = net.asked.length;
    for (const attempt of attempts) {
      const { stdout } = await terminal.run(attempt);
      expect({ attempt, reached: stdout.includes('hello') }).toEqual({ attempt, reached: false });
    }
    expect(net.asked.length).toBe(asked);
    const inherit = ['http_proxy', 'https_proxy'];
    await using open = new Terminal({ ...registries, confine: { network: 'any' }, env: { inherit } });
    for (const attempt of attempts) {
      const { stdout } = await open.run(attempt.replace(/--proxy \S+/, ''));
      expect({ attempt, reached: stdout.includes('hello') }).toEqual({ attempt, reached: true });
    }
    // The next one takes what was written for a setting of the project.
    await using next = new Terminal(registries);
    expect(next.capabilities().registries).toContainEqual({ entry: 'evil.example', from: 'uv.toml' });
    rmSync(path.join(root, 'uv.toml'));
  });

  it('stand among other entries, and the advice for a refused host keeps them', async () => {
    const command = 'curl -sSk https://other.example.com/hello';
    await using terminal = new Terminal(registries);
    const { blocked = [] } = await terminal.run(command);
    const [advice] = blocked[0]?.advice ?? [];
    expect(advice).toEqual({
      kind: 'option',
      name: 'confine.network.allow',
      value: 'other.example.com',
      keeping: ['registries'],
    });
    const allow = ['registries', 'other.example.com'];
    await using lifted = new Terminal({ ...registries, confine: { network: { allow } } });
    for (const host of ['other.example.com', 'packages.example.com']) {
      expect(await lifted.run(`curl -sk https://${host}/hello`), host).toMatchObject({ ok: true });
    }
    expect(() => new Terminal({ ...registries, confine: { network: { allow: ['registries', 'x', '*'] } } })).toThrow(
      'confine.network.allow[2]: `*` alone',
    );
  });
});

describe('a preset', () => {
  it('reaches the registries of its kinds, and what the host names in their place', async () => {
    await using toolkit = await createToolkit({ workspace: root, project: 'node' });
    const hosts = toolkit.capabilities().registries.map(({ entry }) => entry);
    expect(hosts).toContain(NPM);
    expect(hosts).not.toContain(PIP);
    const run = (url: string) => toolkit.terminal.run(`curl -sk ${url}`);
    expect(await run(`https://${NPM}/hello`)).toMatchObject({ ok: true });
    expect((await run(`https://${PIP}/hello`)).ok).toBe(false);
    await using open = await createToolkit({
      workspace: root,
      project: 'node',
      terminal: { confine: { network: 'any' }, env: { inherit: ['https_proxy'] } },
    });
    expect(await open.terminal.run(`curl -sk https://${PIP}/hello`)).toMatchObject({ ok: true });
    expect(open.capabilities().registries).toEqual([]);
  });

  it('goes on where commands can have no network of their own, unless the host chose the network', async () => {
    const engine = new Engine({ kernel: { landlock: 7, filters: true, namespaces: false }, roots: [root] });
    const options = { deny: [], shell: 'bash', roots: [root] } as const;
    const network = { allow: 'registries' } as const;
    const project = { tools: ['npm'], folders: [root], isImplied: true } as const;
    const env = { inherit: ['https_proxy'] };
    await using implied = new Terminal({ ...options, env, confine: { network } }, { engine, project });
    const command = `curl -sk https://${PIP}/hello`;
    expect(await implied.run(command)).toMatchObject({ ok: true, stdout: 'hello from afar\n' });
    expect(implied.capabilities().features.find(({ feature }) => feature === 'network')).toMatchObject({
      level: 'unavailable',
      detail: expect.stringContaining('commands reach everything'),
    });
    const required = { ...options, confine: { network }, require: ['network'] } as const;
    await using strict = new Terminal(required, { engine, project });
    await expect(strict.run('true')).rejects.toThrow("`require` names 'network'");
    await using chosen = new Terminal(
      { ...options, confine: { network } },
      { engine, project: { ...project, isImplied: false } },
    );
    expect((await chosen.run(command)).ok).toBe(false);
    await engine.close();
  });

  it('goes on where no way out leads through the proxy of the host, unless the host chose the network', async () => {
    vi.stubEnv('https_proxy', 'socks5://proxy.example:1080');
    await using implied = await createToolkit({ workspace: root, project: 'node' });
    expect(await implied.terminal.run('node -p 42')).toMatchObject({ stdout: '42\n' });
    expect(implied.capabilities().features.find(({ feature }) => feature === 'network')).toMatchObject({
      level: 'unavailable',
      detail: expect.stringMatching(/HTTPS_PROXY .* scheme is not `http:\/\/`.*: commands reach everything/),
    });
    const chosen = createToolkit({ workspace: root, terminal: { confine: { network: { allow: 'registries' } } } });
    await expect(chosen).rejects.toThrow('its scheme is not `http://`');
    vi.stubEnv('https_proxy', net.proxy);
  });
});
