import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { unreadable } from '../../ts/cli/input-source.js';
import { temporaryFolder } from '../compat/terminal-environment.js';
import { handrail } from '../support/cli.js';
import { startAtTerminal } from './pseudo-terminal.js';
import { MAIN, shell } from './shell.js';

const folder = temporaryFolder();

const TEXT = 'password=hunter2\nplain\ntoken=abc1 and correct horse\n';
const MASKED = 'password=[REDACTED]\nplain\ntoken=[REDACTED] and correct horse\n';

/** A file with `content`, in a folder of this test. */
function file(content: string | Uint8Array, name = 'text.log'): string {
  const whole = path.join(folder(), name);
  writeFileSync(whole, content);
  return whole;
}

describe('handrail redact', () => {
  it.each([
    ['a file', 'handrail redact text.log'],
    ['the standard input', 'handrail redact < text.log'],
    ['a pipe', 'cat text.log | handrail redact -'],
    ['a file behind dashes', 'handrail redact -- text.log'],
    ['what a shell makes of a command', 'handrail redact <(cat text.log)'],
    ['a named pipe', 'mkfifo pipe; (sleep 0.5; cat text.log > pipe) & handrail redact pipe'],
    ['nothing', 'handrail redact < /dev/null; cat text.log | handrail redact'],
  ])('masks %s', async (_name, script) => {
    file(TEXT);
    expect(await shell(script, folder())).toEqual({ stdout: MASKED, stderr: '' });
  });

  it('passes on bytes that are no text as they are', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7919) % 256));
    file(bytes, 'bytes');
    const { stdout } = await shell('handrail redact bytes | cmp - bytes && echo same', folder());
    expect(stdout).toBe('same\n');
  });

  it('needs no working directory', async () => {
    const { stdout } = await shell('mkdir gone; cd gone; rmdir ../gone; echo token=abc1 | handrail redact', folder());
    expect(stdout).toBe('token=[REDACTED]\n');
  });

  it('takes options behind the file as well', async () => {
    const { code, stderr } = await handrail('redact', file(TEXT), '--report');
    expect(code).toBe(0);
    expect(stderr).toContain('2 secrets masked');
  });
});

describe('--secret-env', () => {
  const secrets = (names: string, variables: string) =>
    shell(
      `cat text.log | env -u NOTHING ${variables} "${process.execPath}" "${MAIN}" redact ${names}; exit 0`,
      folder(),
    );

  it.each(['--secret-env HORSE,STAPLE', '--secret-env HORSE --secret-env STAPLE', '--secret-env=" HORSE, STAPLE"'])(
    'masks the values of variables: %s',
    async (names) => {
      file('correct horse, battery, Y29ycmVjdCBob3JzZQ==\n');
      const { stdout } = await secrets(names, "HORSE='correct horse' STAPLE=battery");
      expect(stdout).toBe('[REDACTED], [REDACTED], [REDACTED]\n');
    },
  );

  it.each([
    ['is not set', 'NOTHING', '', '--secret-env: the variable NOTHING is not set; is it exported?'],
    ['has almost that name', 'HOSRE', 'HORSE=abc', '--secret-env: the variable HOSRE is not set; did you mean HORSE?'],
    ['has numbers', 'AWS_S3_KEY2', '', '--secret-env: the variable AWS_S3_KEY2 is not set; is it exported?'],
    ['may be a password', 'HUNTER2', '', '--secret-env entry 1 is not the name of a variable that is set'],
    ['is the value of one', 'SECRET', 'HORSE=SECRET', '--secret-env entry 1 is not the name of a variable'],
    ['is empty', 'HORSE', 'HORSE=', '--secret-env: the variable HORSE is empty'],
    ['has a short value', 'HORSE', 'HORSE=abc', '--secret-env: the value of `HORSE` is refused: its value has fewer'],
    ['has a common value', 'HORSE', 'HORSE=localhost', '--secret-env: the value of `HORSE` is refused: its value is a'],
    ['is what every object has', 'constructor', '', '--secret-env entry 1 is not the name of a variable that is set'],
  ])('refuses a variable that %s', async (_name, name, variables, message) => {
    file(TEXT);
    const { stdout, stderr } = await secrets(`--secret-env ${name}`, variables);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^handrail: [^\n]+\nsee handrail redact --help\n$/);
    expect(stderr).toContain(`handrail: ${message}`);
  });

  it.each(['hunter2hunter2', 'JBSWY3DPEHPK3PXP', `${'AKIA'}${'Q3EGRWZT7XJ2MN5P'}`, 'correct horse', '-----'])(
    'never repeats a value that stands where a name belongs: %s',
    async (value) => {
      const { code, stdout, stderr } = await handrail('redact', `--secret-env=HOME,${value}`, '/dev/null');
      expect({ code, stdout }).toEqual({ code: 125, stdout: '' });
      expect(stderr).toContain('--secret-env entry 2 is not the name of a variable that is set');
      expect(stderr).not.toContain(value);
    },
  );
});

describe('--pattern and --label', () => {
  it('mask what patterns match, and say which rule it was', async () => {
    const args = ['--pattern', 'ref-[0-9]+', '--pattern=-x-', '--label'];
    const { stdout } = await handrail('redact', ...args, file('ref-17 a-x-b token=abc1\n'));
    expect(stdout).toBe('[REDACTED:pattern] a[REDACTED:pattern]b token=[REDACTED:token]\n');
  });
});

describe('--report', () => {
  it('says how many secrets were masked, most first, and shows none', async () => {
    const text = `${TEXT}password=hunter3\npassword=hunter4\n`;
    const { code, stderr } = await handrail('redact', '--report', '--pattern', 'plain', file(text));
    expect(code).toBe(0);
    expect(stderr).toBe('handrail: 5 secrets masked\n          3 password\n          1 token\n          1 pattern\n');
  });

  it('says that there was none', async () => {
    expect((await handrail('redact', '--report', file('plain\n'))).stderr).toBe('handrail: no secrets found\n');
  });

  it('is JSON with --json, beside the text', async () => {
    const { stdout, stderr } = await handrail('redact', '--json', file(TEXT));
    expect(stdout).toBe(MASKED);
    expect(JSON.parse(stderr)).toEqual({
      findings: 2,
      rules: { password: 1, token: 1 },
      bytes: { read: TEXT.length, written: MASKED.length },
      notes: [],
      endedBy: null,
    });
  });
});

describe('--fail-on-find', () => {
  it.each([
    [TEXT, 1, MASKED],
    ['plain\n', 0, 'plain\n'],
  ])('exits by whether something was found, when everything was written: %j', async (text, expected, written) => {
    const { code, stdout } = await handrail('redact', '--fail-on-find', file(text));
    expect({ code, stdout }).toEqual({ code: expected, stdout: written });
  });
});

describe('what cannot be read', () => {
  it.each([
    ['a missing file', 'redact no/such.log', 'no/such.log cannot be read: there is no such file'],
    ['a folder', 'redact .', '. cannot be read: it is a directory'],
    ['a folder as the standard input', 'redact < .', 'the standard input cannot be read: it is a directory'],
    ['a file that fails', 'redact /proc/self/mem', '/proc/self/mem cannot be read: EIO'],
    ['a name that would paint the terminal', "redact $'a\\e[31mb'", 'a?[31mb cannot be read: there is no such file'],
    ['a name without end', `redact ${'x'.repeat(5_000)}`, `${'x'.repeat(200)}... cannot be read: ENAMETOOLONG`],
    [
      'its own output as its input',
      'redact < own >> own',
      'the standard input is where the output goes as well: it would be read without end',
    ],
    [
      'a secret where a file belongs',
      'redact password=hunter2',
      'password=[REDACTED] cannot be read: there is no such file',
    ],
    [
      'what a pattern masks',
      'redact --pattern staple my-staple',
      'my-[REDACTED] cannot be read: there is no such file',
    ],
    ['its own output', 'redact own >> own', 'own is where the output goes as well: it would be read without end'],
  ])('is one line and exit code 125: %s', async (_name, command, message) => {
    file(TEXT, 'own');
    const { stdout, stderr } = await shell(`handrail ${command}; echo "code $?"`, folder());
    expect(stdout).toBe('code 125\n');
    expect(stderr).toBe(`handrail: ${message} (ERR_SYSTEM)\n`);
  });

  it('is JSON with --json', async () => {
    const { code, stdout, stderr } = await handrail('redact', '--json', '/no/such/file');
    expect({ code, stdout }).toEqual({ code: 125, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'ERR_SYSTEM' } });
  });

  it('is a file of others', () => {
    // The tests may run as root, who may read everything.
    const error = Object.assign(new Error('no'), { code: 'EACCES' });
    expect(unreadable('a.log', error).message).toBe('a.log cannot be read: you may not read it');
  });
});

describe('at a terminal', () => {
  const typed = async (options: string): Promise<string> => {
    const terminal = startAtTerminal(`stty -echo; echo ready; "${process.execPath}" "${MAIN}" redact ${options}`);
    let shown = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      // What is typed while the terminal still echoes would be seen twice.
      if (shown === '') terminal.stdin.end('token=abc1\n');
      shown += text.replaceAll('\r', '');
    });
    await new Promise((resolve) => terminal.once('close', resolve));
    return shown.replace('ready\n', '');
  };

  it('says what it waits for, once', async () => {
    expect(await typed('')).toBe(
      'handrail: reading the standard input, a terminal; Ctrl-D on a new line ends it\ntoken=[REDACTED]\n',
    );
  });

  it('says nothing but JSON with --json', async () => {
    expect(await typed('--json')).toMatch(/^token=\[REDACTED\]\n\{\n {2}"findings": 1,/);
  });
});
