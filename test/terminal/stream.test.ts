import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type OutputChunk, Terminal } from '../../ts/index.js';
import { living, marker, until } from '../support/processes.js';

let terminal: Terminal;

beforeEach(() => {
  terminal = new Terminal({ allow: ['bash', 'echo', 'seq', 'sleep', 'yes'], trustInterpreters: ['bash'], graceMs: 0 });
});

afterEach(async () => {
  await terminal.close();
});

async function collected(pieces: AsyncIterable<OutputChunk>): Promise<string> {
  let all = '';
  for await (const { text } of pieces) all += text;
  return all;
}

describe('a command whose output is iterated', () => {
  test('gives each piece with its stream, and its result after the last', async () => {
    const run = terminal.stream(['bash', '-c', 'echo out; echo password=hunter2 >&2; exit 3']);
    const pieces: OutputChunk[] = [];
    for await (const piece of run) pieces.push(piece);
    expect(pieces).toContainEqual({ stream: 'stdout', text: 'out\n' });
    expect(pieces).toContainEqual({ stream: 'stderr', text: 'password=[REDACTED]\n' });
    expect(await run.result()).toMatchObject({ status: 'exited', exitCode: 3, stdout: 'out\n' });
  });

  test('loses nothing, however slowly it is taken', async () => {
    const run = terminal.stream('seq 1 200000');
    let text = '';
    for await (const piece of run) {
      text += piece.text;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(text).toBe(Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join(''));
  });

  test('waits for the loop', async () => {
    const run = terminal.stream('yes', { timeoutMs: 400 });
    let pieces = 0;
    for await (const _ of run) {
      pieces += 1;
      if (pieces === 1) await new Promise((resolve) => setTimeout(resolve, 600));
    }
    const result = await run.result();
    expect(result.status).toBe('timed_out');
    // `yes` writes gigabytes in that time to who takes them.
    expect(result.bytes.stdout).toBeLessThan(64 * 1024 * 1024);
  });

  test('ends with the loop, and everything it started too', async () => {
    const mark = marker();
    const run = terminal.stream(['bash', '-c', `sleep ${mark} & echo ready; sleep ${mark}`]);
    for await (const { text } of run) {
      expect(text).toBe('ready\n');
      await until(() => living(mark).length > 0);
      break;
    }
    expect(living(mark)).toEqual([]);
    expect((await run.result()).status).toBe('cancelled');
    expect(await collected(run)).toBe('');
  });

  test('starts once, when it is iterated or asked for its result', async () => {
    const run = terminal.stream('echo once');
    expect((await run.result()).stdout).toBe('once\n');
    expect(await collected(run)).toBe('');
    expect(await run.result()).toBe(await run.result());
  });

  test('is a result too when it may not run', async () => {
    const run = terminal.stream('rm x');
    expect(await collected(run)).toBe('');
    expect((await run.result()).status).toBe('denied');
  });

  test('ends with a signal of the caller', async () => {
    const stop = new AbortController();
    const run = terminal.stream(['bash', '-c', 'echo a; sleep 60'], { signal: stop.signal });
    for await (const _ of run) stop.abort();
    expect((await run.result()).status).toBe('cancelled');
  });

  test('throws what `run` rejects with, once', async () => {
    await terminal.close();
    const run = terminal.stream('echo a');
    await expect(collected(run)).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    expect(await collected(run)).toBe('');
    await expect(run.result()).rejects.toMatchObject({ code: 'ERR_CLOSED' });
  });

  test.each<[unknown, object]>([
    ['echo', { onOutput: () => undefined }],
    ['echo', { signal: 'now' }],
    ['echo', { nosuch: 1 }],
    [7, {}],
  ])('refuses wrong arguments at once: %j %j', (command, options) => {
    expect(() => terminal.stream(command as string, options)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }),
    );
  });
});
