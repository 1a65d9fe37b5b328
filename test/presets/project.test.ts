/** How `project` becomes options: what decides a kind, what the host's own options do beside it, where caches lie. */
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createToolkit, Terminal, type ToolkitOptions } from '../../ts/index.js';
import { projectOption } from '../../ts/presets/project.js';
import { Engine } from '../../ts/terminal/engine.js';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-project-')));
const hostCache = process.env['XDG_CACHE_HOME'];
let workspace: string;

beforeEach(() => {
  process.env['XDG_CACHE_HOME'] = path.join(folder, 'cache');
  workspace = mkdtempSync(path.join(folder, 'work-'));
});

afterAll(() => {
  if (hostCache === undefined) delete process.env['XDG_CACHE_HOME'];
  else process.env['XDG_CACHE_HOME'] = hostCache;
  rmSync(folder, { recursive: true, force: true });
});

function files(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
    writeFileSync(path.join(workspace, name), '');
  }
}

const detected = (where = '.') => {
  const { kinds, decidedBy } = projectOption('auto', path.join(workspace, where)) ?? {};
  return [kinds, decidedBy];
};

describe('auto', () => {
  it.each([
    ['package.json', 'node'],
    ['pyproject.toml', 'python'],
    ['setup.py', 'python'],
    ['requirements-dev.txt', 'python'],
    ['Cargo.toml', 'rust'],
    ['go.mod', 'go'],
  ])('takes %s for a project of %s', (file, kind) => {
    files(file);
    expect(detected()).toEqual([[kind], [file]]);
  });

  it('adds up several kinds', () => {
    files('go.mod', 'package.json', 'Makefile');
    expect(detected()).toEqual([
      ['node', 'go'],
      ['package.json', 'go.mod', 'Makefile'],
    ]);
  });

  it('takes a Makefile alone for a project that has what all share', () => {
    files('Makefile');
    expect(detected()).toEqual([[], ['Makefile']]);
  });

  it('looks above the workspace, as far as its repository goes', () => {
    files('go.mod', 'repository/.git/HEAD', 'repository/package.json', 'repository/packages/a/pyproject.toml');
    expect(detected('repository/packages/a')).toEqual([
      ['node', 'python'],
      ['pyproject.toml', '../../package.json'],
    ]);
  });

  it('looks nowhere above a workspace that is in no repository', () => {
    files('package.json', 'inner/Cargo.toml');
    expect(detected('inner')).toEqual([['rust'], ['Cargo.toml']]);
  });

  it('takes a folder that cannot be listed, or that no text names, for one without files', () => {
    const named = Buffer.concat([Buffer.from(`${workspace}/r`), Buffer.from([0xff])]);
    mkdirSync(named);
    for (const folder of [named.toString('utf8'), path.join(workspace, 'none')]) {
      expect(() => projectOption('auto', folder)).toThrow(expect.objectContaining({ code: 'ERR_NO_PROJECT' }));
    }
  });

  it('takes no folder for such a file', () => {
    mkdirSync(path.join(workspace, 'package.json'));
    expect(() => detected()).toThrow(expect.objectContaining({ code: 'ERR_NO_PROJECT', data: { name: 'project' } }));
  });
});

describe('a project that is named', () => {
  it('is one kind or several, in a fixed order', () => {
    expect(projectOption(['go', 'node'], workspace)).toMatchObject({ kinds: ['node', 'go'], decidedBy: [] });
    expect(projectOption('rust', workspace)?.kinds).toEqual(['rust']);
  });

  it.each([['java'], [['node', 'auto']], [7], [[undefined]], [null]])('is refused when it is %j', (value) => {
    expect(() => projectOption(value, workspace)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });
});

describe('options of the host beside a project', () => {
  async function explained(options: Omit<ToolkitOptions, 'workspace'>, ...commands: readonly string[]) {
    await using toolkit = await createToolkit({ workspace, ...options });
    return commands.map((command) => toolkit.explain('terminal_run', { command }).decision);
  }

  it('add to the rules', async () => {
    const terminal = { allow: ['terraform', { program: 'npm', args: ['publish'] }] };
    const commands = ['terraform plan', 'npm publish', 'npm test'];
    expect(await explained({ project: 'node', terminal }, ...commands)).toEqual(['allow', 'allow', 'allow']);
    expect(await explained({ project: 'node' }, ...commands)).toEqual(['deny', 'ask', 'allow']);
  });

  it('deny what presets allow', async () => {
    const terminal = { deny: [{ program: 'git', args: ['push'] }] };
    expect(await explained({ project: 'go', terminal }, 'git push', 'git log')).toEqual(['deny', 'allow']);
  });

  it('answer what presets ask about, and ask more', async () => {
    const commands = ['git push', 'git -C . push', 'git push --force', 'git log', 'env git push'];
    expect(await explained({ project: 'go' }, ...commands)).toEqual(['ask', 'ask', 'ask', 'allow', 'ask']);
    const push = { program: 'git', args: ['push'] };
    const answered = await explained({ project: 'go', terminal: { allow: [push] } }, ...commands);
    expect(answered).toEqual(['allow', 'ask', 'ask', 'allow', 'allow']);
    const asking = { ask: [{ program: 'git', args: ['log'] }] };
    expect(await explained({ project: 'go', terminal: asking }, 'git log', 'git push')).toEqual(['ask', 'ask']);
    const listed = { terminal: { allow: ['git'] } };
    expect(await explained(listed, 'git push', 'git -C . push')).toEqual(['allow', 'allow']);
  });

  it('replace what presets say otherwise', async () => {
    const terminal = { shell: 'none' } as const;
    expect(await explained({ project: 'node', terminal }, 'ls', 'ls | wc -l')).toEqual(['allow', 'deny']);
  });

  it('add interpreters to those of the presets', async () => {
    const terminal = { trustInterpreters: ['perl'] };
    expect(await explained({ project: 'node', terminal }, 'perl -e 1', 'node -e 1')).toEqual(['allow', 'allow']);
    expect(await explained({ project: 'node' }, 'perl -e 1')).toEqual(['ask']);
  });

  it('are refused by the index that the host knows', async () => {
    const terminal = { allow: ['ls', 7 as unknown as string] };
    await expect(createToolkit({ workspace, project: 'node', terminal })).rejects.toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
      data: { name: 'allow[1]' },
    });
  });

  it.each([
    { allow: 'ls' },
    { ask: 'git' },
    { confine: 'any' },
    { env: [] },
    { env: { set: 'A=b' } },
    { env: { inherit: 'A' } },
  ])('are refused when they are wrong: %j', async (terminal) => {
    const options = { workspace, project: 'node', terminal: terminal as object } as const;
    await expect(createToolkit(options)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });
});

describe('the folder of caches', () => {
  it('is the same for every toolkit of a project, and another one for another project', () => {
    const cacheOf = (name: string) => projectOption('go', path.join(workspace, name))?.cacheFolder ?? '';
    files('a/go.mod', 'b/go.mod');
    symlinkSync('a', path.join(workspace, 'link'));
    expect(cacheOf('a')).toBe(cacheOf('link'));
    expect(cacheOf('a')).not.toBe(cacheOf('b'));
    expect(statSync(cacheOf('a')).mode & 0o777).toBe(0o700);
    expect(path.dirname(cacheOf('a'))).toBe(path.join(folder, 'cache/handrail/projects'));
  });

  it('is none where others could write to it', () => {
    const cache = mkdtempSync(path.join(folder, 'open-'));
    process.env['XDG_CACHE_HOME'] = cache;
    mkdirSync(path.join(cache, 'handrail'));
    chmodSync(path.join(cache, 'handrail'), 0o777);
    expect(projectOption('go', workspace)?.cacheFolder).toBeUndefined();
    rmSync(path.join(cache, 'handrail'), { recursive: true });
    symlinkSync(workspace, path.join(cache, 'handrail'));
    expect(projectOption('go', workspace)?.cacheFolder).toBeUndefined();
  });

  it('is none where the system makes no folder, and no home is made', () => {
    for (const cache of ['/proc', '/proc/none', path.join(folder, 'missing/deep')]) {
      process.env['XDG_CACHE_HOME'] = cache;
      expect(projectOption('go', workspace)?.cacheFolder).toBeUndefined();
    }
    expect(existsSync(path.join(folder, 'missing'))).toBe(false);
  });

  it('leads elsewhere, or belongs to others, where it is taken as it is found', () => {
    for (const plant of [
      (cache: string) => symlinkSync(workspace, path.join(cache, 'handrail')),
      (cache: string) => {
        mkdirSync(path.join(cache, 'handrail'));
        symlinkSync(workspace, path.join(cache, 'handrail/projects'));
      },
      (cache: string) => {
        mkdirSync(path.join(cache, 'handrail/projects'), { recursive: true });
        chmodSync(path.join(cache, 'handrail/projects'), 0o770);
      },
      // Only root can make a folder somebody else's.
      ...(process.getuid?.() === 0
        ? [
            (cache: string) => {
              mkdirSync(path.join(cache, 'handrail'));
              chownSync(path.join(cache, 'handrail'), 65_534, 65_534);
            },
          ]
        : []),
    ]) {
      const cache = mkdtempSync(path.join(folder, 'planted-'));
      process.env['XDG_CACHE_HOME'] = cache;
      plant(cache);
      expect(projectOption('go', workspace)?.cacheFolder).toBeUndefined();
      // Without the guard: the folder is made and used, wherever it leads and whoever else may write there.
      const made = path.join(cache, 'handrail/projects/digest');
      mkdirSync(made, { recursive: true, mode: 0o700 });
      const above = [path.join(cache, 'handrail'), path.join(cache, 'handrail/projects')].map((one) => lstatSync(one));
      const isOthers = above.some(({ uid, mode }) => uid !== process.getuid?.() || (mode & 0o022) !== 0);
      expect(isOthers || !realpathSync(made).startsWith(cache)).toBe(true);
    }
  });

  it('is written by no command of another project, which happens without the guard', async () => {
    files('a/go.mod', 'b/go.mod');
    const other = projectOption('go', path.join(workspace, 'b'))?.cacheFolder ?? '';
    mkdirSync(path.join(other, 'npm'));
    const attacks = [
      `echo harm | tee ${other}/npm/package`,
      `ln -s ${other}/npm "$XDG_CACHE_HOME/npm"; echo harm | tee "$npm_config_cache/package"`,
      `for one in "$XDG_CACHE_HOME"/../*/npm; do echo harm | tee "$one/package"; done`,
      `mv ${other}/npm ${other}/gone`,
    ];
    const options = { workspace: path.join(workspace, 'a'), project: ['node', 'go'] } as const;
    const harmed = () => existsSync(path.join(other, 'npm/package')) || existsSync(path.join(other, 'gone'));
    const engine = new Engine({ judging: false, confine: false });
    try {
      for (const attack of attacks) {
        await using toolkit = await createToolkit(options);
        await toolkit.terminal.run(attack);
        expect(harmed(), attack).toBe(false);
        const cache = toolkit.project?.cacheFolder ?? '';
        rmSync(path.join(cache, 'npm'), { recursive: true, force: true });
        const set = { XDG_CACHE_HOME: cache, npm_config_cache: path.join(cache, 'npm') };
        const unconfined = { shell: 'bash', allow: ['tee'], cwd: options.workspace, env: { set } } as const;
        await using unguarded = new Terminal({ ...unconfined, sandbox: 'off' }, { engine });
        await unguarded.run(attack);
        expect(harmed(), attack).toBe(true);
        for (const name of ['npm', 'gone']) rmSync(path.join(other, name), { recursive: true, force: true });
        rmSync(path.join(cache, 'npm'), { recursive: true, force: true });
        mkdirSync(path.join(other, 'npm'));
      }
    } finally {
      await engine.close();
    }
  });

  it('keeps what a command writes, for the commands of later toolkits', async () => {
    for (const [command, expected] of [
      ['echo kept | tee "$XDG_CACHE_HOME/note"', 'kept'],
      ['cat "$XDG_CACHE_HOME/note"; printenv GOCACHE npm_config_cache', /^kept\n.*go-build\n.*npm/],
    ] as const) {
      await using toolkit = await createToolkit({ workspace, project: ['node', 'go'] });
      const { data } = await toolkit.execute('terminal_run', { command });
      expect((data as { stdout: string }).stdout).toMatch(expected);
      expect(existsSync(toolkit.project?.cacheFolder ?? '')).toBe(true);
    }
  });
});
