import { describe, expect, it } from 'vitest';
import { EndedJobs } from '../../ts/jobs/ended-jobs.js';
import type { Job } from '../../ts/jobs/job.js';
import { MAX_UNREAD_INPUT_PIECES } from '../../ts/jobs/limits.js';
import type { Engine } from '../../ts/terminal/engine.js';
import { living, marker, until } from '../support/processes.js';
import { toolkits } from '../support/toolkits.js';

const { make } = toolkits();

const SCRIPTS = {
  allow: ['echo', 'seq', 'sleep', 'cat', 'printf', 'node'],
  shell: 'bash',
  trustInterpreters: ['node'],
} as const;

function scripted(limits = {}) {
  return make({ terminal: SCRIPTS, limits });
}

describe('a job', () => {
  it('runs on after its start, and its end wakes whoever waits', async () => {
    const { jobs } = await scripted();
    const job = await jobs.start('echo one; sleep 0.1; echo two');
    expect(job).toMatchObject({ id: 'j1', state: 'running', result: undefined });
    expect(jobs.get('j1')).toBe(job);
    expect(jobs.list()).toEqual([job]);
    const output = await job.wait();
    expect(output).toMatchObject({ text: 'one\ntwo\n', reason: 'exited', cursor: 8, droppedBytes: 0, state: 'ended' });
    expect(output.result).toMatchObject({ status: 'exited', exitCode: 0, output: 'one\ntwo\n' });
    expect(await job.ended).toBe(output.result);
    expect(Object.isFrozen(output)).toBe(true);
  });

  it('that was refused has ended, has no name, and its result says why', async () => {
    const { jobs } = await scripted();
    const job = await jobs.start('rm -rf /');
    expect(job).toMatchObject({ id: '', state: 'ended', result: { status: 'denied' } });
    expect(jobs.list()).toEqual([]);
    expect((await jobs.start('echo next')).id).toBe('j1');
  });

  it('is waited for until a text, a pattern or silence comes, and goes on', async () => {
    const { jobs } = await scripted();
    const job = await jobs.start('printf "ready: no"; read x; printf "\\nport 8080\\n"; read x; sleep 60');
    expect(await job.wait({ until: { text: 'ready' } })).toMatchObject({ reason: 'matched', state: 'running' });
    await job.send('go\n');
    const matched = await job.wait({ until: { pattern: 'port \\d+$' } });
    expect(matched).toMatchObject({ reason: 'matched', until: { pattern: 'port \\d+$', matched: true } });
    expect(matched.text).toContain('port 8080\n');
    expect(await job.wait({ until: { quietMs: 50 } })).toMatchObject({ reason: 'matched', text: '' });
    const missed = await job.wait({ until: { text: 'never' }, timeoutMs: 20 });
    expect(missed).toMatchObject({ reason: 'timeout', until: { text: 'never', matched: false } });
    const stop = AbortSignal.abort();
    expect(await job.wait({ signal: stop })).toMatchObject({ reason: 'cancelled', state: 'running' });
    expect(await job.end()).toMatchObject({ status: 'cancelled' });
  });

  it('is told by its own listening port alone', async () => {
    const { jobs } = await scripted();
    const code = "const s = require('net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))";
    const server = await jobs.start(['node', '-e', code]);
    const port = Number((await server.wait({ until: { pattern: '^[0-9]+$' } })).text);
    expect(await server.wait({ until: { port } })).toMatchObject({ reason: 'matched' });
    const other = await jobs.start('sleep 60');
    expect(await other.wait({ until: { port }, timeoutMs: 100 })).toMatchObject({ reason: 'timeout' });
  });

  it('finds a text and a line of a pattern that come in pieces', async () => {
    const { jobs } = await scripted();
    const job = await jobs.start('printf "liste"; sleep 0.4; printf "ning on"; sleep 0.4; echo " 80"; sleep 60');
    const [text, pattern] = await Promise.all([
      job.wait({ until: { text: 'listening on 80' } }),
      job.wait({ until: { pattern: '^listening on 80$' } }),
    ]);
    expect([text.reason, pattern.reason]).toEqual(['matched', 'matched']);
  });

  it('gives its output once per answer, and from any position again', async () => {
    const { jobs } = await scripted();
    const job = await jobs.start('echo one; read x; echo "$x"');
    const { cursor } = await job.wait({ until: { text: 'one' } });
    await job.send('zwei ü\n');
    await job.ended;
    expect(job.read()).toMatchObject({ text: 'zwei ü\n', reason: 'exited' });
    expect(job.read().text).toBe('');
    expect(job.read(0).text).toBe('one\nzwei ü\n');
    expect(job.read(cursor).text).toBe('zwei ü\n');
    expect(job.read(1e9).text).toBe('');
    expect(() => job.read(-1)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  });

  it('masks a secret, also one that is written in pieces, and what is masked is not found', async () => {
    const { jobs } = await scripted();
    const job = await jobs.start('printf "password=hun"; sleep 0.3; echo ter2; sleep 60');
    const output = await job.wait({ until: { pattern: 'hunter2|REDACTED' } });
    expect(output).toMatchObject({ reason: 'matched', text: 'password=[REDACTED]\n' });
    expect(await job.wait({ until: { text: 'hunter2' }, timeoutMs: 20 })).toMatchObject({ reason: 'timeout' });
    expect((await job.end()).output).not.toContain('hunter2');
  });

  it('shows an unfinished line whole, and a line that ends with a secret masked, when it pauses', async () => {
    const { jobs, redactor } = await scripted();
    redactor.addSecret('KNOWN', 'correct-horse-battery');
    for (const [script, shown] of [
      ['printf "listening on port 8080"', 'listening on port 8080'],
      ['printf ready', 'ready'],
      ['echo "url is correct-horse-battery"', 'url is [REDACTED]\n'],
      ['echo "is correct-horse-battery"; printf "server is up"', 'is [REDACTED]\nserver is up'],
      ['printf "use it: correct-horse"', 'use it: '],
    ] as const) {
      const job = await jobs.start(`${script}; read x; echo -battery; sleep 60`);
      const last = shown.trimEnd().split(' ').at(-1) ?? '';
      expect(await job.wait({ until: { text: last } })).toMatchObject({ reason: 'matched', text: shown });
      await job.send('\n');
      await job.wait({ until: { pattern: 'battery|REDACTED' } });
      const { text } = job.read(0);
      expect(text.startsWith(shown)).toBe(true);
      expect(text).not.toContain('horse');
      await job.end();
    }
  });

  it('takes input until it has ended, within bounds, and none where it was started without', async () => {
    const { jobs } = await scripted();
    const job = await jobs.start('cat');
    await job.send('a\n');
    expect(await job.wait({ until: { text: 'a' } })).toMatchObject({ text: 'a\n' });
    await expect(job.send('x'.repeat(1_048_577))).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    await job.end();
    await expect(job.send('b\n')).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    const without = await jobs.start('cat', { stdin: 'none' });
    expect(await without.wait()).toMatchObject({ reason: 'exited', result: { exitCode: 0 } });
    await expect(without.send('b\n')).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });

  it('that reads nothing is sent 4 MiB, no more, and its end fails what was not written', async () => {
    const { jobs } = await scripted();
    const job = await jobs.start('sleep 60');
    const sent = Array.from({ length: 4 }, () => job.send('x'.repeat(1_048_576)).catch(({ code }) => code));
    await expect(job.send('x')).rejects.toMatchObject({ code: 'ERR_BUSY', data: { limit: 4_194_304 } });
    await job.end();
    expect(await Promise.all(sent)).toEqual(Array.from({ length: 4 }, () => 'ERR_CLOSED'));
  });

  it('that reads nothing is sent so many pieces, also empty ones, and no more', async () => {
    const { jobs } = await scripted();
    const job = await jobs.start('sleep 60');
    const first = job.send('x'.repeat(100_000));
    const pieces = [first, ...Array.from({ length: MAX_UNREAD_INPUT_PIECES - 1 }, () => job.send(''))];
    const settled = Promise.allSettled(pieces);
    await expect(job.send('')).rejects.toMatchObject({ code: 'ERR_BUSY', data: { limit: MAX_UNREAD_INPUT_PIECES } });
    await job.end();
    expect((await settled).every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('takes no input any more once it has closed its input', async () => {
    const { jobs } = await scripted();
    const job = await jobs.start(['node', '-e', 'fs.closeSync(0); console.log("closed"); setTimeout(() => {}, 6e4)']);
    await job.wait({ until: { text: 'closed' } });
    for (const size of [2, 200_000, 2]) {
      await expect(job.send('x'.repeat(size))).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    }
    expect(job.state).toBe('running');
  });

  it('masks what it wrote before a secret was added: in what is read from anywhere, and in what is found', async () => {
    const { jobs, redactor } = await scripted();
    const secret = ['correct', 'horse', 'battery'].join(' ');
    const job = await jobs.start(
      'read x; echo "is $x"; read y; printf "half: correct "; read z; echo "$z"; echo end; sleep 60',
    );
    await job.send(`${secret}\n`);
    const { cursor } = await job.wait({ until: { text: secret } });
    const half = job.wait({ until: { text: 'half' } });
    await job.send('\n');
    await half;
    const found = job.wait({ until: { text: secret }, timeoutMs: 500 });
    redactor.addSecret('LATE', secret);
    await job.send('horse battery\n');
    expect(await found).toMatchObject({ reason: 'timeout' });
    const rest = 'half: correct \nhalf: [REDACTED]\nend\n';
    expect(job.read(0).text).toBe(`is [REDACTED]\n${rest}`);
    for (let since = 0; since < cursor + 60; since += 1) expect(job.read(since).text).not.toMatch(/orse|attery/);
    expect(job.read(cursor).text).toBe(rest);
    expect(await job.wait({ until: { text: 'battery' }, timeoutMs: 20 })).toMatchObject({ reason: 'timeout' });
  });

  it('keeps the last 4 MiB of its output, and says how much it dropped', async () => {
    const { jobs } = await scripted();
    const job = await jobs.start('seq 1000001 1700000');
    const { result } = await job.wait({ timeoutMs: 60_000 });
    const { text, droppedBytes, cursor } = job.read(0);
    expect(cursor).toBe(result?.bytes.stdout);
    expect(Buffer.byteLength(text)).toBe(cursor - droppedBytes);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4 * 1_048_576);
    expect(Buffer.byteLength(text)).toBeGreaterThan(4 * 1_048_576 - 100_000);
    expect(text.endsWith('1699999\n1700000\n')).toBe(true);
  });

  it('ends when its life is over, when it is ended, and when the signal of its start fires', async () => {
    const { jobs } = await scripted({ jobMs: 200 });
    const controller = new AbortController();
    const all = await Promise.all([
      jobs.start('sleep 60'),
      jobs.start('sleep 60', { timeoutMs: 60_000 }),
      jobs.start('sleep 60', { timeoutMs: 60_000, signal: controller.signal }),
    ]);
    controller.abort();
    const [late, ended, aborted] = await Promise.all([all[0]?.ended, all[1]?.end(), all[2]?.ended]);
    expect([late?.status, ended?.status, aborted?.status]).toEqual(['timed_out', 'cancelled', 'cancelled']);
  });

  it('is refused where there are as many as there may be, beside the runs and sessions', async () => {
    const { jobs, terminal } = await scripted({ jobs: 2 });
    const [first] = await Promise.all([jobs.start('sleep 60'), jobs.start('sleep 60')]);
    await expect(jobs.start('sleep 60')).rejects.toMatchObject({ code: 'ERR_BUSY' });
    expect((await terminal.run('echo run')).ok).toBe(true);
    await first?.end();
    expect((await jobs.start('echo again')).id).toBe('j3');
    await expect(scripted({ jobs: 0 }).then((none) => none.jobs.start('echo'))).rejects.toMatchObject({
      code: 'ERR_BUSY',
    });
  });

  it('takes no place of a run: 64 of them run beside it', async () => {
    const { jobs, terminal } = await scripted();
    const job = await jobs.start('sleep 60');
    const stop = new AbortController();
    let begun = 0;
    const onOutput = () => {
      begun += 1;
    };
    const runs = Array.from({ length: 64 }, () => terminal.run('echo up; sleep 60', { signal: stop.signal, onOutput }));
    await expect.poll(() => begun, { timeout: 60_000 }).toBe(64);
    expect(job.state).toBe('running');
    expect((await jobs.start('echo beside')).state).toBe('running');
    stop.abort();
    await Promise.all(runs);
  }, 90_000);

  it('ends with its toolkit, and leaves nothing', async () => {
    const mark = marker();
    const toolkit = await make({ terminal: { ...SCRIPTS, allow: ['node'] } });
    const job = await toolkit.jobs.start([
      'node',
      '-e',
      `require('child_process').spawn('node', ['-e', 'setTimeout(() => {}, 6e4)', '${mark}'], { detached: true }); setTimeout(() => {}, 6e4)`,
    ]);
    await until(() => living(mark).length > 1);
    await toolkit.close();
    expect(living(mark)).toEqual([]);
    expect(await job.ended).toMatchObject({ status: 'cancelled' });
    await expect(toolkit.jobs.start('echo')).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  });
});

describe('the jobs of a toolkit', () => {
  it('are told to listeners and to loops when they end, each once', async () => {
    const toolkit = await scripted();
    const told: string[] = [];
    const listener = (job: Job) => told.push(`${job.id} ${job.result?.status}`);
    toolkit.on('job', listener);
    const looped = (async () => {
      const ids: string[] = [];
      for await (const { id } of toolkit.jobs) ids.push(id);
      return ids;
    })();
    const jobs = await Promise.all(Array.from({ length: 12 }, () => toolkit.jobs.start('echo')));
    await Promise.all(jobs.map((job) => job.ended));
    await (await toolkit.jobs.start('rm x')).ended;
    expect(told.toSorted()).toEqual(jobs.map(({ id }) => `${id} exited`).toSorted());
    toolkit.off('job', listener);
    await (await toolkit.jobs.start('echo')).ended;
    expect(told).toHaveLength(12);
    await toolkit.close();
    expect(await looped).toHaveLength(13);
    for await (const _ of toolkit.jobs) throw new Error('a closed toolkit has jobs');
  });

  it('of many callers are kept after their end, the last 64 of them', async () => {
    const toolkit = await scripted();
    for (let count = 0; count < 66; count += 1) {
      const context = { caller: `caller ${count}` };
      await toolkit.execute('terminal_run', { command: 'cat', background: true }, context);
      await toolkit.jobs.get(`j${count + 1}`)?.end();
    }
    expect(toolkit.jobs.list()).toHaveLength(64);
    expect(toolkit.jobs.get('j2')).toBeUndefined();
    expect(toolkit.jobs.get('j3')?.state).toBe('ended');
  });

  it('are passed over by a loop that is slower than they end: it has the last 256', async () => {
    const engine = { keepAlive: () => () => undefined } as unknown as Engine;
    const loop = new EndedJobs(engine, () => undefined);
    for (let count = 1; count <= 257; count += 1) loop.add({ id: `j${count}` } as Job);
    loop.end();
    const ids: string[] = [];
    for await (const { id } of loop) ids.push(id);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([256, 'j2', 'j257']);
  });

  it('are kept after their end, the last 16 of them', async () => {
    const { jobs } = await scripted();
    const running = await jobs.start('sleep 60');
    for (let count = 0; count < 17; count += 1) await (await jobs.start('echo')).ended;
    expect(jobs.list()).toHaveLength(17);
    expect(jobs.get('j2')).toBeUndefined();
    expect(jobs.get('j3')?.state).toBe('ended');
    expect(jobs.list()[0]).toBe(running);
  });

  it('are refused with a clear error for wrong arguments', async () => {
    const { jobs } = await scripted();
    const job = await jobs.start('sleep 60');
    const wrong = [
      jobs.start('echo', { timeoutMs: 0 }),
      jobs.start('echo', { stdin: 'pipe' as never }),
      jobs.start('echo', { other: 1 } as never),
      jobs.start(7 as never),
      job.wait({ until: 'ready' as never }),
      job.wait({ until: { text: 'a', port: 1 } as never }),
      job.wait({ until: { pattern: '(' } }),
      job.wait({ timeoutMs: -1 }),
      job.send(7 as never),
    ];
    const codes = await Promise.all(
      wrong.map((promise) =>
        promise.then(
          () => 'none',
          ({ code }) => code,
        ),
      ),
    );
    expect(codes).toEqual(wrong.map(() => 'ERR_INVALID_ARGUMENT'));
  });
});
