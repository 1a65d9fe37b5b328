import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGTerm } from '../../ts/index.js';
import { folderPerTest } from '../support/folder.js';
import { toolkits } from '../support/toolkits.js';

const { make } = toolkits();
const folder = folderPerTest();

describe('a program that has ended', () => {
  it('is read to its last word, once', async () => {
    const { sessions } = await make();
    const session = await sessions.open('bash', { args: ['-c', 'echo RESULT; exit 9'] });
    expect(await session.ended).toMatchObject({ status: 'exited', exitCode: 9 });
    expect(await session.read()).toMatchObject({ text: 'RESULT\n', reason: 'exited' });
    expect(await session.read()).toMatchObject({ text: '', reason: 'exited' });
    await using term = new AGTerm('echo', { args: ['hello'] });
    expect(await term.readUntilReady()).toBe('hello\n');
  });

  it('that never ran fails each read with why, the one that waited too', async () => {
    const program = path.join(folder(), 'no-program');
    writeFileSync(program, 'neither a script nor a binary\n', { mode: 0o755 });
    const { sessions } = await make();
    const session = await sessions.open(program);
    await expect(session.read()).rejects.toMatchObject({ code: 'ERR_SYSTEM', message: /could not be executed/ });
    await expect(session.read()).rejects.toMatchObject({ code: 'ERR_SYSTEM' });
    expect(await session.ended).toMatchObject({ status: 'spawn_failed', failure: { code: 'spawn', stage: 'execute' } });
  });

  it('gives a model what it wrote after the last answer', async () => {
    const toolkit = await make({ terminal: { allow: ['bash', 'echo', 'sleep', 'exit'] } });
    await toolkit.execute('session_start', { command: 'bash' });
    await toolkit.execute('session_send', { session: 's1', input: 'sleep 1.5; echo RESULT; exit 4', timeout_ms: 50 });
    while (toolkit.sessions.list().length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const { content } = await toolkit.execute('session_read', { session: 's1' });
    expect(content).toContain('RESULT\n');
    expect(content).toContain('exit code 4');
  });
});

describe('a read that waits for its turn', () => {
  it('is given up at once when its signal has fired before', async () => {
    const { sessions } = await make();
    const session = await sessions.open('bash', { readyMarkers: ['# ', '$ '] });
    await session.read();
    const long = session.send('sleep 300', { timeoutMs: 600_000 });
    // Else it would wait for as long as the first one.
    expect(await session.read({ signal: AbortSignal.abort(), timeoutMs: 600_000 })).toMatchObject({
      reason: 'timeout',
    });
    await session.close();
    await long;
  });

  it('heeds its signal and its time', async () => {
    const { sessions } = await make();
    const session = await sessions.open('bash', { readyMarkers: ['# ', '$ '] });
    await session.read();
    const long = session.send('sleep 300', { timeoutMs: 600_000 });
    const aborted = session.send('echo never', { signal: AbortSignal.timeout(30) });
    const late = session.read({ timeoutMs: 30 });
    // Both come back while the first one goes on.
    expect(await aborted).toMatchObject({ reason: 'timeout', sent: false });
    expect(await late).toMatchObject({ reason: 'timeout' });
    await session.close();
    expect(await long).toMatchObject({ reason: 'exited' });
    expect(session.history().text).not.toContain('never');
  });
});

it('a line that is written in two pieces is not cut either', async () => {
  const { sessions } = await make();
  const session = await sessions.open('cat');
  await session.write('z'.repeat(3_000));
  await expect(session.write(`${'q'.repeat(3_000)}\n`)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  await session.write(`${'q'.repeat(1_095)}\n`);
  expect((await session.read({ until: 'quiet' })).text).toHaveLength(4_096);
  await session.close();
});
