import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { handrail, startHandrail } from '../support/cli.js';

/** Looks like a key and is none. */
const FAKE_KEY = ['sk', 'a1B2c3D4e5F6g7H8i9J0'].join('-');

describe('handrail run', () => {
  it('writes the output of the command to stdout and what happened to stderr', async () => {
    const { code, stdout, stderr } = await handrail('run', '--allow', 'echo', '--', 'echo', 'hello', 'world');
    expect(code).toBe(0);
    expect(stdout).toBe('hello world\n');
    expect(stderr).toMatch(/^handrail: exit 0 in \d+ ms\n$/);
  });

  it('keeps the two outputs of the command apart', async () => {
    const { code, stdout, stderr } = await handrail('run', '--allow', 'ls', '--', 'ls', '/nonexistent/handrail');
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/nonexistent[\s\S]*handrail: exit 2 in \d+ ms\n$/);
  });

  it('hands arguments over as they are: no shell sees them', async () => {
    const args = ['$HOME', '*', 'a  b', '; id', '--json', '--help'];
    expect((await handrail('run', '--allow', 'echo', '--', 'echo', ...args)).stdout).toBe(`${args.join(' ')}\n`);
  });

  it('masks secrets', async () => {
    const { stdout, stderr } = await handrail('run', '--allow', 'echo', '--', 'echo', FAKE_KEY);
    expect(stdout).toBe('[REDACTED]\n');
    expect(stderr).toContain('[1 secret masked]');
  });

  it('exits with the code of the command', async () => {
    expect((await handrail('run', '--allow', 'false', '--', 'false')).code).toBe(1);
  });

  it('exits with 126 when the command is denied, and says why', async () => {
    const { code, stdout, stderr } = await handrail('run', '--allow', 'echo', '--', 'rm', '-rf', '/');
    expect(code).toBe(126);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^handrail: denied: .*rm.*\(list\.not_allowed\)/);
  });

  it('runs nothing when nothing was allowed, and says how to allow it', async () => {
    const { code, stderr } = await handrail('run', '--', 'echo');
    expect(code).toBe(126);
    expect(stderr).toContain('--allow');
  });

  it('lets everything but the denied run with --deny alone', async () => {
    expect((await handrail('run', '--deny', 'rm', '--', 'echo', 'a')).code).toBe(0);
    expect((await handrail('run', '--deny', 'rm', '--', 'rm', 'a')).code).toBe(126);
    expect((await handrail('run', '--deny', 'rm', '--allow', 'rm', '--', 'rm', 'a')).code).toBe(126);
  });

  it('exits with 124 at the deadline, with what was written until then', async () => {
    const { code, stderr } = await handrail('run', '--allow', 'sleep', '--timeout', '200', '--', 'sleep', '60');
    expect(code).toBe(124);
    expect(stderr).toMatch(/^handrail: timed out after \d+ ms\n/);
  });

  it('exits with 127 when there is no such program', async () => {
    const { code, stderr } = await handrail('run', '--allow', 'handrail-none', '--', 'handrail-none');
    expect(code).toBe(127);
    expect(stderr).toMatch(/^handrail: could not run: /);
  });

  it('runs in the directory it is given', async () => {
    expect((await handrail('run', '--allow', 'pwd', '--cwd', tmpdir(), '--', 'pwd')).stdout).toBe(`${tmpdir()}\n`);
  });

  it('prints the whole result with --json, and nothing else', async () => {
    const { code, stdout, stderr } = await handrail('run', '--json', '--allow', 'echo', '--', 'echo', 'hi');
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ status: 'exited', exitCode: 0, stdout: 'hi\n', bytes: { stdout: 3 } });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends the command at %s and exits with 130', async (signal) => {
    const { child, ended } = startHandrail(
      'run',
      '--allow',
      'bash',
      '--trust',
      'bash',
      '--',
      'bash',
      '-c',
      'echo up; sleep 60',
    );
    if (child.stdout === null) throw new Error('stdout is a pipe');
    await once(child.stdout, 'data');
    const started = Date.now();
    child.kill(signal);
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(130);
    expect(stdout).toBe('up\n');
    expect(stderr).toMatch(/^handrail: cancelled after /);
    expect(Date.now() - started).toBeLessThan(5_000);
  });

  it('passes a flood on without keeping it', async () => {
    const { code, stdout } = await handrail('run', '--allow', 'seq', '--', 'seq', '1', '300000');
    expect(code).toBe(0);
    expect(stdout).toHaveLength(1_988_895);
    expect(stdout.endsWith('\n300000\n')).toBe(true);
  });

  it('ends quietly when nobody reads any more', async () => {
    const { child, ended } = startHandrail('run', '--allow', 'seq', '--', 'seq', '1', '100000000');
    if (child.stdout === null) throw new Error('stdout is a pipe');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).not.toContain('EPIPE');
  });
});

describe('wrong usage', () => {
  it.each<[string, readonly string[]]>([
    ['no command', []],
    ['an unknown command', ['fly']],
    ['a name every object has', ['constructor']],
    ['no program', ['run', '--allow', 'echo']],
    ['an unknown option', ['run', '--sandbox=off', '--', 'echo']],
    ['a deadline that is no number', ['run', '--timeout', 'soon', '--', 'echo']],
    ['a deadline out of range', ['run', '--timeout', '0', '--allow', 'echo', '--', 'echo']],
    ['words for doctor', ['doctor', 'house']],
  ])('%s exits with 2 and says what is wrong', async (_name, args) => {
    const { code, stdout, stderr } = await handrail(...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^handrail: \S/);
    expect(stderr).not.toMatch(/\n {4}at /);
  });
});
