/** Packages of a monorepo: their programs run from its root, and what is installed above runs from a package. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createToolkit, Terminal, type ToolkitOptions } from '../../ts/index.js';
import { projectOption } from '../../ts/presets/project.js';
import { Engine } from '../../ts/terminal/engine.js';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-packages-')));
const repository = path.join(folder, 'repository');
const hostCache = process.env['XDG_CACHE_HOME'];

function write(name: string, text = '', mode = 0o644): void {
  const file = path.join(repository, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}

const program = (name: string) => write(name, `#!/bin/sh\necho ${path.basename(name)} ran\n`, 0o755);

beforeAll(() => {
  process.env['XDG_CACHE_HOME'] = path.join(folder, 'cache');
  write('.git/HEAD', 'ref: refs/heads/main\n');
  write('package.json', '{"name":"whole","private":true,"workspaces":["packages/*"]}');
  write('packages/api/package.json', '{"name":"api","version":"1.0.0","scripts":{"test":"own","lint":"hoisted"}}');
  program('packages/api/node_modules/.bin/own');
  program('packages/api/check.sh');
  program('packages/api/src/other');
  program('node_modules/.bin/hoisted');
  write('backend/pyproject.toml');
  program('backend/.venv/bin/pytest');
  write('node_modules/other/package.json');
  program('node_modules/other/node_modules/.bin/deep');
  write('a/b/c/d/package.json');
});

afterAll(() => {
  if (hostCache === undefined) delete process.env['XDG_CACHE_HOME'];
  else process.env['XDG_CACHE_HOME'] = hostCache;
  rmSync(folder, { recursive: true, force: true });
});

async function outputs(options: ToolkitOptions, ...commands: readonly string[]): Promise<string[]> {
  await using toolkit = await createToolkit(options);
  const found: string[] = [];
  for (const command of commands) {
    const { stdout, status, blocked } = await toolkit.terminal.run(command, { timeoutMs: 60_000 });
    found.push(stdout.trim().split('\n').at(-1) || (blocked?.[0]?.message ?? status));
  }
  return found;
}

describe('packages below the workspace', () => {
  it('are those with a file of a kind, three folders deep at most, and none that was installed', () => {
    const packages = projectOption(['node', 'python', 'go'], repository)?.packages;
    expect(packages).toEqual([
      { folder: 'backend', kinds: ['python'] },
      { folder: 'packages/api', kinds: ['node'] },
    ]);
    expect(projectOption('go', repository)?.packages).toEqual([]);
  });

  it('are at most 64, and add no more rules than the list has room for', async () => {
    const many = mkdtempSync(path.join(folder, 'many-'));
    for (let index = 0; index < 70; index += 1) {
      mkdirSync(path.join(many, `p${index}`));
      writeFileSync(path.join(many, `p${index}/package.json`), '{}');
    }
    expect(projectOption('node', many)?.packages).toHaveLength(64);
    const allow = Array.from({ length: 700 }, (_, index) => `program-${index}`);
    await using toolkit = await createToolkit({ workspace: many, project: 'node', terminal: { allow } });
    expect(toolkit.explain('terminal_run', { command: 'program-699' }).decision).toBe('allow');
  });

  it('have their programs run from the root and from their own folder', async () => {
    const ran = await outputs(
      { workspace: repository, project: ['node', 'python'] },
      'npm test -w api',
      'cd packages/api && npm test',
      'cd packages/api && npx own',
      'cd packages/api && ./check.sh',
      'backend/.venv/bin/pytest',
      'cd backend && .venv/bin/pytest',
    );
    expect(ran).toEqual(['own ran', 'own ran', 'own ran', 'check.sh ran', 'pytest ran', 'pytest ran']);
  });

  it('have nothing else run: neither another file of the package nor one through a link', async () => {
    symlinkSync(path.join(repository, 'packages/api/src'), path.join(repository, 'packages/linked'));
    const started = (file: string) =>
      `node -e 'process.exit(require("child_process").spawnSync("${file}").status ?? 9)'`;
    const allow = ['node', 'cp'];
    const options = { workspace: repository, project: 'node', terminal: { allow } } as const;
    for (const command of [
      started('packages/api/src/other'),
      `cp node_modules/.bin/hoisted packages/api/src/x && ${started('packages/linked/x')}`,
    ]) {
      await using toolkit = await createToolkit(options);
      expect(await toolkit.terminal.run(command), command).toMatchObject({ exitCode: 9 });
      const engine = new Engine({ judging: false, confine: false });
      await using unguarded = new Terminal({ shell: 'bash', allow, cwd: repository, sandbox: 'off' }, { engine });
      expect(await unguarded.run(command), command).toMatchObject({ exitCode: 0 });
      await engine.close();
    }
  });
});

describe('what is installed above the workspace', () => {
  const workspace = path.join(repository, 'packages/api');

  it('runs, as a script of the package and by its launcher', async () => {
    const ran = await outputs({ workspace, project: 'node' }, 'npm run lint', 'npx hoisted', 'npx own');
    expect(ran).toEqual(['hoisted ran', 'hoisted ran', 'own ran']);
  });

  it('is not written by commands, and not read by file tools', async () => {
    await using toolkit = await createToolkit({ workspace, project: 'node' });
    expect(toolkit.project?.above).toEqual([repository]);
    const planted = path.join(repository, 'node_modules/.bin/planted');
    const attack = `node -e "require('fs').copyFileSync('/bin/true', '${planted}')"`;
    expect((await toolkit.terminal.run(attack)).ok).toBe(false);
    expect(existsSync(planted)).toBe(false);
    const read = await toolkit.execute('file_read', { path: path.join(repository, 'package.json') });
    expect(read.isError).toBe(true);
    const engine = new Engine({ judging: false, confine: false });
    await using unguarded = new Terminal({ shell: 'bash', allow: ['node'], sandbox: 'off' }, { engine });
    await unguarded.run(attack);
    expect(existsSync(planted)).toBe(true);
    rmSync(planted);
    await engine.close();
  });
});
