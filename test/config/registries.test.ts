/** Which hosts the settings of package managers name, and which of them may lead into this machine's own network. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { type RegistryQuestion, registryHosts } from '../../ts/config/registries.js';
import { type PackageTool, REGISTRIES } from '../../ts/config/registry-table.js';

const base = mkdtempSync(path.join(tmpdir(), 'handrail-registries-'));
let count = 0;
let home = '';
let work = '';

beforeEach(() => {
  count += 1;
  [home, work] = [path.join(base, `home${count}`), path.join(base, `work${count}`)];
  vi.stubEnv('HOME', home);
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true });
});

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The hosts that settings name, without those that the package manager knows. */
function named(tool: PackageTool, question: Partial<RegistryQuestion> = {}): Record<string, string> {
  const hosts = registryHosts({
    tools: [tool],
    host: {},
    set: {},
    folders: [work],
    isWritable: (file) => file.startsWith(work),
    ...question,
  });
  // What this machine has for all of its users is not of these tests.
  const own = hosts.filter(({ from }) => from !== tool && !/^\/(?:etc|usr)\//.test(from));
  return Object.fromEntries(own.map(({ entry, from, isOwn }) => [entry, `${isOwn ? 'own ' : ''}${from}`]));
}

describe('the settings of a project', () => {
  it.each<[PackageTool, string, string, readonly string[]]>([
    [
      'npm',
      '.npmrc',
      'registry=https://a.example/npm/\n@corp:registry = https://b.example:8443\n',
      ['a.example', 'b.example:8443'],
    ],
    ['npm', '.npmrc', '; registry=https://a.example\nemail=x@a.example\n//b.example/:_authToken=x\n', []],
    [
      'npm',
      '.npmrc',
      'disturl=https://a.example/headers\nelectron_mirror="https://b.example/e/"\n',
      ['a.example', 'b.example'],
    ],
    [
      'npm',
      '.yarnrc',
      'registry "https://a.example/"\n"@corp:registry" "https://b.example"\nlastUpdateCheck 1\n',
      ['a.example', 'b.example'],
    ],
    [
      'npm',
      '.yarnrc.yml',
      'npmRegistryServer: "https://a.example"\nnpmScopes:\n  corp:\n    npmRegistryServer: https://b.example\nnodeLinker: x\n',
      ['a.example', 'b.example'],
    ],
    [
      'npm',
      'bunfig.toml',
      '[install]\nregistry = "https://a.example"\n[install.scopes]\ncorp = { url = "https://b.example" }\n',
      ['a.example', 'b.example'],
    ],
    ['npm', 'pnpm-workspace.yaml', 'registry: https://a.example\ncatalog:\n  x: https://b.example\n', ['a.example']],
    [
      'pip',
      'pyproject.toml',
      '[project]\nurls = { home = "https://no.example" }\n[[tool.uv.index]]\nname = "x"\nurl = "https://a.example/simple" # https://no.example\n' +
        '[tool.uv]\nextra-index-url = [\n  "https://b.example",\n]\n[[tool.poetry.source]]\nurl = \'https://c.example\'\n' +
        '[tool.uv.sources]\nx = { url = "https://no.example/x.whl" }\n',
      ['a.example', 'b.example', 'c.example'],
    ],
    ['pip', 'Pipfile', '[[source]]\nurl = "https://a.example/simple"\n[packages]\nx = "*"\n', ['a.example']],
    [
      'pip',
      'uv.toml',
      'index-url = "https://a.example"\n[[index]]\nurl = "https://b.example"\n',
      ['a.example', 'b.example'],
    ],
    [
      'pip',
      '.venv/pip.conf',
      '[global]\nextra-index-url =\n  https://a.example/x\n  https://b.example/y\n',
      ['a.example', 'b.example'],
    ],
    [
      'pip',
      'requirements-dev.txt',
      '-i https://a.example/simple\n--extra-index-url=https://b.example\npkg @ https://no.example/x.whl\nx==1\n',
      ['a.example', 'b.example'],
    ],
    [
      'cargo',
      '.cargo/config.toml',
      '[registries.corp]\nindex = "sparse+https://a.example/index/"\n[source.mirror]\nregistry = "https://b.example/git"\n' +
        '[build]\nrustc-wrapper = "https://no.example"\n',
      ['a.example', 'b.example'],
    ],
    ['cargo', '.cargo/config', 'registries.corp.index = "https://a.example"\n', ['a.example']],
  ])('of %s in %s', (tool, file, text, hosts) => {
    write(work, { [file]: text });
    expect(Object.keys(named(tool)).sort()).toEqual([...hosts].sort());
    expect(new Set(Object.values(named(tool)))).toEqual(new Set(hosts.length === 0 ? [] : [file]));
  });

  it('name no address and not this machine, in any spelling', () => {
    const hosts = [
      ...['169.254.169.254', '127.0.0.1:4873', '10.0.0.7', '0x7f000001', '2130706433', '0177.0.0.1', '127.1'],
      ...[
        '[::1]:4873',
        '[::ffff:10.0.0.7]',
        '[fd00:ec2::254]',
        'localhost:4873',
        'LOCALHOST.',
        'x.localhost',
        '1.1.1.1',
      ],
      ...['127。0。0。1', '１２７.0.0.1', '%31%32%37.0.0.1'],
    ];
    write(work, { '.npmrc': hosts.map((host, index) => `@s${index}:registry=http://${host}/\n`).join('') });
    expect(named('npm')).toEqual({});
    // They do where the host's own settings name them.
    write(home, {
      '.npmrc': 'registry=http://localhost:4873/\n@a:registry=http://10.0.0.7\n@b:registry=https://[fd00::7]:8443\n',
    });
    const file = `own ${path.join(home, '.npmrc')}`;
    expect(named('npm')).toEqual({ 'localhost:4873': file, '10.0.0.7:80': file, '[fd00::7]:8443': file });
  });

  it('show no password, and no host that an allow list would refuse', () => {
    write(work, {
      '.npmrc':
        'registry=https://ann:pw,of;ann@a.example/x\n@b:registry=https://ann:12,3@b.example\n@c:registry=https://$' +
        '{TOKEN}.c.example\n' +
        '@d:registry=https://d..example\n@e:registry=https://e.example:99999\n@f:registry=https://ann:pw@f.example/?t=pw\n' +
        '@g:registry=https://*.g.example\n@h:registry=file:///x\n@i:registry=https://bücher.example\n',
    });
    expect(Object.keys(named('npm'))).toEqual(['f.example', 'xn--bcher-kva.example']);
  });

  it('are read of regular files, and as far as they are bounded', () => {
    write(work, { '.npmrc': `${'@a:registry=https://x.example\n'.padEnd(5_000, ' ')}\n` });
    symlinkSync('/dev/zero', path.join(work, '.yarnrc'));
    mkdirSync(path.join(work, 'bunfig.toml'));
    const many = Array.from({ length: 400 }, (_, index) => `@s${index}:registry=https://h${index}.example\n`);
    write(work, { 'pnpm-workspace.yaml': 'registry: https://y.example\n' });
    expect(Object.keys(named('npm')).sort()).toEqual(['x.example', 'y.example']);
    write(work, { '.npmrc': many.join('') });
    expect(Object.keys(named('npm')).length).toBe(256);
    // Text that has to be looked through again and again takes no time.
    write(work, { '.npmrc': '', 'bunfig.toml.not': '', 'pyproject.toml': `x = ${'"\\"'.repeat(20_000)}\n` });
    expect(named('pip')).toEqual({});
  });
});

describe('the settings of the host', () => {
  it('are in its home, its variables and what these name', () => {
    write(home, {
      '.npmrc': 'registry=https://npm.example\n',
      'other/npmrc': 'registry=https://named.example\n',
      '.config/pip/pip.conf': '[global]\nindex-url = https://pip.example/simple\n',
      '.config/uv/uv.toml': '[[index]]\nurl = "https://uv.example"\n',
      '.cargo/config.toml':
        '[source.crates-io]\nreplace-with = "m"\n[source.m]\nregistry = "sparse+https://cargo.example/"\n',
      '.config/go/env': 'GOPROXY=https://go.example,direct\nGOSUMDB=sum.example+key https://sumdb.example\n',
    });
    const own = (name: string): string => `own ${path.join(home, name)}`;
    const host = {
      npm_config_userconfig: path.join(home, 'other/npmrc'),
      npm_config_registry: 'https://variable.example',
      UV_INDEX: 'corp=https://index.example',
      GOPROXY: 'https://a.example|https://b.example:3000,off',
      GOSUMDB: 'sum.golang.google.cn',
      CARGO_REGISTRIES_CORP_INDEX: 'sparse+https://corp.example/',
    };
    expect(named('npm', { host })).toEqual({
      'variable.example': 'own npm_config_registry',
      'named.example': own('other/npmrc'),
      'npm.example': own('.npmrc'),
    });
    expect(named('pip', { host })).toEqual({
      'index.example': 'own UV_INDEX',
      'pip.example': own('.config/pip/pip.conf'),
      'uv.example': own('.config/uv/uv.toml'),
    });
    expect(named('cargo', { host })).toEqual({
      'corp.example': 'own CARGO_REGISTRIES_CORP_INDEX',
      'cargo.example': own('.cargo/config.toml'),
    });
    expect(named('go', { host })).toEqual({
      'a.example': 'own GOPROXY',
      'b.example:3000': 'own GOPROXY',
      'sum.golang.google.cn': 'own GOSUMDB',
      'go.example': own('.config/go/env'),
      'sumdb.example': own('.config/go/env'),
    });
  });

  it("are the project's where commands may write to them, and stay the host's where the project names them too", () => {
    write(work, {
      '.npmrc': 'registry=http://10.0.0.7/\n@a:registry=https://a.example\n',
      'home/.npmrc': '@b:registry=https://b.example\n',
    });
    write(home, { '.npmrc': '@a:registry=https://a.example\n' });
    expect(named('npm')).toEqual({ 'a.example': `own ${path.join(home, '.npmrc')}, .npmrc` });
    vi.stubEnv('HOME', path.join(work, 'home'));
    expect(named('npm', { folders: [] })).toEqual({ 'b.example': path.join(work, 'home/.npmrc') });
  });
});

it('the package managers know hosts by themselves', () => {
  const hosts = registryHosts({ host: {}, set: {}, folders: [], isWritable: () => false });
  const known = (tool: string) => hosts.filter(({ from }) => from === tool).map(({ entry }) => entry);
  for (const tool of ['npm', 'pip', 'cargo', 'go'] as const) {
    expect(known(tool)).toEqual(REGISTRIES[tool].defaults);
    expect(known(tool).length).toBeGreaterThan(1);
  }
});
