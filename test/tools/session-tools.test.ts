/** What a model reads after a call of a session tool. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Toolkit } from '../../ts/toolkit.js';
import { isInstalled } from '../support/programs.js';
import { toolkits } from '../support/toolkits.js';

const { workspace, make, audited } = toolkits();

/** Looks like a key and is none. */
const FAKE_KEY = ['sk', 'a1B2c3D4e5F6g7H8i9J0'].join('-');

const SHELL = { terminal: { allow: ['bash', 'cat', 'echo', 'sleep', 'pwd', 'ls'] } };

type Args = Readonly<Record<string, unknown>>;

/** Calls a tool, gives its text and whether it is an error. */
async function call(toolkit: Toolkit, name: string, args: Args): Promise<readonly [boolean, string]> {
  const { isError, content } = await toolkit.execute(`session_${name}`, args);
  return [isError, content];
}

/** A toolkit with one session `s1`. */
async function started(command: string, options: Parameters<typeof make>[0] = SHELL): Promise<Toolkit> {
  const toolkit = await make(options);
  const [isError, content] = await call(toolkit, 'start', { command });
  expect({ isError, content }).toMatchObject({ isError: false });
  return toolkit;
}

const send = (toolkit: Toolkit, input: string, more: Args = {}) =>
  call(toolkit, 'send', { session: 's1', input, ...more });

describe('session_start', () => {
  it('gives what the program wrote, its name and how it stands', async () => {
    const toolkit = await make(SHELL);
    expect(await call(toolkit, 'start', { command: 'cat' })).toEqual([false, '[s1 waits for input]']);
    const [, shell] = await call(toolkit, 'start', { command: 'bash' });
    expect(shell).toMatch(/[$#] \n\[s2 is ready for input\]$/);
    expect(await call(toolkit, 'start', { command: 'echo hi' })).toEqual([
      false,
      'hi\n[s3 is over: it ended with exit code 0]',
    ]);
  });

  it.each<[string, Args, RegExp]>([
    [
      'a program that is not listed',
      { command: 'rm x' },
      /^denied: .*'rm'.*\(list\.not_allowed\)\nhint: .*\nhint: The host lifts this .*\nAllowed programs: bash, cat, .*\nfile_patch removes a file that /,
    ],
    ['a program that is not there', { command: 'no-such' }, /^denied: .*list\.not_allowed/],
    [
      'a shell that runs a file',
      { command: 'bash --rcfile x' },
      /^denied: .*no_approver\)\nalso: .*shell\.script\)\n(also: .*\n)*hint: /,
    ],
    ['a directory outside of the workspace', { command: 'cat', cwd: '..' }, /escapes sandbox root|outside_root/],
    ['nothing', {}, /^invalid arguments: missing argument: command/],
    ['an unknown argument', { command: 'cat', cols: 3 }, /^invalid arguments: unknown argument: cols/],
  ])('refuses %s, and says why', async (_name, args, text) => {
    const [isError, content] = await call(await make(SHELL), 'start', args);
    expect(isError).toBe(true);
    expect(content).toMatch(text);
  });

  it('shows of a long answer the lines that tell most', async () => {
    const noise = Array.from({ length: 9_000 }, (_, index) => `[${index}/9000] CC part_${index}.c`).join('\n');
    const text = `${noise}\ncart.c:88: error: unknown type Price\n${noise}\n`;
    writeFileSync(path.join(workspace, 'build.log'), text);
    const toolkit = await make({ ...SHELL, limits: { resultTokens: 200 } });
    const [, content] = await call(toolkit, 'start', { command: 'cat build.log' });
    expect(content).toContain('\ncart.c:88: error: unknown type Price\n');
    expect(content).toMatch(
      /\n\[\d+ of 18,001 lines shown; all of them in \S+\]\n\[s1 is over: it ended with exit code 0\]$/,
    );
    expect(content.length).toBeLessThan(1_500);
  });

  it('keeps of a flood the end, and says how much came before', async () => {
    const toolkit = await started('bash', { terminal: { allow: ['bash', 'seq', 'echo'] } });
    const [, content] = await send(toolkit, 'seq 1 700000; echo LAST WORD');
    expect(content).toMatch(/^\[\d+ bytes before this are not kept any more\]\n/);
    expect(content).toMatch(/\n700000\nLAST WORD\n/);
    expect(content).toMatch(/\[s1 is ready for input\]$/);
    const [, lines = '', kept = ''] = /of ([\d,]+) lines shown; all of them in (\S+)\]/.exec(content) ?? [];
    const text = readFileSync(kept, 'utf8');
    expect(text).toContain('\n700000\nLAST WORD\n');
    expect(text.split('\n').length).toBe(Number(lines.replaceAll(',', '')));
    // Without the note the whole would be there.
    const [, before = ''] = /^\[(\d+) bytes/.exec(content) ?? [];
    const whole = Array.from({ length: 700_000 }, (_, index) => `${index + 1}\n`).join('').length;
    const prompt = text.slice(text.indexOf('LAST WORD\n') + 'LAST WORD\n'.length);
    const rest = Number(before) + text.length - prompt.length - 'LAST WORD\n'.length - whole;
    // The echo of the input is not taken out of what is not kept.
    expect(rest).toBeLessThanOrEqual('seq 1 700000; echo LAST WORD\n'.length);
    expect(rest).toBeGreaterThanOrEqual(0);
    expect((await send(toolkit, 'echo next'))[1]).toMatch(/^next\n/);
  });

  it('refuses an interpreter, unless the host trusts it', async () => {
    const lists = { allow: ['python3', 'env'] };
    expect(await call(await make({ terminal: lists }), 'start', { command: 'python3' })).toEqual([
      true,
      expect.stringMatching(/^denied: .*no_approver\)\nalso: .*\nhint: .*trustInterpreters/) as string,
    ]);
    const trusting = await make({ terminal: { ...lists, trustInterpreters: ['python3'] } });
    const [, content] = await call(trusting, 'start', { command: 'python3' });
    if (isInstalled('python3')) expect(content).not.toMatch(/^denied/);
  });

  it('refuses one more than limits.sessions, and says what to do', async () => {
    const toolkit = await started('cat', { ...SHELL, limits: { sessions: 1 } });
    expect(await call(toolkit, 'start', { command: 'cat' })).toEqual([
      true,
      expect.stringMatching(/^busy: .*close one.*limits\.sessions/) as string,
    ]);
  });
});

describe('session_send', () => {
  it('gives the answer to a line; the state stays', async () => {
    const toolkit = await started('bash');
    await send(toolkit, 'X=5');
    const [isError, content] = await send(toolkit, 'echo "value $X"');
    expect(isError).toBe(false);
    expect(content).toMatch(/^value 5\n.*[$#] \n\[exit 0 in \d+ ms\]\n\[s1 is ready for input\]$/);
  });

  it('says how a command has ended, and where that is not known', async () => {
    const toolkit = await started('bash');
    expect((await send(toolkit, 'ls missing'))[1]).toMatch(/\n\[exit 2 in \d+ ms\]\n\[s1 is ready for input\]$/);
    const [, nested] = await send(toolkit, 'cat');
    expect(nested).toBe(
      '[exit status not known: the shell has not said that the command is over]\n[s1 waits for input]',
    );
  });

  it('says how to go on when the time is over, and interrupts with a key', async () => {
    const toolkit = await started('bash');
    expect(await send(toolkit, 'sleep 60', { timeout_ms: 200 })).toEqual([
      false,
      '[s1 is not ready for input yet: session_read waits on, session_send with key "ctrl-c" interrupts it]',
    ]);
    expect(await send(toolkit, 'echo a', { timeout_ms: 200 })).toEqual([
      true,
      expect.stringMatching(/^\[s1 is not ready for input, and was sent nothing: session_read/) as string,
    ]);
    const [isError, content] = await call(toolkit, 'send', { session: 's1', key: 'ctrl-c' });
    expect(isError).toBe(false);
    expect(content).toMatch(/\[s1 is ready for input\]$/);
  });

  it('masks what the program writes, and says how often', async () => {
    const toolkit = await started('cat');
    expect(await send(toolkit, `key ${FAKE_KEY}`)).toEqual([
      false,
      'key [REDACTED]\n[1 secret masked]\n[s1 waits for input]',
    ]);
  });

  it('says that the program is over, and with which code', async () => {
    const toolkit = await started('bash');
    const over = '[s1 is over: it ended with exit code 3]';
    expect(await send(toolkit, 'exit 3')).toEqual([
      false,
      'exit\n[s1 is over: it ended with exit code 3, after "exit 3"]',
    ]);
    expect(await send(toolkit, 'echo a')).toEqual([true, over]);
    expect(await call(toolkit, 'read', { session: 's1' })).toEqual([false, over]);
  });

  it.each<[string, Args, RegExp]>([
    [
      'an unknown session, and names those that there are',
      { session: 's9', input: 'a' },
      /no session of this name; open are s1$/,
    ],
    ['neither line nor key', { session: 's1' }, /either `input` or `key`/],
    ['both', { session: 's1', input: 'a', key: 'enter' }, /either `input` or `key`/],
    ['an unknown key', { session: 's1', key: 'f13' }, /`key` to be a key: up, .*ctrl-x/],
    ['a line that the terminal would cut', { session: 's1', input: 'x'.repeat(5_000) }, /4095 bytes/],
    ['a wait without an end', { session: 's1', input: 'a', timeout_ms: 600_001 }, /timeout_ms: .*600000/],
  ])('refuses %s', async (_name, args, text) => {
    const toolkit = await started('cat');
    const [isError, content] = await call(toolkit, 'send', args);
    expect(isError).toBe(true);
    expect(content).toMatch(text);
    expect((await send(toolkit, 'lives'))[1]).toBe('lives\n[s1 waits for input]');
  });
});

describe('a line for a shell', () => {
  it.each([
    ['a program that is not listed', ['rm victim']],
    ['one behind another', ['echo a; rm victim']],
    ['one in a function', ['echo() { rm victim; }', 'echo']],
    ['one in a variable', ['X=rm', '$X victim']],
    ['one in an alias', ['alias echo=rm', 'echo victim']],
    ['one in two lines of an open quote', ['echo "', '"; rm victim; echo "', '"']],
    ['one in two lines of an open document', ['cat <<E | bash', 'rm victim', 'E']],
    ['one in an evaluated text', ['eval "r""m victim"']],
    ['a shell that nobody judges', ['bash', 'rm victim']],
    ['a file that is read as a script', ['source ./script', '. ./script']],
    ['a hook of the shell', ["PROMPT_COMMAND='rm victim'", 'echo']],
    ['a trap', ["trap 'rm victim' DEBUG", 'echo']],
  ])('is judged: %s removes nothing', async (_name, lines) => {
    const victim = path.join(workspace, 'victim');
    writeFileSync(victim, 'here');
    writeFileSync(path.join(workspace, 'script'), 'rm victim\n');
    const toolkit = await started('bash');
    let denied = 0;
    for (const line of lines) {
      const [, content] = await send(toolkit, line, { timeout_ms: 5_000 });
      if (content.includes('denied: ')) denied += 1;
    }
    expect(denied).toBeGreaterThan(0);
    expect(existsSync(victim)).toBe(true);
  });

  it('is not sent when it is denied: the state is as it was', async () => {
    const toolkit = await started('bash');
    await send(toolkit, 'X=kept');
    const [isError, content] = await send(toolkit, 'X=lost; rm -rf .');
    expect(isError).toBe(true);
    expect(content).toMatch(
      /^denied: Command 'rm' is not allowed \(list\.not_allowed\)\nhint: .*\nhint: Only the host .*\nAllowed programs: .*\n\[s1 was sent nothing\]$/,
    );
    expect((await send(toolkit, 'echo "$X"'))[1]).toMatch(/^kept\n/);
    expect(readdirSync(workspace)).not.toEqual([]);
  });
});

describe('session_read', () => {
  it('gives what came since, and waits on', async () => {
    const toolkit = await started('bash');
    await send(toolkit, 'sleep 2; echo late', { timeout_ms: 100 });
    const still = await call(toolkit, 'read', { session: 's1', timeout_ms: 50 });
    expect(still).toEqual([
      false,
      '[s1 is not ready for input yet: session_read waits on, session_send with key "ctrl-c" interrupts it]',
    ]);
    const [isError, content] = await call(toolkit, 'read', { session: 's1' });
    expect(isError).toBe(false);
    expect(content).toMatch(/^late\n/);
  });
});

describe('an end without a prompt', () => {
  const INTERRUPT = 'session_read waits on, session_send with key "ctrl-c" interrupts it]';
  const FOLLOWS = { terminal: { allow: ['tail', 'bash', 'echo', 'node'], trustInterpreters: ['node'] } };

  it('of what serves or follows is told apart from a wait for input', async () => {
    writeFileSync(path.join(workspace, 'log'), 'one\n');
    const toolkit = await make(FOLLOWS);
    const idle = 'is silent and idle: everything it runs waits; a server that is ready looks like this.';
    expect(await call(toolkit, 'start', { command: 'tail -f log' })).toEqual([false, `one\n[s1 ${idle} ${INTERRUPT}`]);
    expect(await send(toolkit, 'x')).toEqual([
      true,
      `[s1 is silent and idle, does not read its terminal, and was sent nothing: ${INTERRUPT}`,
    ]);
    expect((await call(toolkit, 'send', { session: 's1', key: 'ctrl-c' }))[1]).toMatch(/\[s1 is over: /);
    // An event loop that reads its terminal.
    const asks = `process.stdout.write('name? '); process.stdin.once('data', (name) => console.log('hi ' + name))`;
    writeFileSync(path.join(workspace, 'ask.js'), `${asks}.on('end', () => {});`);
    expect(await call(toolkit, 'start', { command: 'node ask.js' })).toEqual([
      false,
      'name? \n[s2 is silent, most likely waits for input: session_send answers it, session_read waits on]',
    ]);
    expect((await call(toolkit, 'send', { session: 's2', input: 'Ada' }))[1]).toContain('hi Ada\n');
  });

  it('is what the model waits for', async () => {
    const toolkit = await started('bash');
    const until = async (value: Args, line: string, more: Args = {}) =>
      (await send(toolkit, line, { until: value, timeout_ms: 60_000, ...more }))[1];
    expect(await until({ text: 'b' }, 'echo a; echo b; sleep 60', { timeout_ms: 60_000 })).toBe(
      'a\nb\n[s1 wrote "b": session_read gives what follows]',
    );
    const read = (value: Args) => call(toolkit, 'read', { session: 's1', until: value, timeout_ms: 100 });
    expect(await read({ port: 1 })).toEqual([false, `[s1 does not listen on port 1 yet: ${INTERRUPT}`]);
    expect(await read({ pattern: 'x+', text: null })).toEqual([
      false,
      `[s1 has not written what matches "x+" yet: ${INTERRUPT}`,
    ]);
    expect(await read({ quiet_ms: 20 })).toEqual([false, `[s1 was silent for so long: ${INTERRUPT}`]);
    await call(toolkit, 'send', { session: 's1', key: 'ctrl-c' });
    expect(await until({ text: 'never' }, 'echo a')).toMatch(
      /^a\n.*[$#] \n\[exit 0 in \d+ ms\]\n\[s1 is ready for input, and has not written "never" yet\]$/,
    );
  });

  it.each<[string, Args, RegExp]>([
    ['no wait', {}, /Give one of text, pattern, port, quiet_ms in `until`/],
    ['two waits', { text: 'a', port: 1 }, /Give one of text, pattern, port, quiet_ms/],
    ['no regular expression', { pattern: '[a' }, /`until\.pattern` is no regular expression.*unclosed/],
    ['an unknown wait', { line: 'a' }, /unknown argument: until\.line|line/],
    ['a long text', { text: 'x'.repeat(1_025) }, /`until\.text` is longer than 1024 bytes/],
    ['a port too high', { port: 70_000 }, /until\.port.*65535/],
  ])('is refused for %s, and nothing is started or sent', async (_name, until, text) => {
    const toolkit = await started('cat');
    for (const [isError, content] of [
      await call(toolkit, 'start', { command: 'cat', until }),
      await send(toolkit, 'never', { until }),
    ]) {
      expect({ isError, content }).toMatchObject({ isError: true, content: expect.stringMatching(text) as string });
    }
    expect(toolkit.sessions.list()).toHaveLength(1);
    expect((await send(toolkit, 'on'))[1]).toBe('on\n[s1 waits for input]');
  });
});

describe('session_close', () => {
  it('ends the program and forgets its name', async () => {
    const toolkit = await started('cat');
    expect(await call(toolkit, 'close', { session: 's1' })).toEqual([false, '[s1 is over: it was closed]']);
    expect(await call(toolkit, 'close', { session: 's1' })).toEqual([
      true,
      expect.stringMatching(/none is open: start one with session_start/) as string,
    ]);
    expect(toolkit.sessions.list()).toEqual([]);
  });
});

describe('the audit', () => {
  it('has a record of each call: what was sent, masked, and what came of it', async () => {
    const { toolkit, records } = await audited(SHELL);
    await call(toolkit, 'start', { command: 'bash' });
    await send(toolkit, `echo ${FAKE_KEY}`);
    await send(toolkit, 'rm x');
    await call(toolkit, 'send', { session: 's1', key: 'ctrl-c' });
    await call(toolkit, 'close', { session: 's1' });
    await call(toolkit, 'close', { session: 's1' });
    const detail = { kind: 'session', session: 's1' };
    expect(records).toMatchObject([
      {
        tool: 'session_start',
        decision: 'allow',
        detail: { ...detail, operation: 'start', status: 'marker', input: 'bash' },
      },
      {
        tool: 'session_send',
        decision: 'allow',
        redactions: 1,
        detail: { operation: 'send', input: 'echo [REDACTED]' },
      },
      {
        tool: 'session_send',
        decision: 'deny',
        rules: ['list.not_allowed'],
        detail: { status: 'denied', input: 'rm x' },
      },
      { tool: 'session_send', decision: 'allow', detail: { input: 'ctrl-c' } },
      { tool: 'session_close', decision: 'allow', detail: { ...detail, operation: 'close', status: 'done' } },
      { tool: 'session_close', isError: true, decision: 'deny', rules: ['invalid_arguments'] },
    ]);
    expect(JSON.stringify(records)).not.toContain(FAKE_KEY);
  });
});
