import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_WHOLE_BYTES } from '../../ts/cli/input-source.js';
import { temporaryFolder } from '../compat/terminal-environment.js';
import { handrail, runCommandLine } from '../support/cli.js';
import { shell } from './shell.js';

const folder = temporaryFolder();

const file = (name: string, content = 'token=abc1\nplain\n'): string => {
  const whole = path.join(folder(), name);
  writeFileSync(whole, content);
  return whole;
};

const MASKED = 'token=[REDACTED]\nplain\n';

describe('several files', () => {
  it('are written in order, each by itself', async () => {
    file('one', 'one token=abc1\n');
    // What is one text together is two by themselves.
    file('two', 'password=');
    file('three', 'hunter2\n');
    const { stdout } = await shell('handrail redact three one two; handrail redact - one < three', folder());
    expect(stdout).toBe('hunter2\none token=[REDACTED]\npassword=hunter2\none token=[REDACTED]\n');
  });

  it('are counted together', async () => {
    const args = ['--json', file('one'), file('two', 'password=hunter2\n')];
    expect(JSON.parse((await handrail('redact', ...args)).stderr)).toMatchObject({
      findings: 2,
      rules: { password: 1, token: 1 },
    });
  });

  it('end at one that cannot be read, which is named', async () => {
    file('one');
    const { stdout, stderr } = await shell('handrail redact one none one; echo "code $?"', folder());
    expect(stdout).toBe(`${MASKED}code 125\n`);
    expect(stderr).toBe('handrail: none cannot be read: there is no such file (ERR_SYSTEM)\n');
  });
});

describe('--in-place', () => {
  it('replaces what has a secret, and does not touch what has none', async () => {
    const [found, clean] = [file('found'), file('clean', 'plain\n')];
    chmodSync(found, 0o751);
    const before = [found, clean].map((name) => statSync(name));
    const answer = await handrail('redact', '--in-place', '--report', found, clean);
    expect(answer).toMatchObject({ code: 0, stdout: '', stderr: 'handrail: 1 secret masked\n          1 token\n' });
    expect([found, clean].map((name) => readFileSync(name, 'utf8'))).toEqual([MASKED, 'plain\n']);
    const after = [found, clean].map((name) => statSync(name));
    expect(after[0]?.ino).not.toBe(before[0]?.ino);
    expect(after[0]?.mode).toBe(before[0]?.mode);
    expect(after[1]).toMatchObject({ ino: before[1]?.ino, ctimeMs: before[1]?.ctimeMs });
    expect(readdirSync(folder()).sort()).toEqual(['clean', 'found']);
  });

  it.skipIf(process.getuid?.() !== 0)('keeps the owner where it may', async () => {
    const found = file('found');
    chownSync(found, 1, 2);
    chmodSync(found, 0o4755);
    expect((await handrail('redact', '--in-place', found)).code).toBe(0);
    expect(statSync(found)).toMatchObject({ uid: 1, gid: 2, mode: 0o104755 });
  });

  it('exits with 1 for --fail-on-find, when everything was replaced', async () => {
    const found = file('found');
    expect((await handrail('redact', '--in-place', '--fail-on-find', found)).code).toBe(1);
    expect(readFileSync(found, 'utf8')).toBe(MASKED);
    expect((await handrail('redact', '--in-place', '--fail-on-find', found)).code).toBe(0);
  });

  it('follows no symbolic link, and says where it leads', async () => {
    file('found');
    symlinkSync('found', path.join(folder(), 'link'));
    const { code, stderr } = await runCommandLine(['redact', '--in-place', 'link'], { cwd: folder() });
    expect(code).toBe(125);
    expect(stderr).toBe('handrail: link is a symbolic link to found: name the file itself (ERR_SYSTEM)\n');
    expect(lstatSync(path.join(folder(), 'link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(path.join(folder(), 'found'), 'utf8')).toContain('abc1');
  });

  it('says that another name keeps what it had', async () => {
    const found = file('found');
    linkSync(found, path.join(folder(), 'other'));
    const { code, stderr } = await runCommandLine(['redact', '--in-place', 'found'], { cwd: folder() });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'handrail: found was one of 2 names of a file; the others keep what they had\n',
    });
  });

  it.each([
    ['a folder', 'mkdir it', 'it cannot be read: it is a directory'],
    ['a pipe', 'mkfifo it', 'it is no regular file: it cannot be replaced'],
    ['nothing', 'true', 'it cannot be read: there is no such file'],
  ])('is refused for %s', async (_name, made, message) => {
    const { stdout, stderr } = await shell(`${made}; handrail redact --in-place it; echo "code $?"`, folder());
    expect({ stdout, stderr }).toEqual({ stdout: 'code 125\n', stderr: `handrail: ${message} (ERR_SYSTEM)\n` });
  });

  it('is refused for more than can be held', async () => {
    truncateSync(file('large'), MAX_WHOLE_BYTES + 1);
    const { stderr } = await runCommandLine(['redact', '--in-place', 'large'], { cwd: folder() });
    expect(stderr).toBe(
      `handrail: large has more than ${MAX_WHOLE_BYTES} bytes, the most that is read whole (ERR_SYSTEM)\n`,
    );
  });
});
