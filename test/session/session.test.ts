import { describe, expect, it } from 'vitest';
import { gate } from '../support/gate.js';
import { live, PROMPT } from '../support/live.js';

const { host, bash } = live();

/** For what a program says after a second. */
const LATE_MS = 10_000;

describe('an answer', () => {
  it('has its text, why it ends, whether that is certain, and where it ends in the history', async () => {
    const session = await bash();
    const answer = await session.send('echo hello');
    expect(answer).toMatchObject({
      ...{ text: `hello\n${PROMPT}`, reason: 'marker', confirmed: true, sent: true },
      ...{ skippedBytes: 0, omittedBytes: 0, redactions: 0 },
    });
    expect(answer.cursor).toBe(session.history().end);
    expect(Object.isFrozen(answer)).toBe(true);
  });

  it('counts what came late and what a limit cut, and the history has both', async () => {
    const session = await bash();
    const { wait, open } = gate();
    const { cursor } = await session.send(`${wait}; echo late`, { timeoutMs: 100 });
    open();
    const cut = await session.send('seq 1000 1999', { maxOutputBytes: 100 });
    expect(cut).toMatchObject({ reason: 'limit', confirmed: false, sent: true });
    expect(cut.text).toHaveLength(100);
    // On a busy machine the end of the echoed line is late as well.
    expect([0, 1]).toContain(cut.skippedBytes - `late\n${PROMPT}`.length);
    expect(cut.omittedBytes).toBeGreaterThan(0);
    await session.send('echo next');
    expect(session.history(cursor).text).toMatch(/^\n?late\n[\s\S]*\n1999\n[\s\S]*next\n/);
  });

  it('is quiet where there are no markers, and available when nothing is waited for', async () => {
    const session = await bash();
    const quiet = await session.send('printf a; read', { until: 'quiet' });
    expect(quiet).toMatchObject({ text: 'a', reason: 'quiet', confirmed: true });
    expect(await session.read({ until: 'now' })).toMatchObject({ text: '', reason: 'available', confirmed: false });
  });

  it('of an event loop that is quiet is never confirmed: it may have more to say', async () => {
    const { sessions } = host();
    const program = `process.stdin.on('data', () => setTimeout(() => console.log('late'), 1000)); console.log('up')`;
    const session = await sessions.open(`node -e "${program}"`);
    expect(await session.read({ until: 'quiet' })).toMatchObject({ text: 'up\n', reason: 'quiet', confirmed: false });
    const early = await session.send('go', { until: 'quiet' });
    expect(early).toMatchObject({ text: '', reason: 'quiet', confirmed: false });
    await expect.poll(() => session.history().text, { timeout: LATE_MS }).toContain('late');
  });

  it('of an event loop that answers late is whole once its prompt is known', async () => {
    const { sessions } = host();
    const program = `
      const prompt = () => process.stdout.write('ask ' + (turn += 1) + '> ');
      let turn = 0;
      process.stdin.on('data', () => setTimeout(() => { console.log('late'); setTimeout(prompt, 300); }, 600));
      prompt();`;
    const session = await sessions.open('node', { args: ['-e', program] });
    expect(await session.read()).toMatchObject({ text: 'ask 1> ', reason: 'quiet', confirmed: false });
    for (const next of [2, 3]) {
      const answer = await session.send('go');
      expect(answer).toMatchObject({ text: `late\nask ${next}> `, reason: 'quiet', confirmed: true, skippedBytes: 0 });
    }
  });

  it('does not end at a learned prompt that a program forges while it works', async () => {
    const { sessions } = host();
    const shell = await sessions.open('bash --norc --noprofile', { env: { set: { PS1: PROMPT } } });
    expect(await shell.read()).toMatchObject({ reason: 'quiet', confirmed: true });
    const forged = `for i in 1 2 3; do printf '\\n%s' '${PROMPT}'; sleep 0.2; done; printf '\\nend\\n'`;
    expect(await shell.send(forged)).toMatchObject({
      ...{ text: `${`\n${PROMPT}`.repeat(3)}\nend\n${PROMPT}`, reason: 'quiet', confirmed: true },
    });
    await shell.close();
  });

  it('comes after what was typed by keys, though the prompt still stands', async () => {
    const { sessions } = host();
    const shell = await sessions.open('bash --norc --noprofile', { env: { set: { PS1: PROMPT } } });
    await shell.read();
    for (let turn = 0; turn < 50; turn += 1) {
      await shell.write(`echo key ${turn}\n`);
      expect((await shell.read()).text).toContain(`\nkey ${turn}\n${PROMPT}`);
    }
    await shell.close();
  });

  it('comes after what a program works on that has only just woken, though its prompt still stands', async () => {
    const { sessions } = host();
    // The time between its waking and its first output is where a look that is not of one piece takes it for waiting.
    const program = `printf 'up> '; while read -r line; do for ((i = 0; i < 2000; i++)); do :; done
      printf 'got %s\\nup> ' "$line"; done`;
    const session = await sessions.open('bash', { args: ['-c', program] });
    expect(await session.read()).toMatchObject({ text: 'up> ', confirmed: true });
    for (let turn = 0; turn < 500; turn += 1) {
      const writing = session.write(`${turn}\n`);
      expect((await session.read()).text).toBe(`got ${turn}\nup> `);
      await writing;
    }
    await session.close();
  });

  it('has no part in what was never written: a program that is not ready takes nothing', async () => {
    const session = await bash();
    const { wait, open } = gate();
    await session.send(`${wait}; echo slow`, { timeoutMs: 50 });
    const answer = await session.send('echo never', { timeoutMs: 50 });
    expect(answer).toMatchObject({ reason: 'timeout', sent: false });
    open();
    expect((await session.read()).text).toContain('slow\n');
    expect(session.history().text).not.toContain('never');
  });

  it('comes in turn: sends that were made at once are answered one after the other', async () => {
    const session = await bash();
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    const answers = await Promise.all(numbers.map((number) => session.send(`sleep 0.01; echo ${number}`)));
    expect(answers.map(({ text }) => text)).toEqual(numbers.map((number) => `${number}\n${PROMPT}`));
  });

  it('comes for each of hundreds of sends, however soon one follows on another', async () => {
    const { sessions } = host();
    const session = await sessions.open('cat');
    const tooLong = 'x'.repeat(4_096);
    for (let turn = 0; turn < 100; turn += 1) {
      await expect(session.send(tooLong, { quietMs: 0 })).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
      let { text } = await session.send(`line ${turn}`, { quietMs: 1 });
      // On a busy machine the terminal may take longer than that to hand the line on.
      while (text === '') ({ text } = await session.read({ until: 'quiet', quietMs: 1 }));
      expect(text).toBe(`line ${turn}\n`);
    }
  });

  it('ends with the signal of its call, and the program goes on', async () => {
    const session = await bash();
    const end = new AbortController();
    const { wait, open } = gate();
    const sending = session.send(`echo part; ${wait}; echo rest`, { signal: end.signal });
    await expect.poll(() => session.history().text).toContain('\npart\n');
    end.abort();
    expect(await sending).toMatchObject({ text: 'part\n', reason: 'timeout', sent: true });
    open();
    expect(await session.read()).toMatchObject({ text: `rest\n${PROMPT}`, reason: 'marker' });
    const aborted = await session.send('echo never', { signal: AbortSignal.abort() });
    expect(aborted).toMatchObject({ text: '', reason: 'timeout', sent: false });
  });
});

describe('a program', () => {
  it('gets what is written without a wait for its answer', async () => {
    const session = await bash();
    await session.write('echo one\n');
    await session.write('echo two\n');
    await expect.poll(() => session.history().text).toMatch(/\none\n[\s\S]*\ntwo\n/);
  });

  it('is interrupted behind what was written, and lives on', async () => {
    const session = await bash();
    const sending = session.send('X=kept; echo up; sleep 600');
    await expect.poll(() => session.history().text).toContain('\nup\n');
    await session.interrupt();
    expect((await sending).reason).toBe('marker');
    expect((await session.send('echo $X')).text).toBe(`kept\n${PROMPT}`);
  });

  it('gets a signal itself', async () => {
    const session = await bash();
    await session.send("trap 'echo got it' USR1");
    session.signal('SIGUSR1');
    // A shell runs a trap when a line ends, and the signal may come after the first one.
    const shown = async (): Promise<string> => {
      await session.send('');
      return session.history().text;
    };
    await expect.poll(shown).toContain('got it\n');
    expect(() => session.signal('SIGNONE' as NodeJS.Signals)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }),
    );
    session.signal('SIGKILL');
    expect(await session.ended).toMatchObject({ status: 'signaled', signal: 'SIGKILL', exitCode: null });
  });

  it('sees the new size of its terminal and is told with SIGWINCH', async () => {
    const session = await bash();
    await session.send("trap 'echo told' WINCH");
    session.resize(91, 33);
    expect((await session.send('stty size')).text).toContain('33 91\n');
    await expect.poll(() => session.history().text).toContain('told\n');
    expect(() => session.resize(0, 1)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
    expect(() => session.resize(10_001, 1)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });

  it('has a controlling terminal', async () => {
    const session = await bash();
    expect((await session.send('[ -t 0 ] && echo to-terminal > /dev/tty')).text).toBe(`to-terminal\n${PROMPT}`);
  });

  it('that ended says how', async () => {
    const session = await bash();
    expect(session.end).toBeUndefined();
    expect(await session.send('exit 3')).toMatchObject({ reason: 'exited', sent: true });
    expect(session.alive).toBe(false);
    const sandbox = { profile: 'default', enforced: expect.arrayContaining(['no_new_privs']) };
    expect(session.end).toEqual({ status: 'exited', exitCode: 3, signal: null, survivors: [], sandbox });
    await expect(session.write('a')).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    expect(await session.close()).toEqual(session.end);
  });

  it('that is closed says so', async () => {
    const session = await bash();
    expect(await session.close()).toMatchObject({ status: 'cancelled', exitCode: null, survivors: [] });
  });
});

it('a session that awaits the end of its program is answered before the host ends', async () => {
  const { startNode } = await import('../support/cli.js');
  const script = `import { AGTerm } from './dist/index.js';
    for (let turn = 0; turn < 20; turn += 1) {
      const shell = new AGTerm('bash --norc', { readyMarkers: ['$ ', '# '] });
      await shell.readUntilReady();
      await shell.sendAndReadUntilReady('setsid sleep 0.3 & exit 3');
      await shell.close();
    }
    console.log('done');`;
  const { ended } = startNode(['--input-type=module', '-e', script]);
  expect(await ended).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
});
