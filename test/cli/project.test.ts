/** `--project` of the command line, and `project` of its settings. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REGISTRIES } from '../../ts/config/registry-table.js';
import { runCommandLine } from '../support/cli.js';

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-project-')));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ scripts: { test: 'node -p 40+2' } }));
  writeFileSync(path.join(folder, 'settings.toml'), 'project = "auto"\nallow = ["scp"]\n', { mode: 0o600 });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command line whose words hold no blanks, but for those in single quotes. */
function typed(line: string, cwd = folder) {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '').slice(1);
  return runCommandLine(words, { cwd, env: { XDG_CACHE_HOME: path.join(folder, 'cache') } });
}

describe('handrail run --project', () => {
  it('runs what people type in such a project, and says what it took it for', async () => {
    const { code, stdout, stderr } = await typed('handrail run --project auto npm test');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/\n42\n$/) });
    expect(stderr).toContain('project: node (by package.json)');
  });

  it('takes a script with --shell alone', async () => {
    expect(await typed("handrail run --project node -q --shell 'echo a | wc -l'")).toMatchObject({ stdout: '1\n' });
    expect((await typed("handrail run --project node 'echo a | wc -l'")).code).toBe(123);
  });

  it('works where the user is, and writes nowhere else', async () => {
    expect((await typed('handrail run --project go -q touch inside')).code).toBe(0);
    expect((await typed(`handrail run --project go -q touch ${path.dirname(folder)}/outside`)).code).not.toBe(0);
  });

  it('denies with a word on where the list is shown', async () => {
    const { code, stderr } = await typed('handrail run --project rust scp a b');
    expect(code).toBe(123);
    expect(stderr).toContain('handrail explain --project rust --list');
  });

  it('adds what --allow names', async () => {
    expect((await typed('handrail explain --project node --allow scp scp')).code).toBe(0);
    expect((await typed('handrail explain --project node scp')).code).toBe(123);
  });

  it('stands in settings and in a variable too', async () => {
    expect((await typed("handrail explain --config settings.toml 'npm test && scp a b:'")).code).toBe(0);
    const surroundings = { cwd: folder, env: { HANDRAIL_PROJECT: 'go' } };
    expect((await runCommandLine(['explain', 'go test ./...'], surroundings)).code).toBe(0);
  });

  it.each([
    ['--project nod', '--project takes node, python, rust, go or auto'],
    ['--project node,auto', '--project takes auto, or names of kinds'],
    ['--project ,', '--project has an empty entry'],
  ])('refuses %s', async (option, said) => {
    const { code, stderr } = await typed(`handrail run ${option} ls`);
    expect({ code, stderr }).toEqual({ code: 125, stderr: expect.stringContaining(said) });
  });

  it('says where it looked when auto finds nothing', async () => {
    const { code, stderr } = await typed('handrail run --project auto ls', path.join(folder, 'cache'));
    expect(code).toBe(125);
    expect(stderr).toMatch(/found no package\.json, .*name the kind, node, python, rust, go \(ERR_NO_PROJECT\)/);
  });
});

describe('handrail explain --list', () => {
  it('shows everything, by group, in lines of a terminal', async () => {
    const { code, stdout } = await typed('handrail explain --project node,go --list');
    expect(code).toBe(0);
    for (const text of [
      'a project of node',
      'npm test | t |',
      'a project of go',
      'Not in it',
      'network: registries',
      `${REGISTRIES.npm.defaults[0]} (npm)`,
    ]) {
      expect(stdout).toContain(text);
    }
    for (const line of stdout.split('\n').filter((one) => !one.includes('/')))
      expect(line.length).toBeLessThanOrEqual(80);
  });

  it('has the same as JSON', async () => {
    const { stdout } = await typed('handrail explain --project auto --list --json');
    const { kinds, decidedBy, presets } = JSON.parse(stdout);
    expect({ kinds, decidedBy }).toEqual({ kinds: ['node'], decidedBy: ['package.json'] });
    expect(Object.keys(presets)).toEqual(['node', 'shared']);
  });

  it.each(['handrail explain --list', "handrail explain --project go --list 'ls'"])('is refused: %s', async (line) => {
    expect((await typed(line)).code).toBe(125);
  });
});
