/** The filter under load: slow readers, readers who leave, signals, and what it holds meanwhile. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../compat/terminal-environment.js';
import { type Ended, startNode } from '../support/cli.js';
import { MAIN, shell } from './shell.js';

const folder = temporaryFolder();

const MIB = 2 ** 20;

/** More than the two pipes, the buffers of two streams and what is being read hold together. */
const HELD_BYTES = 4 * MIB;

/** Long enough for any machine to start the command line in. */
const LAST_PAUSE_MS = 10_000;

const LINE = 'GET /items/17 200 12ms user=anna agent=curl\n';

function start(...args: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [MAIN, 'redact', ...args], { stdio: 'pipe' });
}

/** The most memory that a process had, in bytes. */
function peakMemory(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}

/** Writes `bytes` bytes of lines, each piece when the one before was taken. */
async function feed(child: ChildProcessWithoutNullStreams, bytes: number): Promise<void> {
  const piece = LINE.repeat(1_000);
  for (let fed = 0; fed < bytes; fed += piece.length) {
    await new Promise<void>((resolve, reject) => {
      child.stdin.write(piece, (error) => (error ? reject(error) : resolve()));
    });
  }
}

describe('handrail redact', () => {
  it('takes no more than it can hand on when its reader is slow', async () => {
    const child = start();
    // It ends before everything is written.
    child.stdin.on('error', () => undefined);
    const piece = LINE.repeat(1_000);
    let taken = 0;
    const write = (): void => {
      child.stdin.write(piece, (error) => {
        if (error) return;
        taken += piece.length;
        write();
      });
    };
    write();
    await pause(1_500);
    const afterAWhile = taken;
    await pause(500);
    expect(afterAWhile).toBeGreaterThan(0);
    expect(taken).toBe(afterAWhile);
    expect(taken).toBeLessThan(HELD_BYTES);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it('needs no more memory for a long text than for a short one', async () => {
    const child = start();
    child.stdout.resume();
    // Until then the heap of any program of Node grows.
    await feed(child, 64 * MIB);
    const before = peakMemory(child);
    await feed(child, 192 * MIB);
    expect(peakMemory(child) - before).toBeLessThan(32 * MIB);
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('hands on a line when it has ended, and not before', async () => {
    const child = start();
    child.stdin.write('token=abc1\npassword=hun');
    const [first] = (await once(child.stdout, 'data')) as [Buffer];
    expect(first.toString()).toBe('token=[REDACTED]\n');
    child.stdin.end('ter2\n');
    const [second] = (await once(child.stdout, 'data')) as [Buffer];
    expect(second.toString()).toBe('password=[REDACTED]\n');
    await once(child, 'exit');
  });
});

describe('a reader who leaves', () => {
  const codes = '; echo "code $' + '{PIPESTATUS[*]}"';

  it.each(['yes token=abc1 | handrail redact | head -1', 'handrail redact <(yes token=abc1) | head -1'])(
    'ends the work quietly with 141: %s',
    async (pipeline) => {
      const { stdout, stderr } = await shell(`${pipeline}${codes}`);
      expect(stdout).toMatch(/^token=\[REDACTED\]\ncode (141 )+0\n$/);
      expect(stderr).toBe('');
    },
  );

  it('is told from an output that cannot be written', async () => {
    const { stdout, stderr } = await shell('echo a | (handrail redact --report > /dev/full); echo "code $?"');
    expect(stdout).toBe('code 125\n');
    expect(stderr).toBe('handrail: the output could not be written (stdout: ENOSPC)\n');
  });
});

describe('a signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends it with %i, and nothing of an unfinished line is shown', async (signal, code) => {
    const child = start();
    child.stdin.write('token=abc1\npassword=hun');
    const shown: Buffer[] = [];
    child.stdout.on('data', (data: Buffer) => shown.push(data));
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([code, null]);
    expect(Buffer.concat(shown).toString()).toBe('token=[REDACTED]\n');
  });

  it('is obeyed while the reader stalls', async () => {
    const child = start('/dev/zero');
    await once(child.stdout, 'readable');
    await pause(300);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([143, null]);
  });

  it('is obeyed while nobody has opened the other end of a named pipe', async () => {
    await shell('mkfifo silent', folder());
    // Nothing shows that it waits for the pipe: on a busy machine a signal may come before, and it is tried again, later.
    const interrupted = async (afterMs: number): Promise<Ended> => {
      const { child, ended } = startNode([MAIN, 'redact', 'silent'], { cwd: folder() });
      await pause(afterMs);
      child.kill('SIGINT');
      const result = await ended;
      return result.signal === null || afterMs > LAST_PAUSE_MS ? result : await interrupted(afterMs * 10);
    };
    expect(await interrupted(300)).toEqual({ code: 130, signal: null, stdout: '', stderr: '' });
  });

  it('leaves the report of what was done until then', async () => {
    const child = start('--report', '--fail-on-find');
    const said: Buffer[] = [];
    child.stderr.on('data', (data: Buffer) => said.push(data));
    child.stdin.write('token=abc1\n');
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(Buffer.concat(said).toString()).toBe('handrail: 1 secret masked until SIGINT\n          1 token\n');
  });
});
