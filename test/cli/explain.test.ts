import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Decision } from '../../ts/index.js';
import { handrail } from '../support/cli.js';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-explain-')));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('handrail explain', () => {
  it('says that a script may run', async () => {
    const { code, stdout, stderr } = await handrail('explain', '--allow', 'git,head', 'git log | head -5');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^allow: it may run\n/);
  });

  it('marks what is denied in the command, with what to do instead', async () => {
    const { code, stdout } = await handrail('explain', '--deny', 'rm', 'cd build && "r"m -rf .');
    expect(code).toBe(123);
    expect(stdout).toContain('deny: it may not run\n\n  cd build && "r"m -rf .\n              ^^^^');
    expect(stdout).toContain("Command 'rm' is denied by policy (list.denied)");
  });

  it('says what somebody would have to be asked', async () => {
    const { code, stdout } = await handrail('explain', '--deny', 'rm', 'x=$(cat name); "$x" canary');
    expect(code).toBe(3);
    expect(stdout).toMatch(/^ask: it runs when somebody agrees\n/);
  });

  it('shows the line of a script that is concerned, masked', async () => {
    const script = 'echo one\nTOKEN=hunter2-hunter2 rm x\n';
    const { stdout } = await handrail('explain', '--deny', 'rm', script);
    expect(stdout).toContain('  TOKEN=[REDACTED] rm x\n');
    expect(stdout).not.toContain('hunter2');
  });

  it('prints the decision as JSON and runs nothing', async () => {
    const args = ['--json', '--allow', 'touch', '--root', folder, '--cwd', folder, 'touch a && echo b > c'];
    const { code, stdout } = await handrail('explain', ...args);
    const decision = JSON.parse(stdout) as Decision;
    expect([code, decision.decision]).toEqual([0, 'allow']);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('handrail run --shell', () => {
  it('runs a script', async () => {
    const { code, stdout } = await handrail(
      'run',
      '--allow',
      'ls,wc',
      '--shell',
      '--',
      'ls / | wc -l > /dev/null; echo a',
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'a\n' });
  });

  it('denies what its programs and its targets are', async () => {
    const rm = await handrail('run', '--allow', 'ls', '--shell', '--', 'ls | rm');
    expect(rm).toMatchObject({ code: 123, stdout: '' });
    expect(rm.stderr).toContain("Command 'rm' is not allowed");
    const outside = await handrail(
      'run',
      '--allow',
      'ls',
      '--root',
      folder,
      '--shell',
      '--',
      'ls > /tmp/handrail-outside',
    );
    expect(outside.code).toBe(123);
  });
});
