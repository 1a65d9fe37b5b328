import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type CommandResult, type OutputChunk, Redactor, Terminal, type TerminalOptions } from '../../ts/index.js';

const MASK = '[REDACTED]';

/** Known values that cannot be taken for real ones, and are not in this file as they stand. */
const PHRASE = ['correct', 'horse', 'battery'].join('-');
const LONG = 'a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pg'.repeat(2);

/** Whether four characters of `secret` that follow each other stand in `text`. */
function shows(text: string, secret: string): boolean {
  return Array.from({ length: secret.length - 3 }, (_, at) => secret.slice(at, at + 4)).some((part) =>
    text.includes(part),
  );
}

describe('addSecret', () => {
  test('masks the value and its forms from then on', () => {
    const redactor = new Redactor();
    expect(redactor.redact(`say ${PHRASE}`)).toBe(`say ${PHRASE}`);
    redactor.addSecret('DEPLOY', PHRASE);
    expect(redactor.redact(`say ${PHRASE}`)).toBe(`say ${MASK}`);
    expect(redactor.redact(`say ${Buffer.from(PHRASE).toString('base64')}`)).toBe(`say ${MASK}`);
    expect(redactor.redact(`say ${Buffer.from(PHRASE).toString('hex')}`)).toBe(`say ${MASK}`);
    expect(redactor.scan(`say ${PHRASE}`)).toEqual([{ rule: 'known-value', start: 4, end: 4 + PHRASE.length }]);
    expect(() => redactor.addSecret('AGAIN', PHRASE)).not.toThrow();
  });

  test('masks it in what a stream holds back', () => {
    const redactor = new Redactor();
    const stream = redactor.stream();
    const parts = [stream.write(`first\nsay ${PHRASE.slice(0, 9)}`)];
    redactor.addSecret('DEPLOY', PHRASE);
    parts.push(stream.write(`${PHRASE.slice(9)}!\n`), stream.end());
    expect(Buffer.concat(parts).toString()).toBe(`first\nsay ${MASK}!\n`);
  });

  test.each([
    ['short', 'has fewer than 6 characters'],
    ['production', 'is a common word'],
    ['1234567', 'is a number'],
    ['/usr/local/bin:/usr/bin', 'is a path'],
    ['*********', 'has neither letters nor digits'],
  ])('refuses %j by its name, and shows it nowhere', (value, reason) => {
    const redactor = new Redactor();
    try {
      redactor.addSecret('MY_NAME', value);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
      expect(String(error)).toContain(`\`MY_NAME\` is refused: its value ${reason}`);
      expect(String(error)).not.toContain(value);
    }
    expect(redactor.redact(`a ${value} b`)).toBe(`a ${value} b`);
  });

  test.each([
    ['', PHRASE, '`name`'],
    [7, PHRASE, '`name`'],
    ['NAME', '', '`value`'],
    ['NAME', 7, '`value`'],
  ])('checks its arguments: %j %j', (name, value, message) => {
    const add = () => new Redactor().addSecret(name as string, value as string);
    expect(add).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
    expect(add).toThrow(message);
  });
});

describe('a terminal', () => {
  let folder: string;
  let open: Terminal[];

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-known-')));
    open = [];
  });

  afterEach(async () => {
    await Promise.all(open.map((terminal) => terminal.close()));
    rmSync(folder, { recursive: true });
  });

  function terminal(options: TerminalOptions): Terminal {
    const made = new Terminal({ allow: ['bash'], trustInterpreters: ['bash'], ...options });
    open.push(made);
    return made;
  }

  test.each(['default', 'none'] as const)('masks a value added while it runs, with rules %s', async (rules) => {
    const redactor = new Redactor({ rules });
    const seen: OutputChunk[] = [];
    const go = path.join(folder, 'go');
    const script = `echo "before ${PHRASE}"; printf "open ${PHRASE}"; until [ -e ${go} ]; do :; done; echo " after ${PHRASE}"`;
    let letGo: Promise<CommandResult> | undefined;
    const running = terminal({ redactor, roots: [folder], cwd: folder }).run(['bash', '-c', script], {
      onOutput: (chunk) => {
        if (seen.push(chunk) > 1) return;
        redactor.addSecret('LATE', PHRASE);
        // The command waits for the file that says that the value is known.
        letGo = terminal({ roots: [folder], cwd: folder }).run(['bash', '-c', `: > ${go}`]);
      },
    });
    const result = await running;
    // It may end after the command that waits for its file: a terminal that is closed under it rejects.
    expect(await letGo).toMatchObject({ ok: true });
    expect(existsSync(go)).toBe(true);
    expect(result.output).toBe(`before ${MASK}\nopen ${MASK} after ${MASK}\n`);
    expect(result.stdout).toBe(result.output);
    expect(
      seen
        .slice(1)
        .map(({ text }) => text)
        .join(''),
    ).not.toContain(PHRASE);
  });

  test('masks a value added while it runs in the spill file too', async () => {
    const redactor = new Redactor();
    let added = false;
    const script = `for i in 1 2 3 4 5 6 7 8 9; do echo "line $i ${PHRASE}"; sleep 0.02; done`;
    const result = await terminal({ redactor, output: { headBytes: 40, tailBytes: 40 } }).run(['bash', '-c', script], {
      onOutput: () => {
        if (added) return;
        added = true;
        redactor.addSecret('LATE', PHRASE);
      },
    });
    const spilled = readFileSync(result.spill?.path ?? '', 'utf8');
    expect(spilled.split('\n')).toHaveLength(10);
    expect(spilled).not.toContain(PHRASE);
    expect(result.output).not.toContain(PHRASE);
  });

  test.each([
    ['a colour change', `${LONG.slice(0, 20)}\\e[1m${LONG.slice(20, 40)}\\e[0m${LONG.slice(40)}\\n`],
    ['wrapped lines', `${LONG.slice(0, 20)}\\r\\n${LONG.slice(20, 40)}\\n  ${LONG.slice(40)}\\n`],
    ['a backspace', `${LONG.slice(0, 20)}x\\b${LONG.slice(20)}\\n`],
  ])('never shows four characters of a value across %s', async (_name, text) => {
    const result = await terminal({ redactor: new Redactor({ secrets: { LONG } }) }).run([
      'bash',
      '-c',
      `printf '${text}'; echo end`,
    ]);
    expect(result.output).toContain(MASK);
    expect(result.output.endsWith('end\n')).toBe(true);
    expect(shows(result.output, LONG)).toBe(false);
  });

  test('never shows four characters of a value across the cut, the spill border and a read of 64 KiB', async () => {
    const redactor = new Redactor({ secrets: { LONG } });
    for (const before of [0, 1, 5, 30, 61]) {
      const line = `${'.'.repeat(before)} ${LONG}`;
      const script = `for i in {1..3000}; do echo "${line}"; done`;
      const result = await terminal({
        redactor,
        output: { headBytes: 1_000, tailBytes: 1_000, spillBytes: 70_000 },
      }).run(['bash', '-c', script]);
      expect(result.truncated).toBe(true);
      expect(shows(result.output, LONG)).toBe(false);
      expect(shows(readFileSync(result.spill?.path ?? '', 'utf8'), LONG)).toBe(false);
    }
  });
});
