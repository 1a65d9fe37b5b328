import { describe, expect, it } from 'vitest';
import { AGTerm } from '../../ts/index.js';
import { agterms, PROMPT, withoutPrompt } from '../support/agterms.js';
import { living, marker } from '../support/processes.js';

const { make, bash } = agterms();

describe('close', () => {
  it.each([
    ['in the background', 'sleep MARK &'],
    ['D8: in a session of its own', 'setsid sleep MARK &'],
    ['that ignores hangups', 'nohup sleep MARK > /dev/null 2>&1 &'],
    ['forked twice', '(setsid sh -c "sleep MARK & exit" &)'],
    ['that ignores signals', 'setsid bash -c "trap \'\' TERM HUP INT; sleep MARK; sleep MARK" &'],
    ['in the foreground', 'sleep MARK'],
  ])('leaves nobody, whoever holds the terminal: a program %s', async (_name, script) => {
    const mark = marker();
    const terminal = await bash();
    await terminal.sendAndReadUntilReady(script.replaceAll('MARK', mark), { timeoutMs: 300 });
    await expect.poll(() => living(mark).length).toBeGreaterThan(0);
    // A close that waits for who holds the terminal never comes back: the time of the test ends it.
    await terminal.close();
    expect(living(mark)).toEqual([]);
  });

  it('can be called again, before and after it is done, and from several places', async () => {
    const terminal = await bash();
    await Promise.all([terminal.close(), terminal.close()]);
    await terminal.close();
    await terminal[Symbol.asyncDispose]();
    expect(terminal.isAlive()).toBe(false);
  });

  it('ends a read that goes on, with what there was', async () => {
    const terminal = await bash();
    const reading = terminal.sendAndReadUntilReady('echo part; sleep 60');
    await expect.poll(() => terminal.getHistory()).toContain('\npart\n');
    await terminal.close();
    expect(await reading).toBe('part\n');
    expect(terminal.lastRead?.reason).toBe('exited');
  });

  it('leaves the history; reads are over at once, and reset starts nothing', async () => {
    const terminal = await bash();
    await terminal.sendAndReadUntilReady('echo kept');
    await terminal.close();
    expect(await terminal.getHistory()).toContain('kept\n');
    expect(await terminal.readUntilReady()).toBe('');
    expect(terminal.lastRead?.reason).toBe('exited');
    await terminal.reset();
    expect(terminal.isAlive()).toBe(false);
    await terminal.sendCtrlC();
  });
});

describe('reset', () => {
  it('keeps command, flag and the markers as they are now, and starts anew', async () => {
    const terminal = await bash({ readyMarkers: ['old> '] });
    terminal.setReadyMarkers([PROMPT]);
    await terminal.sendAndReadUntilReady('X=5');
    await terminal.reset();
    expect(terminal.isAlive()).toBe(true);
    expect(terminal.isInteractive()).toBe(true);
    expect(terminal.getInitialCommand()).toBe('bash --norc --noprofile');
    expect(await terminal.readUntilReady()).toBe(PROMPT);
    expect(terminal.lastRead).toMatchObject({ reason: 'marker', confirmed: true });
    expect(withoutPrompt(await terminal.sendAndReadUntilReady('echo "[$X]"'))).toBe('[]\n');
  });

  it('D8: leaves nobody of the program before', async () => {
    const mark = marker();
    const terminal = await bash();
    await terminal.sendAndReadUntilReady(`setsid sleep ${mark} &`);
    await expect.poll(() => living(mark).length).toBeGreaterThan(0);
    await terminal.reset();
    expect(living(mark)).toEqual([]);
  });

  it('starts a program again that has ended', async () => {
    const terminal = await bash();
    await terminal.sendAndReadUntilReady('exit');
    await terminal.reset();
    expect(await terminal.readUntilReady()).toBe(PROMPT);
  });

  it('at the same time as another, or as a close, leaves one program or none', async () => {
    const terminal = await bash();
    await Promise.all([terminal.reset(), terminal.reset()]);
    expect(await terminal.readUntilReady()).toBe(PROMPT);
    await Promise.all([terminal.reset(), terminal.close()]);
    expect(terminal.isAlive()).toBe(false);
    expect(await terminal.readUntilReady()).toBe('');
  });
});

describe('a program that cannot be started', () => {
  it.each<[string, string, string]>([
    ['that is not there', 'no-such-program-anywhere', 'no such program'],
    ['that is two', 'echo a && echo b', ''],
    ['with a quote that is open', 'echo "a', ''],
  ])('rejects the first read, not the constructor: one %s', async (_name, command, named) => {
    const terminal = make(command);
    const failed = expect.objectContaining({
      code: 'ERR_INVALID_ARGUMENT',
      message: expect.stringContaining(named) as string,
    }) as Error;
    await expect(terminal.readUntilReady()).rejects.toEqual(failed);
    await expect(terminal.sendAndReadUntilReady('a')).rejects.toEqual(failed);
    await expect(terminal.sendCtrlC()).rejects.toEqual(failed);
    expect(terminal.isAlive()).toBe(false);
    expect(await terminal.getHistory()).toBe('');
    await terminal.reset();
    await terminal.close();
  });

  it('rejects reads where its directory is missing, too', async () => {
    await expect(make('bash', { cwd: '/nonexistent/handrail' }).readUntilReady()).rejects.toMatchObject({
      code: expect.stringMatching(/^ERR_/) as string,
    });
  });

  it('is there to be closed by await using', async () => {
    let kept: AGTerm;
    {
      await using terminal = new AGTerm('no-such-program-anywhere');
      kept = terminal;
    }
    expect(kept.isAlive()).toBe(false);
  });
});
