import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { plainList, withoutCredentials } from '../../ts/config/addresses.js';
import { createToolkit, Redactor, Terminal } from '../../ts/index.js';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-identity-')));
const home = path.join(base, 'home');
const work = path.join(base, 'work');

/** Not one of the forms that the redactor knows, so that only where it stands makes it a secret. */
const PASSWORD = 'pw-of-ann';

function write(name: string, text: string): void {
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

beforeAll(() => {
  mkdirSync(work, { recursive: true });
  write(
    '.gitconfig',
    `[user]\n\tname = "Ann \\"Q\\" \\\\ Example"\n\temail = ann@home.example\n[init]\n\tdefaultBranch = trunk\n` +
      '[core]\n\thooksPath = /planted\n[credential]\n\thelper = store\n' +
      `[url "https://ann:${PASSWORD}@git.example/"]\n\tinsteadOf = corp:\n[http]\n\textraHeader = X: ${PASSWORD}\n` +
      `[includeIf "gitdir:${work}/"]\n\tpath = work.inc\n`,
  );
  write('work.inc', '[user]\n\temail = ann@work.example\n');
  write(
    '.npmrc',
    `registry=https://ann:${PASSWORD}@npm.example/api/\n//npm.example/:_authToken=${PASSWORD}\n` +
      `@corp:registry = https://npm.example/corp/\nproxy=\${PROXY}\n_auth=${PASSWORD}\n`,
  );
  write('.git-credentials', `https://ann:${PASSWORD}@git.example\n`);
  write('.cargo/credentials.toml', `[registry]\ntoken = "${PASSWORD}"\n`);
  write(
    '.cargo/config.toml',
    `[registries.corp]\nindex = "sparse+https://ann:${PASSWORD}@cargo.example/index/"\ntoken = "${PASSWORD}"\n` +
      `[registry]\ntoken = "${PASSWORD}"\n[build]\nrustc-wrapper = "/planted"\n[source.crates-io]\nreplace-with = "corp"\n`,
  );
  write(
    '.config/pip/pip.conf',
    `[global]\nindex-url = https://ann:${PASSWORD}@pypi.example/simple\nextra-index-url =\n  https://a.example/x\n  https://ann:${PASSWORD}@b.example/y\n`,
  );
  write(
    '.config/go/env',
    `GOPROXY=https://ann:${PASSWORD}@go.example,direct\nGOPRIVATE=corp.example/*\nGOFLAGS=-toolexec=x\n`,
  );
  spawnSync('git', ['init', '-q', work]);
  // npm sets its settings as variables where it runs the tests.
  for (const name of Object.keys(process.env)) if (/^npm_config_/i.test(name)) vi.stubEnv(name, undefined);
  vi.stubEnv('HOME', home);
  vi.stubEnv('XDG_CONFIG_HOME', path.join(home, '.config'));
  vi.stubEnv('HTTPS_PROXY', `http://ann:${PASSWORD}@proxy.example:8080/?token=${PASSWORD}`);
  vi.stubEnv('NO_PROXY', 'localhost,.example,10.0.0.0/8');
  vi.stubEnv('TZ', 'Europe/Berlin');
  // A slash in a password is no part of an address: nothing of it is handed over.
  vi.stubEnv('UV_INDEX_URL', `https://ann:${PASSWORD}/x@uv.example/simple`);
  vi.stubEnv('GIT_CONFIG_GLOBAL', path.join(home, '.gitconfig'));
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

const OPTIONS = {
  shell: 'bash',
  allow: ['git', 'cat', 'printenv', 'ls', 'mv', 'mkdir', 'ln', 'rm'],
  roots: [work],
} as const;

test('commands have the identity and the registries of the user, and no secret of them', async () => {
  await using terminal = new Terminal(OPTIONS);
  const commit = await terminal.run('git commit -q --allow-empty -m x && git log -1 --format="%an <%ae> %D"');
  expect(commit.output).toBe('Ann "Q" \\ Example <ann@work.example> HEAD -> trunk\n'.replace('trunk', branch()));
  const files = await terminal.run('cat ~/.gitconfig ~/.npmrc ~/.cargo/config.toml');
  expect(files.output.trim().split('\n')).toEqual([
    '[user]',
    '\tname = "Ann \\"Q\\" \\\\ Example"',
    '[user]',
    '\temail = "ann@work.example"',
    '[init]',
    '\tdefaultbranch = "trunk"',
    'registry=https://npm.example/api/',
    '@corp:registry=https://npm.example/corp/',
    '[registries.corp]',
    'index = "sparse+https://cargo.example/index/"',
    '[source.crates-io]',
    'replace-with = "corp"',
  ]);
  const { output } = await terminal.run(['printenv']);
  expect(output.split('\n')).toEqual(
    expect.arrayContaining([
      'PIP_INDEX_URL=https://pypi.example/simple',
      'PIP_EXTRA_INDEX_URL=https://a.example/x https://b.example/y',
      'GOPROXY=https://go.example,direct',
      'GOPRIVATE=corp.example/*',
      'HTTPS_PROXY=http://proxy.example:8080/',
      'NO_PROXY=localhost,.example,10.0.0.0/8',
      'TZ=Europe/Berlin',
    ]),
  );
  expect(output).not.toMatch(/GOFLAGS|UV_INDEX_URL/);
  expect(files.output + output).not.toContain(PASSWORD);
});

/** How a command looks for the passwords of the settings above. */
const LOOKS: readonly (readonly [command: string, place: string])[] = [
  ['git config --list', '.gitconfig'],
  ['git config --get-urlmatch http.extraHeader https://git.example', '.gitconfig'],
  ['cat ~/.git-credentials', '.git-credentials'],
  ['cat ~/.npmrc', '.npmrc'],
  ['cat ~/.cargo/config.toml', '.cargo/config.toml'],
  ['cat ~/.cargo/credentials.toml', '.cargo/credentials.toml'],
  ['cat ~/.config/pip/pip.conf', '.config/pip/pip.conf'],
  ['cat ~/.config/go/env', '.config/go/env'],
  ['printenv HTTPS_PROXY', 'HTTPS_PROXY'],
  ['printenv UV_INDEX_URL', 'UV_INDEX_URL'],
];

test.each(LOOKS)('no password is there for `%s`, and there is where the home is handed over', async (command) => {
  await using terminal = new Terminal(OPTIONS);
  expect((await terminal.run(command)).output).not.toContain(PASSWORD);
  const env = { set: { HOME: home }, inherit: ['HTTPS_PROXY', 'UV_INDEX_URL', 'GIT_CONFIG_GLOBAL'] };
  // What commands read is another guard, and so is the redactor, which may know the form of a password.
  const confine = { reads: 'any' } as const;
  await using unguarded = new Terminal({ ...OPTIONS, env, confine, redactor: new Redactor({ rules: 'none' }) });
  const { output } = await unguarded.run(command);
  expect(output).toContain(PASSWORD);
});

/** The branch that git gave the repository, as its release or its user decided. */
function branch(): string {
  return spawnSync('git', ['-C', work, 'symbolic-ref', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
}

test("a repository's own values win, and a stored identity is a question", async () => {
  const own = path.join(work, 'own');
  spawnSync('git', ['init', '-q', own]);
  spawnSync('git', ['-C', own, 'config', 'user.email', 'own@repository.example']);
  await using terminal = new Terminal({ ...OPTIONS, cwd: own });
  expect((await terminal.run('git config user.email')).output).toBe('own@repository.example\n');
  expect(terminal.explain('git config user.email made@up.example').decision).toBe('ask');
});

test('the files of a home are new for each command, whatever the last one made of them', async () => {
  await using terminal = new Terminal(OPTIONS);
  const victim = path.join(work, 'victim');
  mkdirSync(victim, { recursive: true });
  writeFileSync(path.join(victim, 'config.toml'), 'kept');
  const attacks = [
    "fs.writeFileSync(home + '/.gitconfig', 'x')",
    "fs.rmSync(home + '/.gitconfig'); fs.mkdirSync(home + '/.gitconfig/deep', { recursive: true })",
    `fs.rmSync(home + '/.cargo', { recursive: true }); fs.symlinkSync('${victim}', home + '/.cargo')`,
    "fs.mkdirSync(home + '/more'); fs.renameSync(home + '/.npmrc', home + '/more/.npmrc')",
    'fs.rmSync(home, { recursive: true })',
  ];
  for (const attack of attacks) {
    const code = `const fs = require('fs'), home = process.env.HOME; ${attack}`;
    expect((await terminal.run(['node', '-e', code])).output, attack).toBe('');
    expect((await terminal.run('ls -A ~')).output, attack).toBe('.cargo\n.gitconfig\n.npmrc\n');
    expect((await terminal.run('git config user.name')).output, attack).toContain('Ann');
  }
  expect((await terminal.run(['cat', path.join(victim, 'config.toml')])).output).toBe('kept');
});

test('nothing of it is handed over where the host says so, nor a home of its own', async () => {
  await using terminal = new Terminal({ ...OPTIONS, env: { identity: false } });
  expect((await terminal.run('ls -A ~')).output).toBe('');
  expect((await terminal.run(['printenv'])).output).not.toMatch(/PIP_|PROXY|TZ=/);
  await using chosen = new Terminal({ ...OPTIONS, env: { set: { HOME: base, TZ: 'UTC' } } });
  expect((await chosen.run('ls -A ~')).output).not.toContain('.gitconfig');
  expect((await chosen.run(['printenv', 'TZ'])).output).toBe('UTC\n');
});

test('a session has the same home, and a tool of a toolkit', async () => {
  await using toolkit = await createToolkit({ roots: [work], terminal: { shell: 'bash', allow: ['git'] } });
  const result = await toolkit.terminal.run('git config user.email');
  expect(result.output).toBe('ann@work.example\n');
  const session = await toolkit.sessions.open('git', { args: ['config', 'user.email'] });
  await session.ended;
  expect((await session.history()).text).toContain('ann@work.example');
});

test.each([
  ['https://u:p@h/x?a=b#c', 'https://h/x'],
  ['u:p@h:8080', 'h:8080'],
  ['https://a@h1,https://h2|direct', 'https://h1,https://h2|direct'],
  ['https://u:p@ss@h/', 'https://h/'],
  ['https://u:p/x@h/', undefined],
  ['https://h/@scope', undefined],
  // A password may hold what separates addresses.
  ['http://bob:se,cret@proxy:3128', undefined],
  ['https://bob:12,34@proxy:3128', undefined],
  ['https://bob:to|ken@r/', undefined],
  ['http://bob:pa ss@proxy:1', undefined],
  ['https://bob:pw,d1@go.corp,direct', undefined],
  ['sparse+https://bob:se,cret@cargo.corp/', undefined],
  ['https://bob:a,https://b@h/', undefined],
  ['https://a.example/x https://u:p@b.example/y', 'https://a.example/x https://b.example/y'],
  ['https://u:p@[::1]:8080/,direct', 'https://[::1]:8080/,direct'],
  ['http://h:80/a:b,https://u@h', 'http://h:80/a:b,https://h'],
])('an address loses what may be a secret: %s', (address, expected) => {
  expect(withoutCredentials(address)).toBe(expected);
});

test('a plain list holds no address with a user', () => {
  expect(plainList('a.example,*.b,[::1]:80')).toBe('a.example,*.b,[::1]:80');
  expect(plainList('u:p@h')).toBeUndefined();
});
