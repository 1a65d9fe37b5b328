import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../ts/index.js';
import { handrail, runCommandLine, startHandrail } from '../support/cli.js';
import { listeners } from '../support/listener.js';
import { outside } from '../support/outside.js';
import { shell } from './shell.js';

/** The policy's bounds. */
const MAX_COMMAND_BYTES = 65_536;
const MAX_COMMAND_WORDS = 8_192;

/** Looks like a key and is none. */
const FAKE_KEY = ['sk', 'a1B2c3D4e5F6g7H8i9J0'].join('-');

const listen = listeners();
const folder = outside();
const root = outside();

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

  it.each<[string, readonly string[], string]>([
    ['its options are its own', ['echo', '-e', 'a\\tb'], 'a\tb\n'],
    ['also those that are called as ours are', ['echo', '--json', '--help'], '--json --help\n'],
    ['dashes after it are an argument', ['echo', 'a', '--', 'b'], 'a -- b\n'],
    ['dashes before it are ours', ['--', 'echo', 'a'], 'a\n'],
    ['the second dashes are not', ['--', 'echo', '--', 'a'], '-- a\n'],
    ['a value is no program', ['--timeout', '60000', 'echo', 'a'], 'a\n'],
    ['a value after an equals sign takes no word', ['--timeout=60000', 'echo', 'a'], 'a\n'],
  ])('the program begins at the first word: %s', async (_name, words, printed) => {
    expect(await handrail('run', '--deny', 'rm', ...words)).toMatchObject({ code: 0, stdout: printed });
  });

  it.each(['--quiet', '-q'])('says nothing of itself with %s, unless nothing ran', async (quiet) => {
    const lsOf = (file: string) => handrail('run', '--allow', 'ls', quiet, 'ls', file);
    expect(await lsOf('package.json')).toMatchObject({ code: 0, stdout: 'package.json\n', stderr: '' });
    expect((await lsOf('/none/such')).stderr).toMatch(/^ls: [^\n]*\n$/);
    expect(await handrail('run', quiet, 'ls')).toMatchObject({
      code: 123,
      stdout: '',
      stderr: expect.stringMatching(/^handrail: denied/),
    });
  });

  it('masks secrets', async () => {
    const { stdout, stderr } = await handrail('run', '--allow', 'echo', '--', 'echo', FAKE_KEY);
    expect(stdout).toBe('[REDACTED]\n');
    expect(stderr).toContain('[1 secret masked]');
  });

  it('exits with the code of the command', async () => {
    expect((await handrail('run', '--allow', 'false', '--', 'false')).code).toBe(1);
  });

  it('exits with 123 when the command is denied, and says why', async () => {
    const { code, stdout, stderr } = await handrail('run', '--allow', 'echo', '--', 'rm', '-rf', '/');
    expect(code).toBe(123);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^handrail: denied: .*rm.*\(list\.not_allowed\)/);
  });

  it('runs nothing when nothing was allowed, and says how to allow it', async () => {
    const { code, stderr } = await handrail('run', '--', 'echo');
    expect(code).toBe(123);
    expect(stderr).toContain('--allow');
  });

  it('lets everything but the denied run with --deny alone', async () => {
    expect((await handrail('run', '--deny', 'rm', '--', 'echo', 'a')).code).toBe(0);
    expect((await handrail('run', '--deny', 'rm', '--', 'rm', 'a')).code).toBe(123);
    expect((await handrail('run', '--deny', 'rm', '--allow', 'rm', '--', 'rm', 'a')).code).toBe(123);
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

  it.each<[string, string, number]>([
    ['a file that may not be executed', 'touch own-tool', 126],
    ['a file of a strange format', 'printf strange > own-tool; chmod +x own-tool', 126],
    ['no file', 'true', 127],
    ['a directory to run in that is not there', 'cp /bin/true own-tool; set -- --cwd none', 125],
  ])('exits as env and timeout do for %s', async (_name, made, expected) => {
    const cwd = mkdtempSync(path.join(tmpdir(), 'handrail-start-'));
    try {
      const script = `${made}; handrail run --writes any --path "$PWD" --allow own-tool "$@" own-tool; echo "code $?"`;
      expect((await shell(script, cwd)).stdout).toBe(`code ${expected}\n`);
    } finally {
      rmSync(cwd, { recursive: true });
    }
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

  it('shows with --json the call that lifts a refusal, as explain does', async () => {
    const lists = ['--json', '--allow', 'git'];
    const ran = JSON.parse((await handrail('run', ...lists, '--shell', '--', 'gti')).stdout) as { decision: Decision };
    const explained = JSON.parse((await handrail('explain', ...lists, 'gti')).stdout) as Decision;
    expect(ran.decision.reasons[0]?.advice).toContainEqual({ kind: 'replace', command: 'git' });
    expect(ran.decision.reasons).toEqual(explained.reasons);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('ends the command at %s and exits with %i', async (signal, expected) => {
    const { child, ended } = startHandrail(
      'run',
      '--allow',
      'bash',
      '--trust',
      'bash',
      '--',
      'bash',
      '-c',
      'echo up; sleep 600',
    );
    if (child.stdout === null) throw new Error('stdout is a pipe');
    await once(child.stdout, 'data');
    child.kill(signal);
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(expected);
    expect(stdout).toBe('up\n');
    expect(stderr).toMatch(/^handrail: cancelled after /);
  });

  it('passes a flood on without keeping it', async () => {
    const { code, stdout } = await handrail('run', '--allow', 'seq', '--', 'seq', '1', '300000');
    expect(code).toBe(0);
    expect(stdout).toHaveLength(1_988_895);
    expect(stdout.endsWith('\n300000\n')).toBe(true);
  });

  it('exits with 128 and the number of the signal that ended the command', async () => {
    const script = 'kill -SEGV $$';
    const { code, stderr } = await handrail('run', '--allow', 'bash', '--trust', 'bash', '--', 'bash', '-c', script);
    expect(code).toBe(139);
    expect(stderr).toMatch(/^handrail: killed by SIGSEGV after /);
  });

  it('finds programs in a folder of --path, and says so where they are not found', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'handrail-path-'));
    try {
      copyFileSync('/bin/true', path.join(folder, 'handrail-tool'));
      const args = ['--allow', 'handrail-tool', '--', 'handrail-tool'];
      expect(await handrail('run', ...args)).toMatchObject({ code: 127, stderr: expect.stringContaining('--path') });
      expect((await handrail('run', '--path', folder, ...args)).code).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('holds the command to what its options say', async () => {
    const writing = (...options: string[]) =>
      handrail('run', '--allow', 'cp', ...options, '--', 'cp', '/etc/hostname', folder.path('copy'));
    expect((await writing('--writes', 'none')).code).toBe(1);
    expect((await writing('--root', root.path('.'))).code).toBe(1);
    expect(folder.has('copy')).toBe(false);
    expect((await writing('--root', root.path('.'), '--writes', 'any')).code).toBe(0);

    const starting = (...options: string[]) =>
      handrail('run', '--allow', 'bash', '--trust', 'bash', ...options, '--', 'bash', '-c', '/bin/true');
    expect((await starting('--exec', 'listed')).code).toBe(126);
    expect((await starting()).code).toBe(0);

    const removing = (...options: string[]) =>
      handrail('run', '--root', folder.path('.'), '--allow', 'unlink', ...options, 'unlink', folder.path('copy'));
    expect((await removing('--remove', 'no')).code).toBe(1);
    expect((await removing()).code).toBe(0);
  });

  describe('without --root', () => {
    const copy = (...options: string[]) => ['run', '--allow', 'cp', ...options, '--', 'cp', '/etc/hostname'];

    it('writes beneath this directory only, or that of --cwd, and anywhere by the word of the user', async () => {
      const cwd = root.path('.');
      const outsideFile = folder.path('beside');
      expect((await runCommandLine([...copy(), 'within'], { cwd })).code).toBe(0);
      expect((await runCommandLine([...copy(), outsideFile], { cwd })).code).toBe(1);
      expect([root.has('within'), folder.has('beside')]).toEqual([true, false]);
      expect((await runCommandLine([...copy('--writes', 'any'), outsideFile], { cwd })).code).toBe(0);
      expect((await runCommandLine([...copy('--cwd', folder.path('.')), 'there'], { cwd })).code).toBe(0);
      expect(folder.has('there')).toBe(true);
      const relative = path.relative(cwd, folder.path('.'));
      expect((await runCommandLine([...copy('--cwd', relative), 'again'], { cwd })).code).toBe(0);
      expect((await runCommandLine([...copy('--cwd', folder.path('.')), path.join(cwd, 'no')], { cwd })).code).toBe(1);
    });

    it.each([
      ['/', () => '/', 'the whole of /: '],
      ['the home folder', () => folder.path('.'), /the whole of \S+, the home folder: /],
      ['a folder above it', () => path.dirname(folder.path('.')), /the whole of \S+, which holds the home folder: /],
    ])('refuses %s, and says what to name', async (_name, where, said) => {
      const surroundings = { cwd: where(), env: { HOME: folder.path('.') } };
      const refused = await runCommandLine(['run', '--allow', 'true', 'true'], surroundings);
      expect(refused).toMatchObject({ code: 125, stderr: expect.stringMatching(said) });
      expect(refused.stderr).toContain('say where with --root DIR, or let them write with --writes any');
      for (const lifted of [
        ['--root', root.path('.')],
        ['--writes', 'any'],
        ['--writes', 'none'],
        ['--cwd', root.path('.')],
      ]) {
        const args = ['run', '--allow', 'true', ...lifted, 'true'];
        expect(await runCommandLine(args, surroundings), lifted.join(' ')).toMatchObject({ code: 0 });
      }
      const explained = ['explain', '--allow', 'true', 'true'];
      expect((await runCommandLine(explained, surroundings)).code).toBe(0);
      const served = await runCommandLine(['mcp', '--allow', 'true'], surroundings);
      expect(served.stderr).toContain('say where with --root DIR');
    });

    it('is judged as it would run', async () => {
      const explain = (...args: string[]) => runCommandLine(['explain', ...args], { cwd: root.path('.') });
      expect((await explain('--allow', 'echo', 'echo a > note')).code).toBe(0);
      expect((await explain('--allow', 'echo', `echo a > ${folder.path('note')}`)).code).not.toBe(0);
    });
  });

  it('reaches a network, unless it is told not to', async () => {
    const { port, reached } = await listen();
    const script = `: > /dev/tcp/127.0.0.1/${port}`;
    const reaching = (...options: string[]) =>
      handrail('run', '--allow', 'bash', '--trust', 'bash', ...options, '--', 'bash', '-c', script);
    expect((await reaching('--network', 'none')).code).toBe(1);
    expect(reached()).toBe(0);
    expect((await reaching()).code).toBe(0);
  });

  it('runs nothing where what is required is not there', async () => {
    const requiring = (...options: string[]) => handrail('run', '--allow', 'echo', ...options, '--', 'echo', 'a');
    const { code, stdout, stderr } = await requiring('--require', 'network');
    expect({ code, stdout }).toEqual({ code: 125, stdout: '' });
    expect(stderr).toMatch(/'network', which is not enforced here: .* \(ERR_GUARANTEE_UNAVAILABLE\)\n$/);
    const given = ['--root', '.', '--network', 'none', '--require', 'writes', '--require', 'network'];
    expect(await requiring(...given)).toMatchObject({ code: 0, stdout: 'a\n' });
  });

  it('says how long a command is that is too long, and how long it may be', async () => {
    const text = (bytes: number) => ['run', '--allow', 'true', '--', 'true', 'x'.repeat(bytes - 'true '.length)];
    expect((await handrail(...text(MAX_COMMAND_BYTES))).code).toBe(0);
    const { code, stderr } = await handrail(...text(MAX_COMMAND_BYTES + 1));
    expect(code).toBe(123);
    expect(stderr).toContain('too long: it has 65537 bytes, and 65536 are the most (hygiene.length)');

    const words = (count: number) => [
      'run',
      '--allow',
      'true',
      '--',
      'true',
      ...new Array<string>(count - 1).fill('x'),
    ];
    expect((await handrail(...words(MAX_COMMAND_WORDS))).code).toBe(0);
    const many = await handrail('run', '--json', ...words(MAX_COMMAND_WORDS + 1).slice(1));
    expect(many.code).toBe(123);
    expect(many.stdout).toContain('it has 8193 words, and 8192 are the most');
  });

  it('names no file that is gone when the result is read', async () => {
    const { stdout } = await handrail('run', '--json', '--allow', 'seq', '--', 'seq', '1', '100000');
    const result = JSON.parse(stdout) as { truncated: boolean; spill?: unknown };
    expect(result.truncated).toBe(true);
    expect(result.spill).toBeUndefined();
  });
});
