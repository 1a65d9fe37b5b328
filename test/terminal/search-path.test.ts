import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { Terminal } from '../../ts/index.js';
import { searchFolders } from '../../ts/terminal/search-path.js';
import { withoutShims } from '../../ts/terminal/shims.js';

const NODE = path.dirname(process.execPath);

/** A folder that nobody else may write to, down from `/`. */
let base: string;
const at = (...names: string[]) => path.join(base, ...names);

/** A program that prints its own path. */
function plant(...names: string[]): void {
  mkdirSync(path.dirname(at(...names)), { recursive: true });
  copyFileSync('/bin/true', at(...names));
  chmodSync(at(...names), 0o755);
}

beforeAll(() => {
  base = realpathSync(mkdtempSync(path.join(process.getuid?.() === 0 ? '/root' : homedir(), '.handrail-search-')));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

function order(PATH: string, given = { first: [] as string[], last: [] as string[] }, env = {}): string[] {
  return searchFolders(given, env, { PATH }, '/').map((folder) => folder.path);
}

describe('the folders in which programs are found', () => {
  test("are those of the host's PATH, between the first and the last, then the system's", () => {
    const folders = order('/opt/b:/usr/bin:/opt/a', { first: ['/opt/first'], last: ['/opt/last'] });
    const expected = ['/opt/first', '/opt/b', '/usr/bin', '/opt/a', '/usr/local/bin', '/bin', '/opt/last'];
    expect(folders.filter((folder) => folder !== NODE || expected.includes(NODE))).toEqual(expected);
  });

  test('are those of the PATH that the host sets for commands, which takes the place of its own', () => {
    const folders = order('/opt/a', undefined, { set: { PATH: '/opt/b' } });
    expect(folders[0] === NODE ? folders[1] : folders[0]).toBe('/opt/b');
    expect(folders).not.toContain('/opt/a');
  });

  test('have the folder of the Node that runs the host before any other with a node, and none is moved for it', () => {
    plant('other', 'node');
    mkdirSync(at('tools'), { recursive: true });
    expect(order(`${at('tools')}:${at('other')}`).slice(0, 3)).toEqual([at('tools'), NODE, at('other')]);
    mkdirSync(at('linked'), { recursive: true });
    symlinkSync(process.execPath, at('linked', 'node'));
    expect(order(`${at('linked')}:${at('other')}`).slice(0, 2)).toEqual([at('linked'), at('other')]);
  });

  test('may be required only where the host names them', () => {
    const folders = searchFolders({ first: ['/opt/first'], last: [] }, {}, { PATH: '/opt/a:.:bin' }, '/');
    const optional = folders.filter((folder) => !folder.required).map((folder) => folder.path);
    expect(optional).toEqual(['/opt/a', '.', 'bin']);
  });
});

describe('a version manager', () => {
  test('is passed over: its shims are replaced by the versions that they would start', () => {
    const host = { PYENV_ROOT: at('pyenv'), ASDF_DATA_DIR: at('asdf') };
    mkdirSync(at('pyenv'), { recursive: true });
    mkdirSync(at('project', 'deep'), { recursive: true });
    writeFileSync(at('pyenv', 'version'), '3.12.1\nsystem\n');
    const shims = [at('pyenv', 'shims'), '/usr/bin', at('asdf', 'shims')];
    const versions = (cwd: string, more = {}) =>
      withoutShims(shims, { ...host, ...more }, cwd).map((folder) => path.relative(base, folder));
    expect(versions(at('project'))[0]).toBe('pyenv/versions/3.12.1/bin');
    writeFileSync(at('project', '.python-version'), '3.10.1 3.9.2 # a comment\n../../evil\n');
    writeFileSync(at('project', '.tool-versions'), 'nodejs 20.1.0\ngolang 1.22.0\npython system\n');
    expect(versions(at('project', 'deep')).filter((folder) => !folder.startsWith('..'))).toEqual([
      'pyenv/versions/3.10.1/bin',
      'pyenv/versions/3.9.2/bin',
      'asdf/installs/nodejs/20.1.0/bin',
      'asdf/installs/nodejs/20.1.0',
      'asdf/installs/golang/1.22.0/bin',
      'asdf/installs/golang/1.22.0/go/bin',
    ]);
    expect(versions(at('project'), { PYENV_VERSION: '3.8.8' })[0]).toBe('pyenv/versions/3.8.8/bin');
  });

  test('is known in the home of another user too', () => {
    mkdirSync(at('other', '.pyenv'), { recursive: true });
    writeFileSync(at('other', '.pyenv', 'version'), '3.11.7\n');
    const folders = [at('other', '.pyenv', 'shims'), at('own', 'shims')];
    expect(withoutShims(folders, {}, base)).toEqual([at('other', '.pyenv', 'versions/3.11.7/bin'), at('own', 'shims')]);
  });
});

test('a command and what it starts find the same program, and never a planted one', async () => {
  mkdirSync(at('work', 'bin'), { recursive: true });
  mkdirSync(at('open'), { recursive: true });
  chmodSync(at('open'), 0o777);
  for (const folder of [['work', 'bin'], ['open'], ['mine'], ['set']]) plant(...folder, 'handrail-tool');
  plant('mine', 'rustc');
  const PATH = [at('work', 'bin'), 'bin', at('open'), at('missing'), at('mine'), '/usr/bin'].join(':');
  vi.stubEnv('PATH', PATH);
  try {
    const allow = ['handrail-tool', 'rustc', 'printenv', 'bash'];
    const options = { allow, shell: 'bash', roots: [at('work')] } as const;
    await using terminal = new Terminal(options);
    const where = await terminal.run('type -P handrail-tool rustc');
    expect(where.output.trim().split('\n')).toEqual([at('mine', 'handrail-tool'), at('mine', 'rustc')]);
    const seen = (await terminal.run(['printenv', 'PATH'])).output.trim();
    expect((await terminal.run('printenv PATH')).output.trim()).toBe(seen);
    expect(seen.split(':')[seen.startsWith(NODE) ? 1 : 0]).toBe(at('mine'));
    expect((await terminal.run(['handrail-tool'])).ok).toBe(true);
    expect(terminal.searchPath().filter((folder) => folder.leftOut !== undefined)).toEqual([
      { path: at('work', 'bin'), leftOut: 'commands' },
      { path: 'bin', leftOut: 'relative' },
      { path: at('open'), leftOut: 'others' },
      { path: at('missing'), leftOut: 'absent' },
    ]);
    await using chosen = new Terminal({ ...options, env: { set: { PATH: at('set') } } });
    expect((await chosen.run('type -P handrail-tool')).output.trim()).toBe(at('set', 'handrail-tool'));
  } finally {
    vi.unstubAllEnvs();
  }
});

test('node is the one that runs the host', async () => {
  await using terminal = new Terminal({ allow: ['node'], path: { first: [tmpdir()] } });
  expect((await terminal.run(['node', '-v'])).output.trim()).toBe(process.version);
});
