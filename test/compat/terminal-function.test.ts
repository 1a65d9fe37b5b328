import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { terminalFromEnvironment } from '../../ts/compat/default-engine.js';
import { terminalRun } from '../../ts/index.js';
import { pastDeadline } from '../support/deadlines.js';
import { parseText, REFUSED, SUCCEEDED, temporaryFolder, terminalEnvironment } from './terminal-environment.js';

const folder = temporaryFolder();
const MASK = '[REDACTED]';

/** The policy's bounds. */
const MAX_COMMAND_BYTES = 65_536;
const MAX_COMMAND_WORDS = 8_192;

describe('the terminal function tool', () => {
  test('runs an allowed command', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo' });
    expect(await terminalRun('echo hello')).toBe(`${SUCCEEDED}\noutput:\nhello\n`);
  });

  test('disallowed command blocks via the wrapper: no list', async () => {
    expect(await terminalRun('echo hello')).toBe(
      `${REFUSED}\nerror:\nCommand 'echo' is not allowed\nTERMINAL_ALLOWED_COMMANDS names no command`,
    );
  });

  test('disallowed command blocks via the wrapper: not on the list', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'ls' });
    expect(await terminalRun('echo hello')).toBe(`${REFUSED}\nerror:\nCommand 'echo' is not allowed`);
  });

  test('empty list denies all', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: '' });
    expect(await terminalRun('echo hello')).toContain("Command 'echo' is not allowed");
  });

  test('a pattern is no list: it says so and runs nothing', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: '*' });
    const { status, body } = parseText(await terminalRun('echo hello'));
    expect(status).toBe(REFUSED);
    expect(body).toMatch(/^TERMINAL_ALLOWED_COMMANDS entry 1 is a pattern, .*: name each one$/);
  });

  test('a command that is too long is told how long it is and may be', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'true' });
    const command = `true ${'x'.repeat(MAX_COMMAND_BYTES - 'true '.length)}`;
    expect(await terminalRun(command)).toContain(SUCCEEDED);
    expect(await terminalRun(`${command}x`)).toContain('too long: it has 65537 bytes, and 65536 are the most\n');
    const words = 'true'.padEnd(2 * MAX_COMMAND_WORDS, ' x');
    expect(await terminalRun(`${words} x x x`)).toContain('it has too many words, and 8192 are the most\n');
  });

  test('deny list beats allow list', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo', DENY_COMMANDS: 'echo' });
    expect(await terminalRun('echo hello')).toBe(`${REFUSED}\nerror:\nCommand 'echo' is denied by policy`);
  });

  test.each(['', '   '])('empty command %j', async (command) => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo' });
    expect(await terminalRun(command)).toBe(`${REFUSED}\nerror:\nEmpty command`);
  });

  test('timeout respected: 0.5 s on a shell that sleeps', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'bash,sleep', TIMEOUT_SECONDS: '0.5' });
    const text = await terminalRun("bash -lc 'sleep 600'");
    expect(parseText(text).status).toBe('ok=false exit=None timeout=true truncated=false');
  });

  test('a timeout keeps what was written until then', async () => {
    const run = async (timeoutMs: number) => {
      const TIMEOUT_SECONDS = String(timeoutMs / 1_000);
      terminalEnvironment({ ALLOWED_COMMANDS: 'bash', TRUSTED_INTERPRETERS: 'bash', TIMEOUT_SECONDS });
      return parseText(await terminalRun("bash -c 'echo before; sleep 600'"));
    };
    const { status, label, body } = await pastDeadline(run, ({ label }) => label === 'output');
    expect([status, label, body]).toEqual(['ok=false exit=None timeout=true truncated=false', 'output', 'before\n']);
  });

  test('truncation: byte cap', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'printf', OUTPUT_CAP_BYTES: '100' });
    const { status, body } = parseText(await terminalRun(`printf '%s' ${'x'.repeat(500)}`));
    expect(status).toBe('ok=true exit=0 timeout=false truncated=true');
    expect(body.replace(/[^x]/g, '')).toHaveLength(100);
    expect(body).toContain('[... 400 bytes, 0 lines omitted ...]');
  });

  test('truncation: character cap of 40', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'printf', FUNCTION_OUTPUT_MAX_CHARS: '40' });
    const text = await terminalRun(`printf '%s' ${'x'.repeat(500)}`);
    const { status, body } = parseText(text);
    expect(status).toBe('ok=true exit=0 timeout=false truncated=true');
    expect(body).toBe('x'.repeat(31));
    expect(text.length).toBe(status.length + 40);
  });

  test.each([1, 9, 10, 100, 1000])('the whole text stays within %i characters beside its status line', async (cap) => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'printf', FUNCTION_OUTPUT_MAX_CHARS: String(cap) });
    for (const command of [`printf '%s' ${'😀'.repeat(3_000)}`, `rm ${'x'.repeat(3_000)}`, 'echo a | wc']) {
      const text = await terminalRun(command);
      const [status = ''] = text.split('\n');
      expect([...text].length).toBeLessThanOrEqual([...status].length + cap);
    }
  });

  test('a cut says how much of the whole output is missing', async () => {
    const count = 4_000;
    terminalEnvironment({ ALLOWED_COMMANDS: 'seq', OUTPUT_CAP_BYTES: '2000', FUNCTION_OUTPUT_MAX_CHARS: '300' });
    const { body } = parseText(await terminalRun(`seq 1 ${count}`));
    const all = Array.from({ length: count }, (_, index) => `${index + 1}\n`);
    const notice = /\[\.\.\. (\d+) bytes, (\d+) lines omitted \.\.\.\]\n/.exec(body);
    const kept = body
      .replace(notice?.[0] ?? 'none', '')
      .split('\n')
      .filter((line) => line !== '');
    expect(Number(notice?.[2])).toBe(count - kept.length);
    expect(Number(notice?.[1])).toBe(all.join('').length - kept.reduce((sum, line) => sum + line.length + 1, 0));
    expect(kept[0]).toBe('1');
    expect(kept.at(-1)).toBe(String(count));
  });

  test('redaction: substrings', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo', REDACT_SUBSTRINGS: 'MARKER,OTHER' });
    expect(parseText(await terminalRun('echo a MARKER b')).body).toBe(`a ${MASK} b\n`);
  });

  test('redaction: built-in pattern for keys that begin with sk-', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo' });
    const key = ['sk-', 'test', 'A1b2C3d4E5f6G7h8I9j0'].join('');
    const { body } = parseText(await terminalRun(`echo ${key}`));
    expect(body).toBe(`${MASK}\n`);
  });

  test('redaction: patterns of the host', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo', REDACT_PATTERNS: 'a+b,c+d' });
    expect(parseText(await terminalRun('echo aab ccd ef')).body).toBe(`${MASK} ${MASK} ef\n`);
  });

  test('redaction: JWT', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo' });
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = [part({ alg: 'HS256', typ: 'JWT' }), part({ sub: 'somebody' }), 'c2lnbmF0dXJlLW9mLXRoaXM'].join('.');
    expect(await terminalRun(`echo ${token}`)).not.toContain(token.slice(0, 20));
  });

  test('redaction: Bearer', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo' });
    const token = ['abcdef', 'GHIJKL', '012345'].join('');
    expect(parseText(await terminalRun(`echo 'Authorization: Bearer ${token}'`)).body).toBe(
      `Authorization: Bearer ${MASK}\n`,
    );
  });

  test('no stdin', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'cat' });
    expect(await terminalRun('cat')).toBe(`${SUCCEEDED}\noutput:\n`);
  });

  test('sanitized environment', async () => {
    process.env['HANDRAIL_TEST_OF_ENVIRONMENT'] = 'visible';
    terminalEnvironment({ ALLOWED_COMMANDS: 'printenv' });
    try {
      const { body } = parseText(await terminalRun('printenv'));
      expect(body).not.toContain('visible');
      expect(body.split('\n')).toEqual(expect.arrayContaining([expect.stringMatching(/^PATH=.*\/usr\/bin/), 'CI=1']));
    } finally {
      delete process.env['HANDRAIL_TEST_OF_ENVIRONMENT'];
    }
  });

  test('failure string of a command that fails', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'ls' });
    const { status, label, body } = parseText(await terminalRun('ls /does/not/exist'));
    expect(status).toBe('ok=false exit=2 timeout=false truncated=false');
    expect(label).toBe('output');
    expect(body).toContain('No such file');
  });

  test('failure string of a program that is not there', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'no-such-program' });
    const text = parseText(await terminalRun('no-such-program'));
    expect(text).toMatchObject({ status: REFUSED, label: 'error' });
    expect(text.body).toMatch(/^no such program .*; the host can add its folder to the search path$/);
  });

  test('the variables are read on each call', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo' });
    expect(await terminalRun('echo a')).toContain('ok=true');
    terminalEnvironment({ ALLOWED_COMMANDS: 'ls' });
    expect(await terminalRun('echo a')).toContain('ok=false');
  });

  test.each([undefined, 7, null, {}, ['echo', 'a']])('never rejects, whatever it is given: %o', async (command) => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'echo' });
    const text = await terminalRun(command as never, undefined);
    expect(text === `${SUCCEEDED}\noutput:\na\n` || text.startsWith(REFUSED)).toBe(true);
    expect(await terminalRun('echo a', 7 as never)).toContain(REFUSED);
  });
});

test('policies are kept, the last sixteen of them', () => {
  terminalEnvironment({ ALLOWED_COMMANDS: 'first' });
  const first = terminalFromEnvironment();
  for (let count = 1; count < 16; count += 1) {
    terminalEnvironment({ ALLOWED_COMMANDS: `other-${count}` });
    terminalFromEnvironment();
  }
  terminalEnvironment({ ALLOWED_COMMANDS: 'first' });
  expect(terminalFromEnvironment()).toBe(first);
  terminalEnvironment({ ALLOWED_COMMANDS: 'one-more' });
  terminalFromEnvironment();
  terminalEnvironment({ ALLOWED_COMMANDS: 'first' });
  expect(terminalFromEnvironment()).not.toBe(first);
});

describe('the sandbox directory', () => {
  test('is the default working directory', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'pwd', SANDBOX_CWD: folder() });
    expect(parseText(await terminalRun('pwd')).body).toBe(`${folder()}\n`);
  });

  test('is where relative directories start', async () => {
    mkdirSync(path.join(folder(), 'sub'));
    terminalEnvironment({ ALLOWED_COMMANDS: 'pwd', SANDBOX_CWD: folder() });
    expect(parseText(await terminalRun('pwd', 'sub')).body).toBe(`${folder()}/sub\n`);
    expect(parseText(await terminalRun('pwd', path.join(folder(), 'sub'))).body).toBe(`${folder()}/sub\n`);
  });

  test.each(['..', 'sub/../..', '/', '/etc'])('cannot be left by %s', async (cwd) => {
    mkdirSync(path.join(folder(), 'sub'));
    terminalEnvironment({ ALLOWED_COMMANDS: 'pwd', SANDBOX_CWD: folder() });
    expect(await terminalRun('pwd', cwd)).toBe(`${REFUSED}\nerror:\nWorking directory escapes sandbox root`);
  });

  test.each(['../no-such-folder', '/no/such/folder'])('cannot be left by %s, which does not exist', async (cwd) => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'pwd', SANDBOX_CWD: folder() });
    expect(parseText(await terminalRun('pwd', cwd))).toMatchObject({ status: REFUSED, label: 'error' });
  });

  test('is not needed: without it any directory that exists will do', async () => {
    terminalEnvironment({ ALLOWED_COMMANDS: 'pwd' });
    expect(parseText(await terminalRun('pwd', folder())).body).toBe(`${folder()}\n`);
    expect(parseText(await terminalRun('pwd', '/')).body).toBe('/\n');
    expect(parseText(await terminalRun('pwd')).body).toBe(`${process.cwd()}\n`);
  });

  test.each(['missing', 'file'])('says so when the working directory is %s', async (name) => {
    writeFileSync(path.join(folder(), 'file'), '');
    terminalEnvironment({ ALLOWED_COMMANDS: 'pwd' });
    const { status, label } = parseText(await terminalRun('pwd', path.join(folder(), name)));
    expect([status, label]).toEqual([REFUSED, 'error']);
  });
});
