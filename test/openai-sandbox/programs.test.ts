import { afterAll, describe, expect, it } from 'vitest';
import type { AuditRecord } from '../../ts/audit/record.js';
import type { Approval } from '../../ts/index.js';
import { handrailSandbox } from '../../ts/openai-sandbox/index.js';
import { living, marker, until } from '../support/processes.js';
import { removeSandboxes, testSession } from './support.js';

afterAll(removeSandboxes);

const EXIT_MS = 20_000;

const EMPTY_ARCHIVE = JSON.stringify({ version: 1, directories: [], files: [] });

describe('a command without a terminal', () => {
  it('is a job: each call about it has its record, and it counts in the limit', async () => {
    const records: AuditRecord[] = [];
    const session = await testSession({ audit: (record) => records.push(record), limits: { jobs: 1 } });
    const first = await session.exec({ cmd: 'echo one; read line; echo "got $line"', yieldTimeMs: 300 });
    expect(first).toMatchObject({ stdout: 'one\n', sessionId: 1 });
    const refused = await session.exec({ cmd: 'echo two' });
    expect(refused).toMatchObject({ exitCode: 127, stdout: '' });
    expect(refused.stderr).toContain('busy');
    const text = await session.writeStdin({ sessionId: 1, chars: 'Ada\n', yieldTimeMs: EXIT_MS });
    expect(text).toMatch(/Process exited with code 0\nOutput:\ngot Ada\n$/);
    expect(records.map(({ tool, detail }) => [tool, detail?.kind])).toEqual([
      ['terminal_run', 'job'],
      ['terminal_run', 'refused'],
      ['job_send', 'job'],
      ['terminal_run', 'command'],
      ['job_wait', 'job'],
    ]);
    expect((await session.exec({ cmd: 'echo three' })).output).toBe('three\n');
  });

  it('gives one call the whole output of a short command, in the order in which it was written', async () => {
    const session = await testSession();
    const { stdout, stderr, output, exitCode } = await session.exec({ cmd: 'echo a; echo b >&2; echo c; exit 7' });
    expect({ stdout, stderr, output, exitCode }).toEqual({
      ...{ stdout: 'a\nb\nc\n', stderr: '', output: 'a\nb\nc\n' },
      exitCode: 7,
    });
  });

  it('masks a secret of which half is written to each of its outputs', async () => {
    const session = await testSession({}, { manifest: { environment: { DEPLOY: 'correct-horse-9' } } });
    const { stdout } = await session.exec({ cmd: `printf "%s" "\${DEPLOY:0:6}"; echo "\${DEPLOY:6}" >&2` });
    expect(stdout).toBe('[REDACTED]\n');
  });

  it('judges what is written to a shell', async () => {
    // Somebody has to agree to a bare shell: it runs what is written to it.
    const session = await testSession({ approve: () => ({ approved: true }) });
    expect((await session.exec({ cmd: 'bash', yieldTimeMs: 300 })).sessionId).toBe(1);
    const write = (chars: string) => session.writeStdin({ sessionId: 1, chars, yieldTimeMs: 1_000 });
    expect(await write('rm -rf .\n')).toMatch(/Process running with session ID 1\nOutput:\nNothing was sent: .*'rm'/);
    expect(await write('echo $((40 + 2))\nexit 3\n')).toMatch(/exited with code 3\nOutput:\n42\n/);
  });

  it('ends by Ctrl-C with code 130, and at the end of its life with 124', async () => {
    const session = await testSession({ terminal: { deny: ['rm'], timeoutMs: 1_500 } });
    const mark = marker();
    await session.exec({ cmd: `setsid sleep ${mark} & sleep ${mark}`, yieldTimeMs: 100 });
    expect(await session.writeStdin({ sessionId: 1, chars: '\u0003' })).toContain('exited with code 130');
    expect(living(mark)).toEqual([]);
    await session.exec({ cmd: `sleep ${mark}`, yieldTimeMs: 100 });
    const late = await session.writeStdin({ sessionId: 2, yieldTimeMs: EXIT_MS });
    expect(late).toContain('exited with code 124');
    expect(late).toContain('timed out');
  });

  it('is not told of to another call, and is gone for good when its end was shown', async () => {
    const session = await testSession();
    const mark = marker();
    await session.exec({ cmd: `: ${mark}; sleep 0.2; echo over`, yieldTimeMs: 10 });
    await until(() => living(mark).length === 0);
    const denied = await session.exec({ cmd: 'rm x' });
    expect(denied.output).not.toContain('ended since');
    expect(await session.writeStdin({ sessionId: 1 })).toContain('exited with code 0\nOutput:\nover\n');
    expect(await session.writeStdin({ sessionId: 1 })).toContain('session not found: 1');
  });

  it('does not start when the session is stopped while it is being judged', async () => {
    let isAsked = false;
    let answer = (_: Approval): void => undefined;
    const approve = (): Promise<Approval> =>
      new Promise((resolve) => {
        isAsked = true;
        answer = resolve;
      });
    const session = await testSession({ approve });
    const mark = marker();
    // A bare shell needs approval.
    const waiting = session.exec({ cmd: `sleep ${mark}; bash`, yieldTimeMs: 100 });
    await until(() => isAsked);
    await session.stop();
    answer({ approved: true });
    expect((await waiting).exitCode).toBeGreaterThan(0);
    expect(living(mark)).toEqual([]);
  });
});

describe('a command that was just asked for', () => {
  it.each(['stop', 'hydrateWorkspace'] as const)('does not outlive %s()', async (method) => {
    const session = await testSession();
    const mark = marker();
    const ends = { stop: () => session.stop(), hydrateWorkspace: () => session.hydrateWorkspace(EMPTY_ARCHIVE) };
    const waiting = session.exec({ cmd: `sleep ${mark}`, yieldTimeMs: 500 });
    await ends[method]();
    expect((await waiting).exitCode).toBeGreaterThan(0);
    expect(living(mark)).toEqual([]);
  });
});

describe('a command with a terminal', () => {
  it('gets keys, of which Ctrl-\\ ends it', async () => {
    const session = await testSession();
    await session.exec({ cmd: 'echo ready; exec sleep 60', tty: true, yieldTimeMs: 300 });
    const text = await session.writeStdin({ sessionId: 1, chars: '\u001c', yieldTimeMs: EXIT_MS });
    expect(text).toContain('Process exited with code 131');
  });

  it('ends when its signal fires', async () => {
    const session = await testSession();
    const mark = marker();
    const waiting = session.exec({ cmd: `sleep ${mark}`, tty: true, yieldTimeMs: 600_000 });
    await until(() => living(mark).length > 0);
    await session.stop();
    expect((await waiting).exitCode).toBeGreaterThan(128);
  });
});

it('needs jobs', () => {
  expect(() => handrailSandbox({ limits: { jobs: 0 } })).toThrow(/limits\.jobs.*at least 1/);
});
