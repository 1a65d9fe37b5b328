/** When an answer is over, and what is in it. D1 to D9 and D11 are faults of what `AGTerm` descends from. */
import { describe, expect, it } from 'vitest';
import { agterms, PROMPT, withoutPrompt } from '../support/agterms.js';
import { gate } from '../support/gate.js';

const { make, bash } = agterms();

/** What a busy machine may take to show a word; it is waited out. */
const LATE_MS = 2_000;

describe('a marker', () => {
  it('D1: counts at the end alone: a forged prompt in the middle ends nothing', async () => {
    const terminal = await bash();
    const answer = await terminal.sendAndReadUntilReady(`echo '${PROMPT}fake'; sleep 0.5; echo real`);
    expect(withoutPrompt(answer)).toBe(`${PROMPT}fake\nreal\n`);
    expect(withoutPrompt(await terminal.sendAndReadUntilReady('echo NEXT'))).toBe('NEXT\n');
  });

  it('D1: counts when the program waits: a forged prompt at the end ends nothing while it works', async () => {
    const terminal = await bash();
    const answer = await terminal.sendAndReadUntilReady(`printf '${PROMPT}'; sleep 0.5`);
    expect(withoutPrompt(answer)).toBe(PROMPT);
    expect(terminal.lastRead).toMatchObject({ reason: 'marker', confirmed: true });
    expect(withoutPrompt(await terminal.sendAndReadUntilReady('echo NEXT'))).toBe('NEXT\n');
  });

  it('D1: "# " and "$ " are no end of a heading or of a price', async () => {
    const terminal = await bash({ readyMarkers: ['$ ', '# '], env: { set: { PS1: '$ ' } } });
    const answer = await terminal.sendAndReadUntilReady("echo '# Title'; printf '# '; sleep 0.2; echo 'price $ 5'");
    expect(answer).toBe('# Title\n# price $ 5\n$ ');
  });

  it('may be coloured, or span lines', async () => {
    const PS1 = `\\[\\e[1;32m\\]${PROMPT}\\[\\e[0m\\]`;
    const terminal = await bash({ env: { set: { PS1 } } });
    expect(withoutPrompt(await terminal.sendAndReadUntilReady('echo a'))).toBe('a\n');
    expect(terminal.lastRead?.reason).toBe('marker');
    const two = await bash({ readyMarkers: ['--\n> '], env: { set: { PS1: '--\\n> ' } } });
    expect(await two.sendAndReadUntilReady('printf "> "; sleep 0.2; echo')).toBe('> \n--\n> ');
    expect(two.lastRead).toMatchObject({ reason: 'marker', confirmed: true });
  });

  it('is waited for past an open quote, of which the program waits for the rest', async () => {
    const terminal = await bash({ env: { set: { PS2: 'more> ' } } });
    expect(await terminal.sendAndReadUntilReady('echo "open')).toBe('more> ');
    expect(terminal.lastRead).toMatchObject({ reason: 'quiet', confirmed: true });
    expect(withoutPrompt(await terminal.sendAndReadUntilReady('closed"'))).toBe('open\nclosed\n');
  });

  it('settles as soon as the program is known to wait, however much settleMs allows', async () => {
    const terminal = await bash();
    // Waiting out all of them would take longer than the test may.
    for (let turn = 0; turn < 5; turn += 1) {
      expect(
        withoutPrompt(await terminal.sendAndReadUntilReady('echo a', { settleMs: 60_000, timeoutMs: 600_000 })),
      ).toBe('a\n');
      expect(terminal.lastRead).toMatchObject({ reason: 'marker', confirmed: true });
    }
  });
});

describe('an answer', () => {
  it('D2: has nothing of an earlier command that came late', async () => {
    const terminal = await bash();
    const { wait, open } = gate();
    expect(await terminal.sendAndReadUntilReady(`${wait}; echo late`, { timeoutMs: 200 })).toBe('');
    expect(terminal.lastRead).toMatchObject({ reason: 'timeout', sent: true });
    open();
    expect(withoutPrompt(await terminal.sendAndReadUntilReady('echo mine'))).toBe('mine\n');
    expect(terminal.lastRead?.skippedBytes).toBe(`late\n${PROMPT}`.length);
    expect(await terminal.getHistory()).toContain('late\n');
  });

  it('D2: has all of two lines that were sent at once', async () => {
    const terminal = await bash();
    const answer = await terminal.sendAndReadUntilReady('echo one\nsleep 0.4; echo two');
    expect(withoutPrompt(answer).replaceAll(PROMPT, '')).toMatch(/^one\n\n?two\n$/);
    expect(withoutPrompt(await terminal.sendAndReadUntilReady('echo NEXT'))).toBe('NEXT\n');
  });

  it('D3: says whether it ends with a marker, late, at a limit or with the program', async () => {
    const terminal = await bash();
    const reasons: (string | undefined)[] = [];
    const ask = async (input: string, options = {}) => {
      await terminal.sendAndReadUntilReady(input, options);
      reasons.push(terminal.lastRead?.reason);
    };
    await ask('echo a');
    const { wait, open } = gate();
    await ask(wait, { timeoutMs: 200 });
    open();
    await ask('seq 1 1000', { maxOutputBytes: 10 });
    await ask('exit 3');
    expect(reasons).toEqual(['marker', 'timeout', 'limit', 'exited']);
  });

  it('D3: that is late has the part that came, and the rest comes next', async () => {
    const terminal = await bash();
    const { wait, open } = gate();
    const part = await terminal.sendAndReadUntilReady(`echo part; ${wait}; echo rest`, { timeoutMs: LATE_MS });
    expect(part).toBe('part\n');
    open();
    expect(withoutPrompt(await terminal.readUntilReady())).toBe('rest\n');
  });

  it('D3: of a program that is dead comes at once', async () => {
    const terminal = await bash();
    expect(await terminal.sendAndReadUntilReady('echo last; exit 3')).toBe('last\nexit\n');
    // Each would wait for longer than the test may.
    expect(await terminal.readUntilReady({ timeoutMs: 600_000 })).toBe('');
    expect(await terminal.sendAndReadUntilReady('echo', { timeoutMs: 600_000 })).toBe('');
    expect(terminal.lastRead).toMatchObject({ reason: 'exited', sent: false });
  });

  it('D4: waits for output that pauses, with no settle time to tune', async () => {
    const terminal = await bash();
    const answer = await terminal.sendAndReadUntilReady('for i in 1 2 3; do echo $i; sleep 0.15; done', {
      settleMs: 0,
    });
    expect(withoutPrompt(answer)).toBe('1\n2\n3\n');
  });

  it('D7: that is cut has its first bytes; the rest is in the history and in no answer', async () => {
    const terminal = await bash();
    const cut = await terminal.sendAndReadUntilReady('seq 1 3000', { maxOutputBytes: 50 });
    const all = Array.from({ length: 3_000 }, (_, index) => `${index + 1}\n`).join('');
    expect(cut).toBe(all.slice(0, 50));
    expect(terminal.lastRead?.reason).toBe('limit');
    expect(withoutPrompt(await terminal.sendAndReadUntilReady('echo NEXT'))).toBe('NEXT\n');
    expect(await terminal.getHistory()).toContain(all);
  });

  it('D7: is never cut inside of a character', async () => {
    const terminal = await bash();
    for (const maxOutputBytes of [1, 2, 3, 4, 5]) {
      const cut = await terminal.sendAndReadUntilReady("printf '\\xe2\\x82\\xac\\xe2\\x82\\xac\\n'", {
        maxOutputBytes,
      });
      expect(cut).toBe('€'.repeat(Math.floor(maxOutputBytes / 3)));
    }
  });

  it('D9: is cleaned like a terminal would show it', async () => {
    const terminal = await bash();
    const shown = async (input: string) => withoutPrompt(await terminal.sendAndReadUntilReady(input));
    expect(await shown('tput sgr0; echo X')).toBe('X\n');
    expect(await shown("printf '10%%\\r20%%\\r100%%\\n'")).toBe('100%\n');
    expect(await shown("printf 'abc\\b\\b\\bxyz\\n'")).toBe('xyz\n');
    expect(await shown("printf '\\e]0;'")).toBe('');
    expect(await shown('echo after')).toBe('after\n');
    expect(await shown("printf '\\e[31\\e[0mX\\n'")).toBe('X\n');
    expect(await shown("printf 'a\\x7fb\\n'")).toBe('ab\n');
  });
});

describe('without markers', () => {
  it('D5: a program that works is not taken for one that waits, however quiet it is', async () => {
    const terminal = await bash({ interactive: false });
    const answer = await terminal.sendAndReadUntilReady('sleep 0.6; echo done');
    expect(answer).toBe(`done\n${PROMPT}`);
    expect(terminal.lastRead).toMatchObject({ reason: 'quiet', confirmed: true });
    expect(await terminal.sendAndReadUntilReady('echo NEXT')).toBe(`NEXT\n${PROMPT}`);
  });

  it('the state of the shell stays', async () => {
    const terminal = await bash({ interactive: false });
    await terminal.sendAndReadUntilReady('cd /usr; X=5; f() { echo "f $X"; }');
    expect(await terminal.sendAndReadUntilReady('pwd; f', { quietMs: 20 })).toBe(`/usr\nf 5\n${PROMPT}`);
  });
});

describe('what is sent', () => {
  it('D11: a line that the terminal would cut is refused, and the next one is taken', async () => {
    const terminal = make('cat');
    const longest = 'x'.repeat(4_095);
    expect(await terminal.sendAndReadUntilReady(longest)).toBe(`${longest}\n`);
    await expect(terminal.sendAndReadUntilReady(`${longest}y`)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    expect(await terminal.sendAndReadUntilReady('next')).toBe('next\n');
  });

  it('D11: a long line for a program that edits lines itself arrives whole', async () => {
    const terminal = await bash();
    const long = 'x'.repeat(10_000);
    expect(withoutPrompt(await terminal.sendAndReadUntilReady(`X=${long}; echo \${#X}`))).toBe('10000\n');
  });

  it('Ctrl-C interrupts what works, and the shell goes on', async () => {
    const terminal = await bash();
    const working = terminal.sendAndReadUntilReady('X=kept; echo up; sleep 600');
    await expect.poll(() => terminal.getHistory()).toContain('\nup\n');
    await terminal.sendCtrlC();
    expect(withoutPrompt(await working)).toBe('up\n\n');
    expect(withoutPrompt(await terminal.sendAndReadUntilReady('echo $X'))).toBe('kept\n');
  });
});
