/** What a model reads after a call about a job. */
import { describe, expect, it } from 'vitest';
import type { Toolkit } from '../../ts/toolkit.js';
import type { CallContext } from '../../ts/tools/definition.js';
import { toolkits } from '../support/toolkits.js';

const { make, audited } = toolkits();

const OPTIONS = { terminal: { allow: ['echo', 'sleep', 'cat', 'seq', 'false'], shell: 'bash' } } as const;

async function text(toolkit: Toolkit, name: string, args: object, context?: CallContext): Promise<string> {
  return (await toolkit.execute(name, args, context)).content;
}

const background = (toolkit: Toolkit, command: string, context?: CallContext) =>
  text(toolkit, 'terminal_run', { command, background: true }, context);

describe('terminal_run', () => {
  it('gives the usual result of a command that is over in time', async () => {
    const { toolkit, records } = await audited(OPTIONS);
    const result = await toolkit.execute('terminal_run', { command: 'echo hi', wait_ms: 60_000 });
    expect(result).toMatchObject({ isError: false, data: { kind: 'command', status: 'exited', output: 'hi\n' } });
    expect(result.content).toMatch(/^exit 0 in .*\nhi$/);
    const denied = await toolkit.execute('terminal_run', { command: 'rm x', wait_ms: 60_000 });
    expect(denied).toMatchObject({ isError: true, data: { kind: 'command', status: 'denied' } });
    expect(await text(toolkit, 'job_list', {})).not.toContain('running');
    expect(records.slice(0, 2)).toMatchObject([{ detail: { kind: 'command' } }, { detail: { kind: 'command' } }]);
  });

  it('lets a command that is late go on, shows what it wrote, and says how to wait', async () => {
    const toolkit = await make(OPTIONS);
    const chunks: string[] = [];
    const args = { command: 'echo early; sleep 0.5; echo late; false', wait_ms: 200 };
    const result = await toolkit.execute('terminal_run', args, { onOutput: ({ text }) => chunks.push(text) });
    expect(result).toMatchObject({ isError: false, data: { kind: 'job', operation: 'start', job: 'j1' } });
    expect(result.content).toMatch(/\[j1 runs on: job_wait waits, job_read reads, job_end ends it\. .*next call\]$/);
    const ended = await toolkit.execute('job_wait', { job: 'j1' });
    expect(ended).toMatchObject({ isError: true, data: { state: 'ended', result: { exitCode: 1 } } });
    expect(ended.content).toMatch(/late\n\[j1 has ended\]\nexit 1 in /);
    expect(chunks.join('')).not.toContain('late');
  });

  it('says of lines that are not shown where they are, and of none that they are lost', async () => {
    const toolkit = await make({ ...OPTIONS, limits: { spillTotalBytes: 100_000 } });
    const late = { command: 'seq 20000; sleep 60', wait_ms: 300 };
    expect(await text(toolkit, 'terminal_run', late)).toMatch(
      /\n\[\d+ of 20,000 lines shown; the others are in no file\]\n\[j1 runs on/,
    );
    const flood = await make(OPTIONS);
    const running = { command: 'seq 700000; echo all; sleep 60', background: true };
    await flood.execute('terminal_run', running);
    const shown = await text(flood, 'job_wait', { job: 'j1', until: { text: 'all' } });
    expect(shown).toMatch(
      /\n\[\d+ bytes before this are in the file of its result, where that has room, once it has ended\]/,
    );
    // So it is.
    await flood.execute('job_end', { job: 'j1' });
    const ended = await text(flood, 'job_read', { job: 'j1', since: 0 });
    const [, file] = /; all of them in (\S+)\]/.exec(ended) ?? [];
    expect(await text(flood, 'file_grep', { path: file, pattern: '^1$' })).toContain('Found 1 match');
  });

  it('has an input of a job in the background only', async () => {
    const toolkit = await make(OPTIONS);
    expect(await text(toolkit, 'terminal_run', { command: 'cat', wait_ms: 60_000 })).toMatch(/^exit 0/);
    await background(toolkit, 'cat');
    expect(await text(toolkit, 'job_send', { job: 'j2', input: 'line' })).toMatch(/^\[j2 was sent this/);
    expect(await text(toolkit, 'job_wait', { job: 'j2', until: { text: 'line' } })).toMatch(/^line\n\[j2 wrote "line"/);
    expect(await text(toolkit, 'job_end', { job: 'j2' })).toContain('[j2 has ended]\ncancelled');
    expect(await toolkit.execute('job_send', { job: 'j2', input: 'x' })).toMatchObject({ isError: true });
  });

  it('ends the command when the call is aborted while it waits, and not afterwards', async () => {
    const toolkit = await make(OPTIONS);
    const stop = new AbortController();
    const call = toolkit.execute('terminal_run', { command: 'sleep 60', wait_ms: 60_000 }, { signal: stop.signal });
    await expect.poll(() => toolkit.jobs.list().length).toBe(1);
    const goesOn = await background(toolkit, 'sleep 60', { signal: stop.signal });
    stop.abort();
    expect((await call).data).toMatchObject({ kind: 'command', status: 'cancelled' });
    expect(goesOn).toContain('j2 runs on');
    expect(await text(toolkit, 'job_list', {})).toMatch(/^j2 runs for/);
  });

  it('knows neither argument where there are no tools for jobs', async () => {
    const without = [
      { limits: { jobs: 0 } },
      { tools: ['terminal_run'] },
      { tools: ['terminal_run', 'job_read', 'job_list'] },
    ];
    for (const options of without) {
      const toolkit = await make({ ...OPTIONS, ...options });
      expect(toolkit.definitions().filter(({ name }) => name.startsWith('job_'))).toEqual([]);
      expect(await background(toolkit, 'echo')).toMatch(/^invalid arguments: unknown argument: background\n/);
    }
    await expect(make({ ...OPTIONS, limits: { jobs: 0 }, tools: ['job_wait'] })).rejects.toMatchObject({
      code: 'ERR_INVALID_ARGUMENT',
    });
  });
});

describe('the life of a job', () => {
  it('is shortened by a model, not made longer', async () => {
    const toolkit = await make({ ...OPTIONS, limits: { jobMs: 300 } });
    await text(toolkit, 'terminal_run', { command: 'sleep 60', background: true, timeout_ms: 60_000 });
    expect(await toolkit.jobs.get('j1')?.ended).toMatchObject({ status: 'timed_out' });
  });
});

describe('a command that is over within its call', () => {
  it('pushes no other out, and is in no list', async () => {
    const toolkit = await make(OPTIONS);
    await background(toolkit, 'sleep 0.1; echo precious', { caller: 'first' });
    await toolkit.jobs.get('j1')?.ended;
    for (let count = 0; count < 17; count += 1) {
      await toolkit.execute('terminal_run', { command: 'echo', wait_ms: 60_000 }, { caller: 'first' });
    }
    expect(toolkit.jobs.list().map(({ id }) => id)).toEqual(['j1']);
    expect(await text(toolkit, 'job_list', {}, { caller: 'first' })).toMatch(/^j1 exit 0[^\n]*$/);
  });

  it('leaves nothing where the function of the host for its output throws', async () => {
    const toolkit = await make(OPTIONS);
    const ended: unknown[] = [];
    toolkit.on('job', ({ result }) => void ended.push(result?.status));
    const onOutput = (): never => {
      throw new Error('of the host');
    };
    const args = { command: 'echo; sleep 60', wait_ms: 60_000 };
    await expect(toolkit.execute('terminal_run', args, { onOutput })).rejects.toThrow('of the host');
    expect(await text(toolkit, 'job_list', {})).toBe('[no jobs]');
    expect(ended).toEqual(['cancelled']);
  });
});

describe('the end of a job', () => {
  it('is told masked with what was learned since, and not of a job that is gone', async () => {
    const toolkit = await make({ ...OPTIONS, limits: { jobs: 17 } });
    const secret = ['correct', 'horse', 'battery'].join('-');
    await background(toolkit, `sleep 0.1; echo ${secret}`);
    await toolkit.jobs.get('j1')?.ended;
    toolkit.redactor.addSecret('LATE', secret);
    expect(await text(toolkit, 'file_list', {})).toContain(
      '[ended since your last call: j1 (sleep 0.1; echo [REDACTED]) exit 0',
    );
    for (let count = 0; count < 17; count += 1) await background(toolkit, 'cat', { caller: 'other' });
    for (const job of toolkit.jobs.list()) await job.end();
    expect(toolkit.jobs.get('j2')).toBeUndefined();
    const line = await text(toolkit, 'file_list', {}, { caller: 'other' });
    expect(line).toMatch(/\[ended since your last call: j3 .*; and 8 more\. job_read shows the output\]$/);
  });

  it('is told once, in one line of the next result, and recorded', async () => {
    const { toolkit, records } = await audited(OPTIONS);
    await background(toolkit, 'echo done; false');
    await toolkit.jobs.get('j1')?.ended;
    expect(await text(toolkit, 'file_list', {})).toMatch(
      /\n\[ended since your last call: j1 \(echo done; false\) exit 1 in [^;]*\. job_read shows the output\]$/,
    );
    expect(await text(toolkit, 'file_list', {})).not.toContain('ended since');
    expect(await text(toolkit, 'job_read', { job: 'j1', since: 0 })).toMatch(/^done\n\[j1 has ended\]\nexit 1/);
    expect(records[0]).toMatchObject({
      detail: { kind: 'job', operation: 'start', job: 'j1', input: 'echo done; false' },
    });
    expect(records[1]).toMatchObject({
      tool: 'terminal_run',
      isError: true,
      detail: { kind: 'command', job: 'j1', exitCode: 1 },
    });
  });

  it('that a result has shown already is told no second time', async () => {
    const toolkit = await make(OPTIONS);
    await background(toolkit, 'sleep 0.05');
    expect(await text(toolkit, 'job_wait', { job: 'j1' })).not.toContain('ended since');
    expect(await text(toolkit, 'file_list', {})).not.toContain('ended since');
  });

  it('is masked, bounded, and names eight jobs at most', async () => {
    const toolkit = await make({ ...OPTIONS, limits: { resultChars: 2_000 } });
    const command = `echo password=hunter2 ${'x'.repeat(500)}; cat`;
    for (let count = 0; count < 10; count += 1) await background(toolkit, command);
    await Promise.all(toolkit.jobs.list().map((job) => job.end()));
    const all = await text(toolkit, 'terminal_run', { command: 'seq 1 5000' });
    expect(all.match(/j\d+ \(echo password=\[REDACTED\] x+\.\.\.\) cancelled/g)).toHaveLength(8);
    expect(all).toMatch(/; and 2 more\. job_read shows the output\]$/);
    expect(all).not.toContain('hunter2');
    expect([...all].length).toBeLessThanOrEqual(2_000);
  });
});

describe('a job of somebody else', () => {
  it('is neither read, waited for, written to, ended, listed nor told of', async () => {
    const toolkit = await make(OPTIONS);
    await toolkit.jobs.start('sleep 60');
    await background(toolkit, 'sleep 60', { caller: 'other' });
    await background(toolkit, 'sleep 60');
    const calls: [string, object][] = [
      ['job_read', { since: 0 }],
      ['job_wait', { timeout_ms: 0 }],
      ['job_send', { input: 'x' }],
      ['job_end', {}],
    ];
    for (const job of ['j1', 'j2', 'j9', '__proto__']) {
      for (const [name, args] of calls) {
        const { content, isError } = await toolkit.execute(name, { job, ...args });
        expect({ content, isError }).toMatchObject({ content: expect.stringMatching(/known are j3$/), isError: true });
      }
    }
    expect(await text(toolkit, 'job_list', {})).toMatch(/^j3 runs for [^\n]*$/);
    await toolkit.jobs.get('j2')?.end();
    expect(await text(toolkit, 'file_list', {})).not.toContain('ended since');
    expect(await text(toolkit, 'file_list', {}, { caller: 'other' })).toContain('[ended since your last call: j2');
    expect(toolkit.jobs.list().map(({ state }) => state)).toEqual(['running', 'ended', 'running']);
  });
});

describe('a shell', () => {
  const SHELL = { terminal: { allow: ['bash', 'echo'] }, approve: () => ({ approved: true }) } as const;

  it('is sent judged lines alone, and each denial is recorded', async () => {
    const { toolkit, records } = await audited(SHELL);
    await background(toolkit, 'bash');
    expect(await text(toolkit, 'job_send', { job: 'j1', input: 'echo ok' })).toMatch(/^\[j1 was sent this/);
    expect(await text(toolkit, 'job_wait', { job: 'j1', until: { text: 'ok' } })).toMatch(/^ok\n/);
    for (const input of ['rm -rf .', 'curl example.com', 'echo "open', 'echo a\nrm b', 'bash -c "$x"', 'cd /; ./x']) {
      const { content, isError } = await toolkit.execute('job_send', { job: 'j1', input });
      expect({ input, content, isError }).toMatchObject({
        content: expect.stringMatching(/^denied: [\s\S]*\n\[j1 was sent nothing\]$/),
        isError: true,
      });
      expect(records.at(-1)).toMatchObject({
        tool: 'job_send',
        decision: 'deny',
        rules: [expect.any(String), ...(records.at(-1)?.rules.slice(1) ?? [])],
        detail: { kind: 'job', operation: 'send', job: 'j1', status: 'denied', input },
      });
    }
    const job = toolkit.jobs.get('j1');
    const denied = { code: 'ERR_INVALID_ARGUMENT', data: { name: 'input', rules: ['list.not_allowed'] } };
    await expect(job?.send('rm b\n')).rejects.toMatchObject(denied);
    await expect(job?.send('echo b')).rejects.toMatchObject({ message: expect.stringContaining('whole lines') });
  });

  it('keeps its input from what it runs, and its state between lines', async () => {
    const toolkit = await make({ ...SHELL, terminal: { allow: ['bash', 'cat', 'wc', 'echo'] } });
    for (const [at, command] of ['bash', 'bash -s', 'bash -i', '/usr/bin/../bin/bash'].entries()) {
      const job = `j${at + 1}`;
      await background(toolkit, command);
      for (const input of ['x=5; cat | wc -c', 'cat', 'echo "$x !! $-"', 'echo over']) {
        expect(await text(toolkit, 'job_send', { job, input })).toContain('was sent this');
      }
      await text(toolkit, 'job_wait', { job, until: { text: 'over' } });
      expect(await text(toolkit, 'job_read', { job, since: 0 })).toMatch(/^0\n5 !! hB\nover\n/m);
    }
  });

  it('would run anything where lines were not judged', async () => {
    const toolkit = await make(SHELL);
    const job = await toolkit.jobs.start('bash', { approve: () => ({ approved: true }) });
    await job.send('type rm && echo unjudged\n');
    expect(await job.wait({ until: { text: 'unjudged' } })).toMatchObject({ reason: 'matched' });
  });
});

it('a busy quota is told with its limit', async () => {
  const toolkit = await make({ ...OPTIONS, limits: { jobs: 1 } });
  await background(toolkit, 'sleep 60');
  const { content, isError } = await toolkit.execute('terminal_run', { command: 'sleep 60', wait_ms: 0 });
  expect({ content, isError }).toMatchObject({ content: expect.stringMatching(/^busy: .*\b1\b.*jobs/), isError: true });
});
