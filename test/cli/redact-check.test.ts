import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { regionsOf } from '../../ts/cli/finding-places.js';
import { VERSION } from '../../ts/version.js';
import { temporaryFolder } from '../compat/terminal-environment.js';
import { type Ended, runCommandLine } from '../support/cli.js';
import { MAIN } from './shell.js';

const folder = temporaryFolder();

const SECRETS = ['hunter2', 'abc1', 'zyx9'];

function write(name: string, content: string | Uint8Array): void {
  mkdirSync(path.dirname(path.join(folder(), name)), { recursive: true });
  writeFileSync(path.join(folder(), name), content);
}

/** What `handrail redact` did in the folder; no secret is in it. */
async function redact(...args: readonly string[]): Promise<Ended> {
  const ended = await runCommandLine(['redact', ...args], { cwd: folder() });
  for (const secret of SECRETS) expect(ended.stdout + ended.stderr).not.toContain(secret);
  return ended;
}

function git(...args: readonly string[]): void {
  const own = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  execFileSync('git', [...own, ...args], { cwd: folder(), stdio: 'ignore' });
}

it('a place is a line and a column, from 1 on', () => {
  const text = 'ab\ncd\n\nef';
  const places = regionsOf(text, [
    { start: 0, end: 1 },
    { start: 4, end: 8 },
    { start: 8, end: 9 },
  ]);
  expect(places).toEqual([
    { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 },
    { startLine: 2, startColumn: 2, endLine: 4, endColumn: 2 },
    { startLine: 4, startColumn: 2, endLine: 4, endColumn: 3 },
  ]);
});

describe('--check', () => {
  it('lists findings with their places, and exits with 1', async () => {
    write('a.log', 'plain\n  password=hunter2 token=abc1\n');
    write('sub/b c.log', '\u{feff}token=zyx9\r\n');
    write('clean', 'plain\n');
    expect(await redact('--check', 'a.log', 'clean', 'sub/b c.log')).toMatchObject({
      code: 1,
      stdout: 'a.log:2:12: password\na.log:2:26: token\nsub/b c.log:1:7: token\n',
      stderr: '',
    });
    expect(await redact('--check', 'clean')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('counts what it found', async () => {
    write('a.log', 'token=abc1\n');
    expect((await redact('--check', '--report', 'a.log')).stderr).toBe('handrail: 1 secret found\n          1 token\n');
  });

  it('reads bytes that are no text, and names that would paint the terminal', async () => {
    write('b\u001b[31m', Buffer.concat([Buffer.from([0, 255, 10]), Buffer.from('token=abc1')]));
    expect((await redact('--check', 'b\u001b[31m')).stdout).toBe('b?[31m:2:7: token\n');
  });
});

describe('--format sarif', () => {
  it('has what code scanning needs', async () => {
    write('sub/b c.log', 'plain\npassword=hunter2 token=abc1\n');
    const { code, stdout } = await redact('--check', '--format', 'sarif', 'sub/b c.log');
    expect(code).toBe(1);
    const sarif = JSON.parse(stdout);
    expect(sarif).toMatchObject({ version: '2.1.0', $schema: expect.stringContaining('sarif-2.1.0') });
    const [run] = sarif.runs;
    expect(run.tool.driver).toMatchObject({ name: 'handrail', semanticVersion: VERSION });
    expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(['password', 'token']);
    for (const rule of run.tool.driver.rules) expect(rule.shortDescription.text).toEqual(expect.any(String));
    expect(run.results).toHaveLength(2);
    for (const { ruleId, ruleIndex, message } of run.results) {
      expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
      expect(message.text).toContain(ruleId);
    }
    expect(run.results[0].locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: 'sub/b%20c.log' },
          region: { startLine: 2, startColumn: 10, endLine: 2, endColumn: 17 },
        },
      },
    ]);
  });

  it('is whole without findings', async () => {
    write('clean', 'plain\n');
    const { code, stdout } = await redact('--check', '--format', 'sarif', 'clean');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).runs).toEqual([
      { tool: { driver: expect.objectContaining({ rules: [] }) }, columnKind: 'utf16CodeUnits', results: [] },
    ]);
  });
});

describe('--staged', () => {
  it('checks what git would commit, not what lies there', async () => {
    git('init', '-q');
    write('old', 'token=abc1\n');
    git('add', '.');
    git('commit', '-qm', 'a');
    write('sub/new file', 'plain\ntoken=zyx9\n');
    write('clean', 'plain\n');
    git('add', '.');
    // Changed since, and not staged.
    write('sub/new file', 'plain\n');
    write('clean', 'token=abc1\n');
    expect(await redact('--staged')).toMatchObject({ code: 1, stdout: 'sub/new file:2:7: token\n', stderr: '' });
    git('add', '.');
    expect((await redact('--staged')).stdout).toBe('clean:1:7: token\n');
    git('rm', '-qf', 'clean');
    expect(await redact('--staged')).toMatchObject({ code: 0, stdout: '' });
  });

  it('works as a hook, before the first commit and in a folder of the repository', () => {
    git('init', '-q');
    const hook = `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" redact --staged\n`;
    writeFileSync(path.join(folder(), '.git/hooks/pre-commit'), hook, { mode: 0o755 });
    write('sub/a', 'token=abc1\n');
    git('add', '.');
    expect(() => git('-C', 'sub', 'commit', '-qm', 'a')).toThrow();
    write('sub/a', 'plain\n');
    expect(() => git('-C', 'sub', 'commit', '-qam', 'a')).not.toThrow();
  });

  it('says that there is no repository', async () => {
    const { code, stderr } = await redact('--staged');
    expect(code).toBe(125);
    expect(stderr).toBe('handrail: git cannot say what is staged: is this a repository? (ERR_SYSTEM)\n');
  });
});
