import { describe, expect, it } from 'vitest';
import { AGTerm, type AGTermOptions } from '../../ts/index.js';
import { agterms, BASH, PROMPT, withoutPrompt } from '../support/agterms.js';
import { folderPerTest } from '../support/folder.js';
import { gate } from '../support/gate.js';

const { make, bash } = agterms();
const folder = folderPerTest();

/** Looks like a key and is none. */
const FAKE_KEY = ['sk', 'a1B2c3D4e5F6g7H8i9J0'].join('-');

describe('the class', () => {
  it('has the defaults as statics', () => {
    expect(AGTerm.DEFAULT_TIMEOUT_MS).toBe(20_000);
    expect(AGTerm.DEFAULT_SETTLE_MS).toBe(200);
    expect(AGTerm.DEFAULT_QUIET_MS).toBe(80);
    expect(AGTerm.DEFAULT_MAX_OUTPUT_BYTES).toBe(2 * 1_024 * 1_024);
    expect(AGTerm.DEFAULT_MAX_HISTORY_BYTES).toBe(4 * 1_024 * 1_024);
    expect(AGTerm.DEFAULT_READY_MARKERS).toEqual(['pwndbg> ', '(gdb) ']);
  });

  it('is made with a command alone, and waits for the markers of gdb', async () => {
    const terminal = make('cat');
    expect(terminal.isInteractive()).toBe(true);
    expect(terminal.getInitialCommand()).toBe('cat');
    expect(await terminal.sendAndReadUntilReady('a\n(gdb) b')).toBe('a\n(gdb) b\n');
    expect(terminal.lastRead?.reason).toBe('quiet');
    const debugger_ = make('bash -c \'printf "(gdb) "; read\'');
    expect(await debugger_.readUntilReady()).toBe('(gdb) ');
    expect(debugger_.lastRead).toMatchObject({ reason: 'marker', confirmed: true });
  });

  it('takes interactive and the markers as second and third parameter', async () => {
    const terminal = new AGTerm('bash -c \'printf "ready: "; read\'', true, ['ready: ']);
    expect(await terminal.readUntilReady()).toBe('ready: ');
    expect(terminal.lastRead?.reason).toBe('marker');
    await terminal.close();
    const quiet = new AGTerm('cat', false);
    expect(quiet.isInteractive()).toBe(false);
    await quiet.close();
  });

  it.each<[string, unknown[]]>([
    ['a command that is no text', [7]],
    ['an empty command', ['']],
    ['an unknown option', ['bash', { shell: true }]],
    ['an empty marker', ['bash', { readyMarkers: [''] }]],
    ['a marker of 257 bytes', ['bash', { readyMarkers: ['x'.repeat(257)] }]],
    ['65 markers', ['bash', { readyMarkers: Array.from({ length: 65 }, (_, index) => `m${index}`) }]],
    ['a terminal without columns', ['bash', { cols: 0 }]],
    ['a terminal of 10,001 rows', ['bash', { rows: 10_001 }]],
    ['interactive as text', ['bash', { interactive: 'yes' }]],
    ['a list that is none', ['bash', { allow: 'echo' }]],
  ])('refuses %s', (_name, args) => {
    const wrong = args as [string, AGTermOptions];
    expect(() => new AGTerm(...wrong)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });

  it('takes 64 markers of 256 bytes, the last of which counts', async () => {
    const last = `${'x'.repeat(254)}> `;
    const readyMarkers = [...Array.from({ length: 63 }, (_, index) => `${'y'.repeat(250)}${index}`), last];
    const terminal = make(BASH, { readyMarkers, env: { set: { PS1: last } }, cols: 400 });
    expect(await terminal.readUntilReady()).toBe(last);
    expect(terminal.lastRead?.reason).toBe('marker');
  });
});

describe('its program', () => {
  it('gets arguments as they are, with no shell between', async () => {
    const terminal = make('printf', { args: ['[%s]', 'a b', '$HOME', '*'] });
    expect(await terminal.readUntilReady()).toBe('[a b][$HOME][*]');
  });

  it('starts where it is told', async () => {
    expect(await make('pwd', { cwd: folder() }).readUntilReady()).toBe(`${folder()}\n`);
    expect(await make('pwd').readUntilReady()).toBe(`${process.cwd()}\n`);
  });

  it('sees the variables that are set or let through, and nothing else of the host', async () => {
    process.env['HANDRAIL_TEST_LET'] = 'let-through';
    process.env['HANDRAIL_TEST_PLANTED'] = 'planted';
    try {
      const env = { set: { GIVEN: 'given' }, inherit: ['HANDRAIL_TEST_LET'] };
      const text = await make('env', { env }).readUntilReady();
      expect(text).toContain('GIVEN=given\n');
      expect(text).toContain('HANDRAIL_TEST_LET=let-through\n');
      expect(text).toContain('TERM=xterm-256color\n');
      expect(text).not.toContain('planted');
    } finally {
      delete process.env['HANDRAIL_TEST_LET'];
      delete process.env['HANDRAIL_TEST_PLANTED'];
    }
  });

  it('has a terminal of the size that was asked for, 200 by 50 otherwise', async () => {
    expect(await make('stty size', { cols: 71, rows: 17 }).readUntilReady()).toBe('17 71\n');
    expect(await make('stty size').readUntilReady()).toBe('50 200\n');
  });

  it('is alive from the constructor on, until it has ended or was closed', async () => {
    const terminal = make(BASH, { readyMarkers: [PROMPT], env: { set: { PS1: PROMPT } } });
    expect(terminal.isAlive()).toBe(true);
    await terminal.readUntilReady();
    await terminal.sendAndReadUntilReady('exit');
    expect(terminal.isAlive()).toBe(false);
    const closed = make('cat');
    const closing = closed.close();
    expect(closed.isAlive()).toBe(false);
    await closing;
  });
});

describe('what it gives', () => {
  it('says in lastRead why the last read came back', async () => {
    const terminal = make('cat');
    expect(terminal.lastRead).toBeUndefined();
    const terminal2 = await bash();
    expect(terminal2.lastRead).toMatchObject({ text: PROMPT, reason: 'marker', confirmed: true, cursor: 13 });
    expect(Object.isFrozen(terminal2.lastRead)).toBe(true);
  });

  it('masks secrets in answers and in the history, and with the redactor that is given', async () => {
    const terminal = await bash();
    const answer = await terminal.sendAndReadUntilReady(`echo key ${FAKE_KEY}`);
    expect(withoutPrompt(answer)).toBe('key [REDACTED]\n');
    expect(terminal.lastRead?.redactions).toBe(1);
    expect(await terminal.getHistory()).not.toContain(FAKE_KEY);
    const { Redactor } = await import('../../ts/index.js');
    const labelled = await bash({ redactor: new Redactor({ rules: 'none', secrets: ['planted-value-1'] }) });
    expect(withoutPrompt(await labelled.sendAndReadUntilReady(`echo planted-value-1 ${FAKE_KEY}`))).toBe(
      `[REDACTED] ${FAKE_KEY}\n`,
    );
  });

  it('has in its history what the program wrote, prompts included', async () => {
    const terminal = await bash();
    await terminal.sendAndReadUntilReady('echo one');
    await terminal.sendAndReadUntilReady('echo two');
    expect(await terminal.getHistory()).toMatch(new RegExp(`^${PROMPT}\n+one\n${PROMPT}\n+two\n${PROMPT}$`));
  });

  it('reads what is there at once with readAvailable, at most as much as it is told', async () => {
    const terminal = await bash();
    expect(await terminal.readAvailable()).toBe('');
    expect(terminal.lastRead?.reason).toBe('available');
    const { wait, open } = gate();
    await terminal.sendAndReadUntilReady(`{ ${wait}; seq 1000 1999; } &`);
    open();
    await expect.poll(() => terminal.getHistory()).toContain('1999');
    const part = await terminal.readAvailable(9);
    expect(part).toBe('1000\n1001');
    expect(terminal.lastRead?.reason).toBe('limit');
  });

  it('takes new markers at once, also for a read that goes on', async () => {
    const terminal = await bash({ env: { set: { PS1: 'other> ' } }, readyMarkers: ['other> '] });
    terminal.setReadyMarkers(['never> ']);
    const reading = terminal.sendAndReadUntilReady('sleep 0.3; echo a; printf "never> "; read');
    expect(await reading).toBe('a\nnever> ');
    expect(terminal.lastRead?.reason).toBe('marker');
    expect(() => terminal.setReadyMarkers([''])).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });
});

describe('lists', () => {
  it('with neither nothing is judged', async () => {
    const terminal = await bash({ cwd: folder() });
    expect(withoutPrompt(await terminal.sendAndReadUntilReady('touch a; rm a; ls'))).toBe('');
  });

  it('allow judges what is sent as a script of bash; what is denied is not sent', async () => {
    const terminal = await bash({ allow: ['echo', 'cd'] });
    expect(withoutPrompt(await terminal.sendAndReadUntilReady('cd /; X=5; echo $X'))).toBe('5\n');
    const answer = await terminal.sendAndReadUntilReady('echo a; rm -rf x');
    expect(answer).toMatch(/^Command is blocked by sandbox policy: .*rm/);
    expect(terminal.lastRead).toMatchObject({ reason: 'denied', sent: false, decision: { decision: 'deny' } });
    expect(withoutPrompt(await terminal.sendAndReadUntilReady('echo "$X" kept'))).toBe('5 kept\n');
    expect(await terminal.getHistory()).not.toContain('rm -rf');
  });

  it('deny refuses what it names and lets the rest through', async () => {
    const terminal = await bash({ deny: ['rm'] });
    expect(await terminal.sendAndReadUntilReady('rm x')).toBe("Command 'rm' is blocked by sandbox policy");
    expect(withoutPrompt(await terminal.sendAndReadUntilReady('echo rm'))).toBe('rm\n');
  });
});
