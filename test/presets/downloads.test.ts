/** Programs that launchers download run where a rule of the host names such a use, from the cache of the project. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createToolkit, type Rule, type Toolkit } from '../../ts/index.js';
import { projectOption } from '../../ts/presets/project.js';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-downloads-')));
const workspace = path.join(folder, 'work');
const hostCache = process.env['XDG_CACHE_HOME'];
const PACKED = 'file:tool-1.0.0.tgz';
const NPX: Rule = { program: 'npx', args: ['--yes', PACKED] };

beforeAll(() => {
  process.env['XDG_CACHE_HOME'] = path.join(folder, 'cache');
  mkdirSync(path.join(folder, 'tool'));
  mkdirSync(workspace);
  const script = '#!/usr/bin/env node\nconsole.log("tool ran");\n';
  writeFileSync(path.join(folder, 'tool/tool.js'), script, { mode: 0o755 });
  const manifest = { name: 'tool', version: '1.0.0', bin: { tool: './tool.js' } };
  writeFileSync(path.join(folder, 'tool/package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(workspace, 'package.json'), '{"name":"work","version":"1.0.0"}');
  const pack = ['pack', '--silent', '--pack-destination', workspace];
  expect(spawnSync('npm', pack, { cwd: path.join(folder, 'tool') }).status).toBe(0);
});

afterAll(() => {
  if (hostCache === undefined) delete process.env['XDG_CACHE_HOME'];
  else process.env['XDG_CACHE_HOME'] = hostCache;
  rmSync(folder, { recursive: true, force: true });
});

const withRules = (allow: readonly Rule[]): Promise<Toolkit> =>
  createToolkit({ workspace, project: 'node', terminal: { allow, timeoutMs: 120_000 } });

it('the first download runs, and only where a rule names it', async () => {
  await using toolkit = await withRules([NPX]);
  expect(await toolkit.terminal.run(`npx --yes ${PACKED}`)).toMatchObject({ stdout: 'tool ran\n' });
  await using plain = await withRules([]);
  expect(plain.explain('terminal_run', { command: `npx --yes ${PACKED}` }).decision).toBe('ask');
  // What lies in the cache now, or what a command puts there, runs under no other list.
  const planted = 'cp /bin/true "$npm_config_cache/x" && node -e \'process.exit(cp.spawnSync(F).error ? 7 : 0)\'';
  const command = planted
    .replace('cp.', 'require("child_process").')
    .replace('F', 'process.env.npm_config_cache + "/x"');
  expect((await plain.terminal.run(command)).exitCode).toBe(7);
  expect((await toolkit.terminal.run(command)).exitCode).toBe(0);
});

it('no folder of the cache is made through a link', () => {
  const cache = projectOption('node', workspace)?.cacheFolder ?? '';
  rmSync(path.join(cache, 'npm'), { recursive: true });
  symlinkSync(path.join(folder, 'elsewhere'), path.join(cache, 'npm'));
  expect(projectOption('node', workspace)?.cacheFolder).toBe(cache);
  expect(existsSync(path.join(folder, 'elsewhere'))).toBe(false);
});

it('uv is told which C library there is, which it would run the loader for', async () => {
  await using toolkit = await createToolkit({ workspace, project: 'python' });
  expect((await toolkit.terminal.run('echo "$UV_LIBC"')).stdout).toMatch(/^(?:gnu|musl)\n$/);
});
