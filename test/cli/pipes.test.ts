import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../compat/terminal-environment.js';
import { startHandrail } from '../support/cli.js';
import { MAIN, shell } from './shell.js';

const folder = temporaryFolder();

/** Prints what handrail exited with, as the first of a pipeline. */
const CODE = '; echo "code $' + '{PIPESTATUS[0]}"';

describe('a reader who leaves', () => {
  it.each([
    ['a flood', 'handrail run --allow yes -- yes | head -1', 'y\n'],
    [
      'a flood of errors',
      'handrail run --allow bash --trust bash -- bash -c "yes >&2" 2>&1 >/dev/null | head -1',
      'y\n',
    ],
    ['JSON', 'handrail run --json --allow seq -- seq 100000 | head -1', '{\n'],
    ['the report', 'handrail doctor | true', ''],
    ['the help', 'handrail run --help | true', ''],
    ['a mistake', 'handrail run --json | true', ''],
  ])('ends the work quietly with 141: %s', async (_name, pipeline, read) => {
    const { stdout, stderr } = await shell(pipeline + CODE);
    expect(stdout).toMatch(new RegExp(`^${read.replace('{', '\\{')}code (141|0)\n$`));
    expect(stderr).toBe('');
    // A short text may have been in the pipe before its reader was gone.
    if (pipeline.includes('head')) expect(stdout).toContain('code 141');
  });

  it('does not change how the program ended when only the last line is lost', async () => {
    const script = 'handrail run --allow true -- true 2> >(exec true); echo "code $?"';
    expect((await shell(script)).stdout).toBe('code 0\n');
  });

  it.each(['handrail run --allow echo -- echo a', 'handrail run --json --allow echo -- echo a', 'handrail doctor'])(
    'is told from an output that cannot be written: %s',
    async (command) => {
      const { stdout, stderr } = await shell(`(${command} > /dev/full); echo "code $?"`);
      expect(stdout).toBe('code 125\n');
      expect(stderr).toBe('handrail: the output could not be written (stdout: ENOSPC)\n');
    },
  );

  it('is no reader when the output is closed from the start', async () => {
    expect((await shell('handrail run --allow echo -- echo a >&-; echo "code $?" ')).stdout).toBe('code 0\n');
  });
});

describe('a reader who stalls', () => {
  it('does not keep alive what a signal has ended', async () => {
    const { child, ended } = startHandrail('run', '--allow', 'yes', '--', 'yes');
    if (child.stdout === null || child.stderr === null) throw new Error('both are pipes');
    await once(child.stdout, 'data');
    child.stdout.pause();
    // Long enough for the pipe to be full.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([143, null]);
    child.stdout.resume();
    expect((await ended).stderr).toMatch(/^handrail: cancelled after \d+ ms\n$/);
  });
});

describe('the standard input', () => {
  it.each([
    ['a pipe', 'echo hello | handrail run --allow cat --stdin -- cat', 'hello\n'],
    ['a file', 'handrail run --allow head --stdin -- head -c 9 < package.json', '{\n  "name'],
    ['nothing', 'handrail run --allow cat --stdin -- cat', ''],
    ['as much as can be given', 'head -c 16777216 /dev/zero | handrail run --allow wc --stdin -- wc -c', '16777216\n'],
  ])('reaches the program with --stdin: %s', async (_name, script, expected) => {
    const { stdout, stderr } = await shell(script);
    expect(stdout).toBe(expected);
    expect(stderr).toMatch(/^handrail: exit 0 in \d+ ms\n$/);
  });

  it('may be longer than what fits into memory at once', async () => {
    const script = 'head -c 50000000 /dev/zero | handrail run --quiet --allow wc --stdin -- wc -c';
    expect((await shell(script)).stdout.trim()).toBe('50000000');
  });

  it('is refused when it is a folder', async () => {
    const { stdout, stderr } = await shell('handrail run --allow cat --stdin -- cat < .; echo "code $?"');
    expect(stdout).toBe('code 125\n');
    expect(stderr).toMatch(/^handrail: the standard input cannot be read \(EISDIR\)\nsee /);
  });

  it.each([
    ['a pipe', 'echo hello | handrail run --allow cat -- cat'],
    ['a file', 'handrail run --allow cat -- cat < package.json'],
  ])('is not given to it without, which is said: %s', async (_name, script) => {
    const { stdout, stderr } = await shell(script);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^handrail: exit 0 in \d+ ms\n {10}It was not given the standard input; see --stdin\.\n$/);
  });

  it('stays with the script it belongs to', async () => {
    const loop = 'while read -r line; do handrail run --allow echo -- echo "$line" 2> /dev/null; done';
    expect((await shell(`printf '1\\n2\\n3\\n' | ${loop}`)).stdout).toBe('1\n2\n3\n');
  });

  it('is handed on as it comes', async () => {
    const args = [MAIN, 'run', '--quiet', '--allow', 'cat', '--stdin', '--', 'cat'];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    for (const line of ['one\n', 'two\n']) {
      child.stdin.write(line);
      expect(String(await once(child.stdout, 'data'))).toBe(line);
    }
    child.stdin.end();
    expect(await exited).toEqual([0, null]);
  });

  it('is not waited for when a signal comes', async () => {
    const args = [MAIN, 'run', '--allow', 'cat', '--stdin', '--', 'cat'];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'pipe'] });
    // More than the pipe holds: it has read of it, and listens to signals since before.
    await new Promise((resolve) => child.stdin.write(Buffer.alloc(1_000_000, 'a beginning\n'), resolve));
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([143, null]);
  });
});

describe('a working directory that was removed', () => {
  const inside = (command: string) => `mkdir gone; cd gone; rmdir ../gone; (${command}); echo "code $?"`;

  it.each(['handrail run --allow ls -- ls', 'handrail doctor'])('is said without a stack: %s', async (command) => {
    const { stdout, stderr } = await shell(inside(command), folder());
    expect(stdout).toBe('code 125\n');
    expect(stderr).toBe('handrail: The working directory does not exist any more (ERR_SYSTEM)\n');
  });

  it('is said as JSON with --json', async () => {
    const { stdout, stderr } = await shell(inside('handrail doctor --json'), folder());
    expect(stderr).toBe('');
    expect(stdout).toContain('"code": "ERR_SYSTEM"');
  });

  it('is no reason to keep the help back', async () => {
    expect((await shell(inside('handrail --help'), folder())).stdout).toContain('code 0\n');
  });
});
