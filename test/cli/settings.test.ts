/** Settings: where they come from, which of them counts, and whose file is obeyed. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../ts/cli/command-table.js';
import { SETTINGS, variableOf } from '../../ts/cli/settings.js';
import { Files, Terminal } from '../../ts/index.js';
import { temporaryFolder } from '../compat/terminal-environment.js';
import { type Ended, runCommandLine } from '../support/cli.js';

const temporary = temporaryFolder();
let folder: string;
let home: string;

beforeEach(() => {
  const own = realpathSync(temporary());
  [folder, home] = [path.join(own, 'work'), path.join(own, 'home')];
  mkdirSync(folder);
});

interface Where {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

/** The command line in the folder of the test, which has a list of trusted files of its own. */
function handrail(args: readonly string[], { cwd = '.', env = {} }: Where = {}): Promise<Ended> {
  const own = { XDG_CONFIG_HOME: home, ...env };
  return runCommandLine(args, { cwd: path.join(folder, cwd), env: own });
}

/** Writes a settings file, and trusts it. */
async function settings(text: string, where = '.'): Promise<string> {
  const file = path.join(folder, where, 'handrail.toml');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
  expect(await handrail(['trust'], { cwd: where })).toMatchObject({ code: 0, stderr: '' });
  return file;
}

interface Setting {
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

/** What doctor says of one setting. */
async function shown(name: string, where?: Where): Promise<Setting | undefined> {
  const { stdout } = await handrail(['doctor', '--json'], where);
  return (JSON.parse(stdout) as { settings: Setting[] }).settings.find((setting) => setting.name === name);
}

const FAILED = 125;

describe('a setting', () => {
  it('is what the flag says, else the variable, else the file, else the default', async () => {
    await settings('allow = ["ls"]\n\ntimeout = 1000\n');
    const env = { HANDRAIL_TIMEOUT: 'soon' };
    expect(await handrail(['run', '--timeout', '9000', 'ls'], { env })).toMatchObject({ code: 0 });
    const { code, stderr } = await handrail(['run', 'ls'], { env });
    expect({ code, stderr }).toMatchObject({ code: FAILED });
    expect(stderr).toContain('HANDRAIL_TIMEOUT takes a whole number of milliseconds');
    expect(await handrail(['run', 'ls'])).toMatchObject({ code: 0, stdout: 'handrail.toml\n' });
    expect(await handrail(['run', '--no-config', 'ls'])).toMatchObject({ code: 123 });
  });

  it('in two spellings is what the one says that is nearer to the command line', async () => {
    await settings('allow = ["true"]\nallow-host = ["a.example"]\n');
    const network = async (flags: readonly string[], env: Record<string, string> = {}) => {
      const { stdout } = await handrail(['run', '--json', ...flags, '--', 'true'], { env });
      const { sandbox } = JSON.parse(stdout) as { sandbox?: { enforced: string[] } };
      if (sandbox === undefined) return stdout;
      const isOwn = sandbox.enforced.some((line) => line === 'network namespace' || line === 'no network at all');
      const isHeld = sandbox.enforced.some((line) => line.startsWith('network: '));
      return [isHeld, isOwn];
    };
    const none = [true, false];
    const anything = [false, false];
    expect(await network([])).toEqual([true, true]);
    expect(await network(['--network', 'none'])).toEqual(none);
    expect(await network([], { HANDRAIL_NETWORK: 'none' })).toEqual(none);
    expect(await network(['--network', 'any'], { HANDRAIL_ALLOW_HOST: 'b.example' })).toEqual(anything);
    expect(await network(['--allow-host', 'b.example'], { HANDRAIL_NETWORK: 'none' })).toEqual([true, true]);
    const both = { HANDRAIL_NETWORK: 'none', HANDRAIL_ALLOW_HOST: 'b.example' };
    expect(await network([], both)).toContain('HANDRAIL_ALLOW_HOST and HANDRAIL_NETWORK exclude each other');
    expect(await network(['--network', 'none'], both)).toEqual(none);
    expect(await shown('network')).toEqual({
      name: 'network',
      value: 'as allow-host says',
      source: 'handrail.toml:2',
    });
    expect(await shown('network', { env: { HANDRAIL_NETWORK: 'none' } })).toMatchObject({ value: 'none' });
    expect(await shown('allow-host', { env: { HANDRAIL_NETWORK: 'none' } })).toMatchObject({
      value: 'as network says',
      source: 'HANDRAIL_NETWORK',
    });
  });

  it('of ask makes a use a question, as the option does', async () => {
    const explained = async (...args: string[]) => (await handrail(['explain', ...args])).code;
    expect(await explained('--allow', 'git', 'git push')).toBe(0);
    expect(await explained('--allow', 'git', '--ask', 'git push', 'git push origin HEAD')).toBe(3);
    await settings('allow = ["git"]\nask = ["git push", "git fetch"]\n');
    expect(await explained('git fetch')).toBe(3);
    expect(await explained('git log')).toBe(0);
  });

  it('is shown by doctor with the place it comes from', async () => {
    await settings('allow = ["ls", "echo hi"]\n\ntimeout = 1000\nlabel = true\nroot = "."\n');
    expect(await shown('allow')).toEqual({ name: 'allow', value: 'ls, echo hi', source: 'handrail.toml:1' });
    expect(await shown('timeout', { env: { HANDRAIL_TIMEOUT: '5' } })).toMatchObject({
      value: '5',
      source: 'HANDRAIL_TIMEOUT',
    });
    expect(await shown('label')).toMatchObject({ value: 'true', source: 'handrail.toml:4' });
    expect(await shown('root')).toMatchObject({ value: folder });
    expect(await shown('network')).toMatchObject({
      value: 'any, with project registries',
      source: 'default',
    });
    expect(await shown('pattern', { env: { HANDRAIL_PATTERN: 'password=hunter2' } })).toMatchObject({
      value: 'password=[REDACTED]',
    });
    const { stdout } = await handrail(['doctor']);
    expect(stdout).toContain('with handrail.toml:\n');
    expect(stdout).toContain('\nallow        ls, echo hi (handrail.toml:1)\n');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('can be given by all three, whatever command it is of', () => {
    const names = COMMANDS.flatMap(({ options }) => options).filter((option) => 'setting' in option);
    expect(new Set(SETTINGS.map(({ name }) => name))).toEqual(new Set(names.map(({ name }) => name)));
    expect(SETTINGS.map(({ name }) => variableOf(name))).toContain('HANDRAIL_SECRET_ENV');
  });

  it('is not what a variable of another name says', async () => {
    mkdirSync(path.join(folder, '.git'));
    const names = ['PORT', 'TEST', 'RATES', 'REQUIRE_FISH', 'FUZZ', 'ENTRY', 'SOAK', 'MCP', 'BUS'];
    const env = Object.fromEntries(names.map((name) => [`HANDRAIL_${name}`, 'x']));
    expect(await handrail(['run', '--allow', 'true', 'true'], { env })).toMatchObject({ code: 0 });
  });

  it('that cannot be used is what doctor says, beside all that it can say', async () => {
    writeFileSync(path.join(folder, 'handrail.toml'), 'allow = ["ls"]\n', { mode: 0o600 });
    const { code, stdout } = await handrail(['doctor', '--json']);
    expect(code).toBe(0);
    const problem = expect.stringContaining('handrail.toml is not trusted') as unknown;
    expect(JSON.parse(stdout)).toMatchObject({ config: null, settings: [], problem, node: process.versions.node });
    const text = (await handrail(['doctor'], { env: { HANDRAIL_TIMEOUT: '' } })).stdout;
    expect(text).toContain('Other commands cannot start here:\n');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    const usable = await handrail(['doctor', '--json', '--no-config']);
    expect(JSON.parse(usable.stdout)).toMatchObject({ config: null, problem: null });
    const mistaken = await handrail(['doctor', '--config', 'a', '--no-config']);
    expect(mistaken).toMatchObject({ code: FAILED, stdout: '' });
  });

  it('of redact comes from there too', async () => {
    writeFileSync(path.join(folder, 'build.log'), 'token=hunter2 acme-17\n');
    await settings('label = true\npattern = ["acme-[0-9]+"]\nsecret-env = ["DEPLOY"]\n');
    const { stdout } = await handrail(['redact', 'build.log'], { env: { DEPLOY: 'hunter2' } });
    expect(stdout).toMatch(/^token=\[REDACTED:.*\] \[REDACTED:.*\]\n$/);
    const { stderr } = await handrail(['redact', 'build.log'], { env: { DEPLOY: '' } });
    expect(stderr).toContain('handrail.toml:3: secret-env: the variable DEPLOY is empty');
  });

  it('that is an empty list names nothing', async () => {
    await settings('allow = []\n');
    expect(await handrail(['run', 'ls'])).toMatchObject({ code: 123 });
  });
});

describe('the settings file', () => {
  it('is the nearest, up to the folder with a .git', async () => {
    await settings('allow = ["ls"]\n');
    mkdirSync(path.join(folder, 'work/.git'), { recursive: true });
    mkdirSync(path.join(folder, 'deep/er'), { recursive: true });
    expect(await handrail(['run', 'ls'], { cwd: 'deep/er' })).toMatchObject({ code: 0 });
    expect((await handrail(['run', 'ls'], { cwd: 'work/.git' })).code).toBe(123);
    await settings('allow = ["cat"]\n', 'work');
    expect((await handrail(['run', 'ls'], { cwd: 'work' })).code).toBe(123);
    expect((await handrail(['run', '--config', '../handrail.toml', 'ls'], { cwd: 'work' })).code).toBe(0);
    const env = { HANDRAIL_CONFIG: '../handrail.toml' };
    expect((await handrail(['run', 'ls'], { cwd: 'work', env })).code).toBe(0);
  });

  it('names folders from where it lies, and commands run where somebody stands', async () => {
    mkdirSync(path.join(folder, 'deep'));
    writeFileSync(path.join(folder, 'deep/here.txt'), '');
    await settings('allow = ["ls"]\nroot = ["."]\n');
    expect(await handrail(['run', 'ls'], { cwd: 'deep' })).toMatchObject({ code: 0, stdout: 'here.txt\n' });
    expect((await handrail(['run', 'ls'], { cwd: 'deep' })).stderr).toContain('With the settings of ../handrail.toml.');
  });

  it.each([
    ['alow = ["ls"]\n', 'handrail.toml:1: there is no setting alow; did you mean allow?'],
    ['\n[confine]\nwrites = "any"\n', 'handrail.toml:3: there is no setting of this name'],
    ['hunter2hunter2hunter2hunter2 = 1\n', 'handrail.toml:1: there is no setting of this name'],
    ['allow = 7\n', 'handrail.toml:1: allow takes a list of texts'],
    ['allow = [["ls"]]\n', 'handrail.toml:1: allow takes a list of texts'],
    ['allow = ["ls", ""]\n', 'handrail.toml:1: allow has an empty entry'],
    ['label = "yes"\n', 'handrail.toml:1: label takes true or false'],
    ['timeout = [1]\n', 'handrail.toml:1: timeout takes one value'],
    ['\nallow = "ls\n', 'handrail.toml:2: this is not TOML'],
    ['allow = ["ls"]\nallow = ["ls"]\n', 'handrail.toml:2: this is not TOML'],
    [`# ${'a'.repeat(70_000)}\n`, 'handrail.toml has more than 65536 bytes'],
  ])('is told where it is wrong: %j', async (text, message) => {
    writeFileSync(path.join(folder, 'handrail.toml'), text, { mode: 0o600 });
    for (const args of [['run', '--config', 'handrail.toml', 'ls'], ['trust']]) {
      const { code, stderr } = await handrail(args);
      expect({ code, stderr }).toMatchObject({ code: FAILED });
      expect(stderr).toContain(`handrail: ${message}`);
    }
  });

  it.each([
    ['writes = "anywhere"\n', 'handrail.toml:1: writes takes roots, none or any'],
    ['allow = ["ls *"]\n', 'handrail.toml:1: allow entry 1 has a * that is not quoted'],
    ['allow = ["ls"]\nroot = ["none"]\n', 'is not a directory'],
    ['timeout = 0\n', 'handrail.toml:1: timeout takes a whole number'],
  ])('is named by mistakes in values: %j', async (text, message) => {
    await settings(text);
    const { code, stderr } = await handrail(['run', 'ls']);
    expect(code).toBe(FAILED);
    expect(stderr).toContain(message);
  });

  it('can be asked for as JSON errors', async () => {
    writeFileSync(path.join(folder, 'handrail.toml'), 'x', { mode: 0o600 });
    const { stdout } = await handrail(['run', '--json', '--config', 'handrail.toml', 'ls']);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'ERR_INVALID_CONFIG' } });
  });

  it.each([
    [['run', '--config', 'none.toml', 'ls'], {}, 'cannot be read (ENOENT)'],
    [['run', '--config', '.', 'ls'], {}, 'is no file'],
    [['run', '--config', 'a', '--no-config', 'ls'], {}, 'do not go together'],
    [['run', 'ls'], { HANDRAIL_ALLOW: '' }, 'HANDRAIL_ALLOW is empty'],
    [['run', 'ls'], { HANDRAIL_DENNY: 'ls' }, 'there is no setting HANDRAIL_DENNY; did you mean HANDRAIL_DENY?'],
    [['redact'], { HANDRAIL_CONFG: 'a' }, 'did you mean HANDRAIL_CONFIG?'],
    [['redact'], { HANDRAIL_LABEL: 'yes' }, 'HANDRAIL_LABEL takes true or false'],
    [['trust'], {}, 'there is no handrail.toml here or above'],
    [['trust', 'a', 'b'], {}, 'trust takes one FILE'],
  ])('%j with %j is a mistake', async (args, env, message) => {
    // A search that went on above would find what the machine has.
    mkdirSync(path.join(folder, '.git'));
    const { code, stderr } = await handrail(args, { env });
    expect(code).toBe(FAILED);
    expect(stderr).toContain(message);
  });
});

describe('a settings file that is not the user’s word', () => {
  it('is refused until it is trusted, and after it has changed', async () => {
    const file = path.join(folder, 'handrail.toml');
    writeFileSync(file, 'allow = ["ls"]\n', { mode: 0o600 });
    for (const args of [['run', 'ls'], ['explain', 'ls'], ['redact']]) {
      const { code, stderr } = await handrail(args);
      expect({ code, stderr }).toMatchObject({ code: FAILED });
      expect(stderr).toContain('handrail.toml is not trusted, or has changed since: read it, then `handrail trust`');
    }
    expect((await handrail(['trust'])).stdout).toContain('handrail.toml is trusted as it is now');
    expect((await handrail(['run', 'ls'])).code).toBe(0);
    writeFileSync(file, 'allow = ["ls", "cat"]\n');
    expect((await handrail(['run', 'ls'])).code).toBe(FAILED);
    expect((await handrail(['run', '--no-config', '--allow', 'ls', 'ls'])).code).toBe(0);
  });

  it('is refused when others can write it', async () => {
    const file = await settings('allow = ["ls"]\n');
    chmodSync(file, 0o606);
    for (const args of [['run', 'ls'], ['run', '--config', 'handrail.toml', 'ls'], ['trust']]) {
      const { code, stderr } = await handrail(args);
      expect(code).toBe(FAILED);
      expect(stderr).toContain('handrail.toml can be written by other users');
    }
    chmodSync(path.join(home, 'handrail/trusted'), 0o666);
    chmodSync(file, 0o600);
    expect((await handrail(['run', 'ls'])).stderr).toContain('the list of trusted files can be written by other users');
  });

  it.runIf(process.geteuid?.() === 0)('is refused when it belongs to somebody else', async () => {
    const file = await settings('allow = ["ls"]\n');
    chownSync(file, 65_534, 65_534);
    const { stderr } = await handrail(['run', 'ls']);
    expect(stderr).toContain('handrail.toml belongs to another user: read it, then `handrail trust`');
    expect(stderr).toContain('--no-config');
  });

  it.runIf(process.geteuid?.() === 0)('is passed over in a folder of somebody else', async () => {
    await settings('allow = ["ls"]\n');
    const other = path.join(folder, 'other');
    mkdirSync(path.join(other, 'deep'), { recursive: true });
    writeFileSync(path.join(other, 'handrail.toml'), 'allow = []\n');
    for (const name of [other, path.join(other, 'handrail.toml')]) chownSync(name, 65_534, 65_534);
    const { code, stderr } = await handrail(['run', 'ls'], { cwd: 'other/deep' });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('With the settings of ../../handrail.toml.');
  });

  it('is found when it is a link that leads nowhere', async () => {
    symlinkSync('nowhere', path.join(folder, 'handrail.toml'));
    expect((await handrail(['run', '--allow', 'ls', 'ls'])).stderr).toContain('cannot be read (ENOENT)');
  });
});

describe('an agent that would widen its own policy', () => {
  const WIDER = 'allow = ["cp", "cat", "id"]\n';

  it('changes the file with a command that may write there, and is found out', async () => {
    const file = await settings('allow = ["cp", "cat"]\n');
    mkdirSync(path.join(folder, 'wider'));
    writeFileSync(path.join(folder, 'wider/handrail.toml'), WIDER);
    // By its name it is a question; where no word says the name, nobody can ask.
    const named = await handrail(['run', '--root', '.', 'cp', 'wider/handrail.toml', 'handrail.toml']);
    expect(named).toMatchObject({ code: 123, stderr: expect.stringContaining('agent.settings') as unknown });
    const attack = ['run', '--root', '.', 'cp', '-rT', 'wider', '.'];
    expect((await handrail(['run', 'id'])).code).toBe(123);
    expect((await handrail(attack)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(WIDER);
    expect((await handrail(['run', 'id'])).code).toBe(FAILED);
    // Without the guard, for a file that is named, it gets what it wanted.
    expect((await handrail(['run', '--config', 'handrail.toml', 'id'])).code).toBe(0);
  });

  it('gets no root that holds the list of trusted files', async () => {
    mkdirSync(path.join(folder, 'real'));
    symlinkSync('real', path.join(folder, 'link'));
    for (const name of ['.', 'conf', 'link/conf', 'link']) {
      const env = { XDG_CONFIG_HOME: path.join(folder, name) };
      for (const args of [['run', '--root', '.', '--allow', 'ls', 'ls'], ['mcp']]) {
        const { code, stderr } = await handrail(args, { env });
        expect({ code, stderr }).toEqual({
          code: FAILED,
          stderr: expect.stringContaining('the list of trusted files lies where the tools write') as unknown,
        });
      }
    }
    // The name that the guard of the tools knows, and a list that is elsewhere.
    const env = { XDG_CONFIG_HOME: path.join(folder, '.config') };
    const args = ['run', '--root', '.', '--allow', 'true', 'true'];
    expect(await handrail(args, { env })).toMatchObject({ code: 0 });
    expect(await handrail(args)).toMatchObject({ code: 0 });
  });

  it('writes neither the file nor the list with a file tool or a redirection', async () => {
    const list = path.join(folder, '.config/handrail/trusted');
    mkdirSync(path.dirname(list), { recursive: true });
    const names = ['handrail.toml', './sub/../handrail.toml', 'sub/handrail.toml', list];
    mkdirSync(path.join(folder, 'sub'));
    await using files = new Files({ roots: [folder] });
    await using terminal = new Terminal({ shell: 'bash', allow: ['echo', 'tee'], roots: [folder] });
    for (const name of names) {
      expect(await files.write(name, WIDER)).toMatchObject({ ok: false, refusal: { rule: 'agent.settings' } });
      expect((await terminal.run(`echo x > ${name}`)).status).toBe('denied');
    }
    await using unguarded = new Files({ roots: [folder], writeBlocklist: 'none' });
    for (const name of names) {
      expect(await unguarded.write(name, WIDER)).toMatchObject({ ok: true });
      rmSync(path.resolve(folder, name));
    }
  });
});
