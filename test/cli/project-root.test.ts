/** Where `handrail run --project` works. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';

import { shell } from './shell.js';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-project-root-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('works beneath the root of the repository, in the directory of the user', async () => {
  const repository = path.join(folder, 'repository');
  mkdirSync(path.join(repository, 'src'), { recursive: true });
  mkdirSync(path.join(repository, 'node_modules/.bin'), { recursive: true });
  mkdirSync(path.join(repository, '.git'));
  writeFileSync(path.join(repository, 'package.json'), '{"name":"x","scripts":{"where":"tool"}}');
  writeFileSync(path.join(repository, 'node_modules/.bin/tool'), '#!/bin/sh\necho tool ran\n', { mode: 0o755 });
  const environment = { HOME: path.join(folder, 'home'), XDG_CACHE_HOME: path.join(folder, 'cache') };
  const run = async (...args: readonly string[]) => {
    const set = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    return await shell(`cd ${repository}/src; export ${set.join(' ')}; handrail run --project auto ${args.join(' ')}`);
  };
  expect((await run('npm run where')).stdout).toContain('tool ran');
  const { stdout, stderr } = await run('npx tool');
  expect(stdout).toBe('tool ran\n');
  expect(stderr).toMatch(/project: node \(by package\.json\), beneath \S+\/repository\n/);
  expect((await run('--root . ls')).stderr).not.toContain('beneath');
});
