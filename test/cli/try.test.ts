/** `handrail run --try`: what a command changes is shown first. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Ended, runCommandLine } from '../support/cli.js';
import { folderPerTest } from '../support/folder.js';
import { until } from '../support/processes.js';

const base = folderPerTest();

/** Looks like a key and is none. */
const FAKE_KEY = ['sk', 'a1B2c3D4e5F6g7H8i9J0'].join('-');

/** Looks random. */
const OTHER = ['Zk3v', 'Q9xT7mLp'].join('AA');

let root: string;

beforeEach(() => {
  root = path.join(base(), 'work');
  mkdirSync(path.join(root, 'old'), { recursive: true });
  writeFileSync(path.join(root, 'kept.txt'), 'one\n');
  writeFileSync(path.join(root, 'old/gone.txt'), 'gone\n');
});

const cli = (...args: readonly string[]): Promise<Ended> =>
  runCommandLine(args, { cwd: root, env: { XDG_STATE_HOME: path.join(base(), 'state') } });

const tried = (script: string, ...options: readonly string[]): Promise<Ended> =>
  cli('run', '--allow', 'cat,mkdir,mkfifo,printf,rm,false,sleep', '--try', ...options, '--shell', script);

const SCRIPT = 'printf two >> kept.txt; mkdir new; printf x > new/a.txt; rm -r old; cat kept.txt';

describe('handrail run --try', () => {
  it('shows what a command changes, and changes nothing', async () => {
    const { code, stdout, stderr } = await tried(SCRIPT);
    expect([code, stdout]).toEqual([0, 'one\ntwo']);
    expect(stderr).toMatch(/^handrail: exit 0 in /);
    const lines = stderr.split('\n').map((line) => line.trim());
    expect(lines.slice(1)).toEqual([
      'It would leave 2 created, 1 changed, 2 removed:',
      '~ kept.txt (4 -> 7 bytes)',
      '+ new/',
      '+ new/a.txt (1 bytes)',
      '- old/',
      '- old/gone.txt (5 bytes)',
      'Dropped: nothing has changed. With --try, --keep keeps them.',
      '',
    ]);
    expect(readFileSync(path.join(root, 'kept.txt'), 'utf8')).toBe('one\n');
    expect(existsSync(path.join(root, 'old/gone.txt')) && !existsSync(path.join(root, 'new'))).toBe(true);
  });

  it('keeps all of it with --keep, and undo takes it back', async () => {
    const { code, stderr } = await tried(SCRIPT, '--keep');
    expect(code).toBe(0);
    expect(stderr).toContain('It left 2 created, 1 changed, 2 removed:');
    const id = /Kept\. handrail undo (\S+) takes it back\./.exec(stderr)?.[1] ?? '';
    expect(readFileSync(path.join(root, 'kept.txt'), 'utf8')).toBe('one\ntwo');
    expect(existsSync(path.join(root, 'old'))).toBe(false);
    expect(await cli('undo', id)).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(root, 'kept.txt'), 'utf8')).toBe('one\n');
    expect(readFileSync(path.join(root, 'old/gone.txt'), 'utf8')).toBe('gone\n');
  });

  it('keeps nothing of a command that failed or was denied', async () => {
    const failed = await tried('printf x > a.txt; false', '--keep');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('--keep keeps what a program that succeeds has changed');
    expect(existsSync(path.join(root, 'a.txt'))).toBe(false);
    const denied = await tried('ls', '--keep');
    expect(denied.code).toBe(123);
    expect(denied.stderr).not.toContain('would leave');
  });

  it('keeps nothing where somebody else has changed a file meanwhile, and says so', async () => {
    const file = path.join(root, 'kept.txt');
    const go = path.join(base(), 'go');
    const running = tried(`printf two >> kept.txt; until [ -e ${go} ]; do sleep 0.05; done`, '--keep');
    const layers = path.join(base(), 'state/handrail/layers');
    const hasWritten = (): boolean =>
      existsSync(layers) && readdirSync(layers).some((id) => existsSync(path.join(layers, id, '0/upper/kept.txt')));
    await until(hasWritten);
    writeFileSync(file, 'theirs\n');
    writeFileSync(go, '');
    const result = await running;
    expect(result.code).toBe(125);
    expect(result.stderr).toContain(
      'Nothing was kept: kept.txt, as somebody else has changed it meanwhile. Run it again.',
    );
    expect(readFileSync(file, 'utf8')).toBe('theirs\n');
  });

  it('shows what differs with --diff, masked', async () => {
    const script = `printf 'two\\npassword=%s\\n' ${OTHER} >> kept.txt; rm old/gone.txt`;
    const { stderr } = await tried(script, '--diff');
    const [, ...lines] = stderr.split('\n');
    expect(lines.slice(0, 4).map((line) => line.trim())).toEqual([
      'It would leave 1 changed, 1 removed:',
      '~ kept.txt (4 -> 32 bytes)',
      '- old/gone.txt (5 bytes)',
      'Dropped: nothing has changed. With --try, --keep keeps them.',
    ]);
    expect(lines.slice(4)).toEqual([
      '--- kept.txt',
      '@@ -1,1 +1,3 @@',
      ' one',
      '+two',
      '+password=[REDACTED]',
      '[what is masked is not compared]',
      '--- old/gone.txt',
      '@@ -1,1 +0,0 @@',
      '-gone',
      '',
    ]);
    const kept = await tried(script, '--diff', '--keep', '--json');
    expect(JSON.parse(kept.stdout).trial.changes.changes[0].diff).toMatchObject({ added: 2, removed: 0, masked: 1 });
    const undone = await cli('undo', '--dry-run');
    expect(undone.stdout).toContain('-password=[REDACTED]\n');
    expect([stderr, kept.stdout, undone.stdout].join('')).not.toContain(OTHER);
  });

  it('names what stays out', async () => {
    const { stderr } = await tried('mkfifo pipe');
    expect(stderr).toMatch(/It changed nothing\.\n *Pipes, sockets and devices stay out: pipe\n/);
  });

  it('says that nothing was changed', async () => {
    expect((await tried('cat kept.txt')).stderr.trimEnd()).toMatch(/It changed nothing\.$/);
  });

  it('says the same as JSON', async () => {
    const { stdout } = await tried('printf x > a.txt', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'exited',
      trial: { kept: false, changes: { created: 1, changes: [{ path: 'a.txt', kind: 'created', bytesAfter: 1 }] } },
    });
  });

  it('masks secrets in the names of files', async () => {
    const { stderr } = await tried(`printf x > ${FAKE_KEY}`);
    expect(stderr).toContain('+ [REDACTED] (1 bytes)');
    expect(stderr).not.toContain(FAKE_KEY);
  });

  it('asks for a root, and for the option that it goes with', async () => {
    const none = await cli('run', '--allow', 'cat', '--writes', 'any', '--try', 'cat', 'kept.txt');
    expect(none).toMatchObject({ code: 125, stderr: expect.stringContaining('--root') });
    const alone = await cli('run', '--allow', 'cat', '--keep', 'cat', 'kept.txt');
    expect(alone).toMatchObject({ code: 125, stderr: expect.stringContaining('--keep goes with --try') });
    const differs = await cli('run', '--allow', 'cat', '--diff', 'cat', 'kept.txt');
    expect(differs).toMatchObject({ code: 125, stderr: expect.stringContaining('--diff goes with --try') });
  });
});
